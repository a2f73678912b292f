"""The learned policy that is shipped: reproducible, equal to its learner, explained, and honest about its errors."""

from __future__ import annotations

import importlib.util
import json
import re
import shlex
import shutil
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
import pytest
import skops.io

import decisionflow
from decisionflow.cli import main
from decisionflow.models.loaders.skops import TRUSTED

SHIPPED = Path(__file__).parents[1] / "policies" / "recidivism"
README = (SHIPPED / "README.md").read_text(encoding="utf-8")
POLICY, DATA = str(SHIPPED / "recidivism.dflow"), str(SHIPPED / "defendants.csv")


def module(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, SHIPPED / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def test_the_command_of_the_readme_writes_the_policy_up_to_its_tests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(SHIPPED, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    command = re.search(r"^decisionflow (learn .*)$", README, flags=re.MULTILINE)
    assert command is not None
    assert main(shlex.split(command[1])) == 0
    shipped = (SHIPPED / "recidivism.dflow").read_text(encoding="utf-8")
    assert shipped.startswith((tmp_path / "recidivism.dflow").read_text(encoding="utf-8"))


def test_the_policy_gives_the_rules_and_else_the_forests_own_answers() -> None:
    frame = pd.read_csv(DATA)
    policy = decisionflow.load_policy(POLICY)
    forest = skops.io.load(SHIPPED / "models" / "forest.skops", trusted=list(TRUSTED))
    rules = [
        frame["priors"] < 1,
        (frame["age"] >= 40) & frame["priors"].between(1, 2),
        frame["age"].between(21, 24),
        (frame["charge_degree"] == "felony") & (frame["days_in_jail"] >= 30),
        frame["age"].between(25, 29) & frame["priors"].between(3, 5),
    ]
    by_hand = np.select(rules, ["no", "no", "yes", "yes", "yes"], forest.predict(frame[forest.feature_names_in_]))
    result = policy.evaluate(frame)["reoffends"]
    assert list(result.value) == list(by_hand)
    assert list(result.rule) == list(np.select(rules, ["r1", "r2", "r3", "r4", "r5"], "black_box"))
    alone = policy.evaluate(frame, transparency=0)["reoffends"]
    assert list(alone.value) == list(forest.predict(frame[forest.feature_names_in_]))


@pytest.mark.parametrize(("row", "rule"), [(1, "r1"), (0, "black_box")])
def test_a_covered_and_an_uncovered_row_are_explained(row: int, rule: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", POLICY, DATA, "--row", str(row), "--format", "json"]) == 0
    told = json.loads(capfd.readouterr().out)
    assert (told["status"], told["rule"]) == ("decided", rule)
    assert told["conditions"][0]["text"] == "priors = 0"
    assert told["companion"]["answered_by"] == rule
    assert told["companion"]["black_box"]["attributions"]["black_box"]["exact"] is True
    assert any(part["total"] for part in told["contributions"])


def test_nothing_reads_race() -> None:
    assert "race" in pd.read_csv(DATA, nrows=1).columns
    assert "race" not in (SHIPPED / "recidivism.dflow").read_text(encoding="utf-8")
    forest = skops.io.load(SHIPPED / "models" / "forest.skops", trusted=list(TRUSTED))
    assert "race" not in forest.feature_names_in_


def test_the_readme_shows_the_error_rates_that_the_script_computes() -> None:
    assert module("error_rates").table() in README


def test_the_data_are_those_of_the_generator() -> None:
    shipped = (SHIPPED / "defendants.csv").read_text(encoding="utf-8")
    assert module("generate").defendants(4000, seed=12).to_csv(index=False, lineterminator="\n") == shipped
