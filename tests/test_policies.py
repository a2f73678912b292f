"""Every shipped policy is canonical, has nothing to report, passes its own tests and decides its own data."""

from __future__ import annotations

from pathlib import Path

import pytest

import decisionflow
from decisionflow.api.testing import run_tests
from decisionflow.cli import main

FOLDER = Path(__file__).parents[1] / "policies"
POLICIES = sorted(path for path in FOLDER.glob("*/*.dflow") if path.stem == path.parent.name)
DATA = {
    "cancer_treatment": "patients.csv",
    "consumer_credit": "applicants.csv",
    "recidivism": "defendants.csv",
}


@pytest.mark.parametrize("path", POLICIES, ids=lambda path: path.stem)
def test_a_shipped_policy_is_sound(path: Path) -> None:
    assert decisionflow.load_policy(path).check() == ()
    assert main(["format", "--check", *map(str, path.parent.rglob("*.dflow"))]) == 0
    _, results = run_tests(path)
    assert len(results) >= 3
    assert [result.case.name for result in results if not result.passed] == []
    assert (path.parent / "README.md").exists()


@pytest.mark.parametrize("path", POLICIES, ids=lambda path: path.stem)
def test_a_shipped_policy_decides_its_own_data(path: Path, tmp_path: Path) -> None:
    data, out = path.parent / DATA[path.stem], tmp_path / "out.csv"
    assert main(["evaluate", str(path), str(data), "-o", str(out), "--today", "2026-11-29"]) == 0
    assert len(out.read_text().splitlines()) == len(data.read_text().splitlines())


def test_the_spreadsheet_of_prices_is_read_as_ratios() -> None:
    policy = decisionflow.load_policy(FOLDER / "consumer_credit" / "consumer_credit.dflow")
    rates = [rule.outcome.value for rule in policy.decisions["rate"].rules]  # type: ignore[union-attr]
    assert rates == [0.049, 0.0725, 0.0795, 0.099]
