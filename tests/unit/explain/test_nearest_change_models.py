"""The nearest change and the certificate through models, against every point of a grid."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import decisionflow
from decisionflow.api.policy import Policy

POLICY = """
policy models
feature a : integer [0 .. 10]
feature x : number [0.00 .. 1.00] step 0.05
feature c : { p, q, r }
model risk : probability of 1 using a, x, c
decision d : { good, bad, refer }
  rule one: if a < 2 then refer
  rule two: if risk >= 0.6 then bad
  rule three: if risk >= 0.3 and c = q then refer
  otherwise good
"""
GRID = pd.DataFrame(
    list(itertools.product(range(11), [place / 20 for place in range(21)], "pqr")), columns=["a", "x", "c"]
)


def training() -> tuple[pd.DataFrame, pd.Series]:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"a": rng.integers(0, 11, 500), "x": rng.integers(0, 21, 500) / 20, "c": rng.choice(["p", "q", "r"], 500)}
    )
    score = frame.a / 10 + frame.x + 0.4 * (frame.c == "p") + rng.normal(0, 0.3, 500)
    return frame, (score > 1.1).astype(int)


def fitted(kind: str) -> Any:
    from sklearn.compose import make_column_transformer
    from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    encoder = OneHotEncoder(), ["c"]
    scaled = make_column_transformer(encoder, (StandardScaler(), ["a", "x"]))
    plain = make_column_transformer(encoder, remainder="passthrough")
    made = {
        "linear": (scaled, LogisticRegression()),
        "forest": (plain, RandomForestClassifier(6, max_depth=3, random_state=0)),
        "boosting": (plain, GradientBoostingClassifier(n_estimators=10, max_depth=2, random_state=0)),
        "boosting on scaled columns": (scaled, GradientBoostingClassifier(n_estimators=6, max_depth=2, random_state=0)),
    }
    return make_pipeline(*made[kind]).fit(*training())


def loaded(kind: str) -> Policy:
    return decisionflow.parse_policy(POLICY, models={"risk": fitted(kind)})


@pytest.mark.parametrize("kind", ["linear", "forest", "boosting", "boosting on scaled columns"])
def test_equals_every_point_of_the_grid(kind: str) -> None:
    policy = loaded(kind)
    values = np.asarray(policy.evaluate(GRID)["d"].value)
    for row in GRID.sample(5, random_state=3).to_dict("records"):
        costs = (GRID.a - row["a"]).abs() / 10 + (GRID.x - row["x"]).abs() + (GRID.c != row["c"])
        for wanted in ("good", "bad", "refer"):
            found = policy.explain([row], method="change", why_not=wanted).to_dict()["nearest_change"]
            assert found["status"] == "optimal"
            assert found["cost"] == pytest.approx(costs[values == wanted].min(), abs=1e-9)
            changed = row | {change["feature"]: change["to"] for change in found["changes"]}
            assert policy.evaluate(changed)["d"].value == wanted


@pytest.mark.parametrize("kind", ["linear", "forest"])
def test_certificate_holds_at_random_points(kind: str) -> None:
    policy, rng = loaded(kind), np.random.default_rng(1)
    for row in GRID.sample(4, random_state=5).to_dict("records"):
        found = policy.explain([row], method="certificate").to_dict()["certificate"]
        box = found["box"]
        points = pd.DataFrame(
            {
                "a": rng.integers(box["a"]["low"], box["a"]["high"] + 1, 400),
                "x": rng.uniform(box["x"]["low"], box["x"]["high"], 400),
                "c": rng.choice(box["c"]["labels"], 400),
            }
        )
        assert set(policy.evaluate(points)["d"].value) == {found["value"]}


def test_a_model_that_cannot_be_opened_is_tried() -> None:
    text = """
policy tried
feature a : number [0 .. 10]
model risk : number using a
decision d : { good, bad }
  rule one: if risk > 25 then bad
  otherwise good
