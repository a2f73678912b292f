"""Contributions of many rows are those of each row alone."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression

import decisionflow
from decisionflow.cli import main

POLICY = """
policy credit
feature income : number
feature debt   : number optional
feature age    : integer [18 .. 100]
feature job    : { a, b, c }
derived ratio = debt - 0.5 * income
derived quotient = if income > 0 then age / income else 1
model risk : probability of 1 using income, age
model kind : { low, high } using age, income
decision y : { approve, refer, decline }
  rule r1: if age < 21 then decline
  rule r2: if ratio > 0.4 and kind = high then decline
  rule r3: if risk > 0.7 or job = c and risk > 0.5 then decline
  rule r4: if quotient > 120 then refer
  rule r5: if debt is missing then refer
  rule r6: if risk < 0.3 and job in { a, b } then approve
"""
RNG = np.random.default_rng(0)
DATA = pd.DataFrame(
    {
        "income": RNG.random(80),
        "debt": np.where(RNG.random(80) < 0.1, np.nan, RNG.random(80)),
        "age": RNG.integers(15, 90, 80),
        "job": RNG.choice(list("abc"), 80),
    }
)
BAD = (DATA["income"] + RNG.normal(0, 0.3, 80) < 0.5).astype(int)


def fitted(kind: str) -> decisionflow.Policy:
    model = {"linear": LogisticRegression(), "trees": GradientBoostingClassifier(n_estimators=10, random_state=0)}[kind]
    labels = np.where(DATA["age"] > 40, "high", "low")
    forest = RandomForestClassifier(5, max_depth=3, random_state=0).fit(DATA[["age", "income"]], labels)
    return decisionflow.parse_policy(POLICY, models={"risk": model.fit(DATA[["income", "age"]], BAD), "kind": forest})


@pytest.mark.parametrize("kind", ["linear", "trees"])
@pytest.mark.parametrize("question", [{}, {"why_not": "approve"}, {"rule": "r3"}])
def test_batch_equals_row_by_row(kind: str, question: dict[str, str]) -> None:
    policy = fitted(kind)
    frame = policy.explain_batch(DATA, today="2026-11-29", **question)
    assert frame["y.status"].tolist() == policy.evaluate(DATA)["y"].status.tolist()
    assert {"invalid", "undecided", "decided"} <= set(frame["y.status"])
    for row in range(0, 80, 3):
        alone = policy.explain(DATA, row=row, today="2026-11-29", **question)
        found = frame.iloc[row]
        assert found["row"] == row
        assert found["target_rule"] == alone.target_rule
        assert found["y.rule"] == alone.found.outcome.rule
        totals = {name: found[f"contribution.{name}"] for name in policy.features}
        assert totals == pytest.approx({**dict.fromkeys(policy.features, 0.0), **alone.contributions.to_dict()})


ADVERSE = """
policy loans
feature income : number [0 .. 10]
feature debt : number [0 .. 10]
feature age : integer [18 .. 100]
model risk : probability of 1 using income, age
decision y : { yes, no } adverse no reasons at most 3
  rule minor: if age < 21 then no reason A1 "age"
  rule risky: if risk > 0.5 and debt > 1 then no
  otherwise yes
reasons
  income lowers R1 "income"
  debt raises R2 "debt"
  age raises R3 "years"
"""


def test_adverse_outcomes_come_with_the_codes_that_each_alone_has() -> None:
    data = DATA[["income", "age"]].assign(income=10 * DATA["income"], debt=10 * DATA["debt"].fillna(0.5)).head(30)
    model = LogisticRegression(max_iter=1000).fit(data[["income", "age"]], BAD[:30])
    policy = decisionflow.parse_policy(ADVERSE, models={"risk": model})
    frame = policy.explain_batch(data, today="2026-11-29")
    alone = [policy.explain(data, row=row, today="2026-11-29").to_dict() for row in range(30)]
    told = [";".join(one["code"] for one in each["customer_reasons"]) for each in alone]
    assert frame["y.customer_reasons"].tolist() == told
    assert any(codes.startswith("A1") for codes in told) and any(codes.startswith("R") for codes in told)
    assert [bool(codes) for codes in told] == [each["value"] == "no" for each in alone]
    for name in policy.features:
        parts = [{one["feature"]: one["total"] for one in each["contributions"]} for each in alone]
        assert frame[f"contribution.{name}"].tolist() == pytest.approx([part.get(name, 0.0) for part in parts])


def test_some_rows_in_the_order_asked() -> None:
    policy = fitted("linear")
    assert policy.explain_batch(DATA, rows=[5, 2])["row"].tolist() == [5, 2]
    with pytest.raises(decisionflow.DataError, match="no row 80"):
        policy.explain_batch(DATA, rows=[80])


@pytest.mark.parametrize("name", ["out.csv", "out.jsonl", "out.parquet"])
def test_command_writes_a_line_for_each_row(name: str, tmp_path: Path) -> None:
    (tmp_path / "p.dflow").write_text(
        "policy p\nfeature x : number [0 .. 10]\ndecision y : { a, b }\n  rule r: if x > 4 then a\n  otherwise b\n"
    )
    (tmp_path / "d.csv").write_text("x\n2\n5\n12\n")
    out = tmp_path / name
    code = main(["explain", str(tmp_path / "p.dflow"), str(tmp_path / "d.csv"), "--all", "-o", str(out)])
    assert code == 4
    read = {"csv": pd.read_csv, "parquet": pd.read_parquet}.get(out.suffix[1:])
    rows = [json.loads(line) for line in out.read_text().splitlines()] if read is None else read(out).to_dict("records")
    assert [row["y.status"] for row in rows] == ["decided", "decided", "invalid"]
    assert [row["contribution.x"] for row in rows] == pytest.approx([-0.8, 0.9, 0.0])
