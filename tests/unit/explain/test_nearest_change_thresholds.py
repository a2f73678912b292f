"""The nearest change where a threshold lies on an output of the model, or on another scale: against a whole grid."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest

import decisionflow

GRID = pd.DataFrame(list(itertools.product(range(8), range(6))), columns=["a", "b"])


def frame() -> tuple[pd.DataFrame, pd.Series]:
    rng = np.random.default_rng(0)
    found = pd.DataFrame({"a": rng.integers(0, 8, 300), "b": rng.integers(0, 6, 300)})
    return found, found.a / 2 - found.b / 3 + rng.normal(0, 0.5, 300)


def agrees_with_the_grid(model: Any, kind: str, rules: str, inputs: str = "a, b", derived: str = "") -> None:
    text = f"""policy demo
feature a : integer [0 .. 7]
feature b : integer [0 .. 5]
{derived}
model m : {kind} using {inputs}
decision d : {{ yes, no, maybe }}
{rules}
  otherwise maybe
"""
    policy = decisionflow.parse_policy(text, models={"m": model})
    values = np.asarray(policy.evaluate(GRID)["d"].value)
    for row in GRID.sample(6, random_state=1).to_dict("records"):
        costs = (GRID.a - row["a"]).abs() / 7 + (GRID.b - row["b"]).abs() / 5
        for wanted in ("yes", "no", "maybe"):
            found = policy.explain([row], method="change", why_not=wanted).to_dict()["nearest_change"]
            if not (values == wanted).any():
                assert found["status"] == "impossible"
                continue
            assert found["status"] == "optimal"
            assert found["cost"] == pytest.approx(costs[values == wanted].min(), abs=1e-9)


def test_a_score_is_the_sum_itself() -> None:
    from sklearn.svm import LinearSVC

    rows, target = frame()
    model = LinearSVC(random_state=0).fit(rows, target > 0)
    rules = "  rule r: if m < 0.3 and b < 5 then no\n  rule s: if m > 0.9 then yes"
    agrees_with_the_grid(model, "score of true", rules)


@pytest.mark.parametrize("end", ["<", "<=", ">", ">="])
def test_a_threshold_that_is_an_output(end: str) -> None:
    from sklearn.ensemble import RandomForestRegressor

    rows, target = frame()
    model = RandomForestRegressor(5, max_depth=2, random_state=0).fit(rows, target)
    middle = float(np.sort(np.unique(model.predict(GRID)))[4])
    agrees_with_the_grid(model, "number", f"  rule r: if m {end} {middle!r} then yes\n  rule s: if a > 5 then no")


def test_two_thresholds_on_one_model() -> None:
    from sklearn.ensemble import GradientBoostingRegressor

    rows, target = frame()
    model = GradientBoostingRegressor(n_estimators=6, max_depth=2, random_state=0).fit(rows, target)
    low, high = np.quantile(model.predict(GRID), [0.55, 0.6]).tolist()
    rules = f"  rule r: if m < {low!r} then yes\n  rule s: if m >= {high!r} and a >= 0 then no"
    agrees_with_the_grid(model, "number", rules)


def test_a_forest_can_be_certain() -> None:
    from sklearn.tree import DecisionTreeClassifier

    rows, target = frame()
    model = DecisionTreeClassifier(max_depth=4, random_state=0).fit(rows, target > 0)
    assert 0.0 in model.predict_proba(GRID)[:, 1]
    agrees_with_the_grid(model, "probability of true", "  rule r: if m <= 0 then yes\n  rule s: if m >= 1 then no")


def test_an_exponential_of_trees() -> None:
    from sklearn.ensemble import HistGradientBoostingRegressor

    rows, target = frame()
    model = HistGradientBoostingRegressor(loss="poisson", max_iter=5, max_depth=2).fit(rows, np.exp(target))
    rules = "  rule r: if m < 1.5 then yes\n  rule s: if m > 4 then no"
    agrees_with_the_grid(model, "number", rules)


def test_trees_over_a_falling_input() -> None:
    from sklearn.ensemble import RandomForestClassifier

    rows, target = frame()
    turned = pd.DataFrame({"n": 7 - rows.a, "b": rows.b})
    model = RandomForestClassifier(5, max_depth=3, random_state=0).fit(turned, target > 0)
    agrees_with_the_grid(model, "probability of true", "  rule r: if m >= 0.6 then yes", "n, b", "derived n = 7 - a")