"""
    policy = decisionflow.parse_policy(text, models={"risk": lambda frame: frame["a"] ** 2})
    found = policy.explain([{"a": 7.0}], method="change").to_dict()["nearest_change"]
    assert (found["status"], found["decided"]["value"]) == ("found", "good")
    assert found["cost"] == pytest.approx(0.2, abs=1e-4)
    certificate = policy.explain([{"a": 7.0}], method="certificate").to_dict()["certificate"]
    assert certificate["held"] == ["a"]
    assert certificate["box"]["a"] == {"low": 7.0, "low_closed": True, "high": 7.0, "high_closed": True}


def test_certificate_by_hand() -> None:
    text = """
policy hand
feature age : integer [0 .. 120]
feature dti : number [0 .. 1]
feature status : { a, b, c }
decision d : { yes, no }
  rule young: if age < 21 then no
  rule heavy: if dti > 0.4 and status = b then no
  otherwise yes
"""
    policy = decisionflow.parse_policy(text)
    found = policy.explain([{"age": 30, "dti": 0.2, "status": "a"}], method="certificate").to_dict()["certificate"]
    everything = {"low": 0.0, "low_closed": True, "high": 1.0, "high_closed": True}
    assert found["box"] == {
        "age": {"low": 21, "low_closed": True, "high": 120, "high_closed": True},
        "dti": everything,
        "status": {"labels": ["a", "c"]},
    }
    assert found["alone"]["status"] == {"labels": ["a", "b", "c"]}
    found = policy.explain([{"age": 30, "dti": 0.2, "status": "b"}], method="certificate").to_dict()["certificate"]
    assert found["box"]["dti"] == everything | {"high": 0.4}
    assert found["box"]["status"] == {"labels": ["a", "b", "c"]}


CREDIT = Path(__file__).parents[3] / "policies" / "consumer_credit"


@pytest.mark.parametrize("row", [0, 2, 3, 6])
def test_no_point_of_a_grid_is_nearer_in_the_shipped_policy(row: int) -> None:
    policy = decisionflow.load_policy(CREDIT / "consumer_credit.dflow")
    applicants = pd.read_csv(CREDIT / "applicants.csv")
    background = pd.read_csv(CREDIT / "background.csv")
    here = applicants.iloc[row]
    scales = {
        name: max(background[name].max(), here[name]) - min(background[name].min(), here[name])
        for name in ("income", "debt")
    }
    grid = pd.DataFrame(
        list(
            itertools.product(
                [here.income, *np.round(np.linspace(0, 2 * here.income, 60), 2)],
                [here.debt, *np.round(np.linspace(0, 2 * here.debt, 25), 2)],
                sorted(background.employment.unique()),
                [here.bankruptcies, here.bankruptcies + 1, here.bankruptcies + 2],
            )
        ),
        columns=["income", "debt", "employment", "bankruptcies"],
    )
    rows = pd.DataFrame([here] * len(grid)).reset_index(drop=True).assign(**grid)
    decided = np.asarray(policy.evaluate(rows, today="2026-11-29")["outcome"].value)
    costs = sum((grid[name] - here[name]).abs() / scale for name, scale in scales.items())
    costs += (grid.employment != here.employment) + (grid.bankruptcies - here.bankruptcies) / 20
    present = policy.evaluate(applicants, today="2026-11-29")["outcome"].value[row]
    for wanted in sorted({"approve", "refer", "decline"} - {present}):
        explanation = policy.explain(applicants, row=row, method="change", why_not=wanted, today="2026-11-29")
        found = explanation.to_dict()["nearest_change"]
        nearest = costs[decided == wanted].min()
        if found["status"] == "impossible":
            assert np.isnan(nearest)
        else:
            assert (found["status"], found["decided"]["value"]) == ("optimal", wanted)
            assert not found["cost"] > nearest + 1e-9


def test_two_labels_are_tried_together() -> None:
    text = """policy demo
feature c : { x, y, z }
feature g : { p, q, r }
model risk : number using c, g
decision d : { good, bad }
  rule one: if risk > 5 then bad
  otherwise good
"""
    model = {"risk": lambda frame: 10.0 * ((frame["c"] == "z") & (frame["g"] == "r"))}
    found = decisionflow.parse_policy(text, models=model).explain([{"c": "x", "g": "p"}], method="change").to_dict()
    assert [change["to"] for change in found["nearest_change"]["changes"]] == ["z", "r"]
