"""`decisionflow explain --method …`: what is printed, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from decisionflow.cli import main

POLICY = """
policy loan
feature age : integer [18 .. 100]
feature dti : number [0 .. 1]
decision outcome : { approve, decline }
  rule young: if age < 21 then decline
  rule debts: if dti > 0.4 then decline
  otherwise approve
"""


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"age": rng.integers(18, 60, 200), "dti": rng.random(200).round(2)})
    frame.loc[0] = [30, 0.6]
    frame.to_csv(tmp_path / "data.csv", index=False)
    (tmp_path / "loan.dflow").write_text(POLICY)
    return [str(tmp_path / "loan.dflow"), str(tmp_path / "data.csv")]


def test_several_methods_in_text(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    methods = [part for name in ("shap", "shapley", "lime", "rules", "anchor") for part in ("--method", name)]
    assert main(["explain", *files, "--row", "0", *methods]) == 0
    shown = capsys.readouterr().out
    for words in ("SHAP of the decision being decline", "LIME of the decision", "dti > 0.4", "What is enough for"):
        assert words in shown


def test_measure_and_number_of_rules(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--method", "rules", "--measure", "confidence", "--k", "1", "--format", "json"]
    assert main(["explain", *files, "--row", "0", *options]) == 0
    rules = json.loads(capsys.readouterr().out)["local_rules"]
    assert [rule["kind"] for rule in rules] == list(dict.fromkeys(rule["kind"] for rule in rules))
    flipping = next(rule for rule in rules if rule["kind"] == "hypothetically contradicting")
    assert flipping["class"] == "approve"
    assert flipping["flips"] is True


@pytest.mark.parametrize("measure", ["coverage", "support", "confidence", "lift", "leverage"])
def test_the_measure_asked_for_is_shown(measure: str, files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["explain", *files, "--row", "0", "--method", "rules", "--k", "1", "--measure", measure]
    assert main([*asked, "--format", "json"]) == 0
    rules = json.loads(capsys.readouterr().out)["local_rules"]
    assert main(asked) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    heads = [line for line in lines if line[:2] == ["conditions", "then"]]
    assert [head[2] for head in heads] == [measure] * len(rules)
    for rule in rules:
        assert rule["ranked_by"] == measure
        assert any(f"{rule['measures'][measure]:.3g}" in line and rule["class"] in line for line in lines)
    assert main([*asked, "--format", "html"]) == 0
    assert f"best first by {measure}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--row", "0", "--method", "shpa"], 2),
        (["--row", "0", "--method", "shap", "--of", "score"], 2),
        (["--row", "0", "--method", "rules", "--k", "0"], 2),
        (["--row", "0", "--format", "csv"], 2),
        (["--all", "--method", "shap"], 2),
        (["--all", "--row", "1"], 2),
        (["--all", "--format", "png"], 2),
        ([], 2),
    ],
)
def test_what_does_not_fit_is_refused_without_a_traceback(
    options: list[str], code: int, files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", *files, *options]) == code
    assert "Traceback" not in capsys.readouterr().err


def test_all_rows_on_standard_output(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", *files, "--all"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "row,outcome,outcome.rule,outcome.status,target_rule,contribution.age,contribution.dti"
    assert len(lines) == 201
    assert lines[1].startswith("0,decline,debts,decided,debts,0")


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (["--time-limit", "0"], "write a number of seconds above 0"),
        (["--max-features", "0"], "at least 1 is asked for"),
        (["--answers", "0"], "at least 1 is asked for"),
        (["--k", "0"], "at least 1 is asked for"),
    ],
)
def test_numbers_that_cannot_be_meant(
    files: list[str], option: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", *files, "--row", "0", "--method", "change", *option]) == 2
    assert message in capsys.readouterr().err


def test_the_time_limit_of_the_nearest_change(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--row", "0", "--method", "change", "--time-limit", "20", "--format", "json"]
    assert main(["explain", *files, *arguments]) == 0
    assert json.loads(capsys.readouterr().out)["nearest_change"]["status"] == "optimal"
