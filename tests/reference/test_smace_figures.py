"""The figures of the SMACE paper (Lopardo, Garreau, Precioso, Ottosson), and others worked out by hand."""

from __future__ import annotations

import json
import os
from itertools import permutations
from math import factorial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression

import decisionflow

UNIFORM = pd.DataFrame(np.random.RandomState(1).rand(1000, 3), columns=["x1", "x2", "x3"])
FIRST, SECOND = {"x1": 0.6, "x2": 0.1, "x3": 0.4}, {"x1": 0.51, "x2": 0.6, "x3": 0.2}

RULE_ONLY = """
policy tables
feature x1 : number {domain}
feature x2 : number {domain}
feature x3 : number {domain}
decision y : {{ one, zero }}
  rule R1: if x1 <= 0.5 and x2 >= 0.6 and x3 >= 0.2 then one
  otherwise zero
"""
HYBRID = """
policy table_3
feature x1 : number
feature x2 : number
feature x3 : number
model m1 : number using x1, x2, x3
model m2 : number using x1, x2, x3
decision y : { one, zero }
  rule R3: if x1 <= 0.5 and x2 >= 0.6 and m1 >= 1 and m2 <= 600 then one
  otherwise zero
"""


def linear(*weights: float) -> LinearRegression:
    return LinearRegression().fit(UNIFORM, UNIFORM.to_numpy() @ np.array(weights))


def contributions(policy: decisionflow.Policy, row: dict[str, float], **options: object) -> dict[str, float]:
    found = policy.explain(row, **options).to_dict()["contributions"]  # type: ignore[arg-type]
    return {part["feature"]: part["total"] for part in found}


@pytest.mark.parametrize(("row", "expected"), [(FIRST, (-0.9, -0.5, 0.8)), (SECOND, (-0.99, 1.0, 1.0))])
def test_tables_1_and_2(row: dict[str, float], expected: tuple[float, ...]) -> None:
    policy = decisionflow.parse_policy(RULE_ONLY.format(domain="[0 .. 1]"))
    assert contributions(policy, row) == pytest.approx(dict(zip(row, expected, strict=True)), abs=1e-12)


def test_table_3_is_what_hand_computation_gives() -> None:
    policy = decisionflow.parse_policy(HYBRID, models={"m1": linear(0, 1, 2), "m2": linear(700, -500, 1000)})
    explanation = policy.explain(FIRST, background=UNIFORM)

    mean, x = UNIFORM.mean(), pd.Series(FIRST)
    outputs = {
        "m1": UNIFORM["x2"] + 2 * UNIFORM["x3"],
        "m2": 700 * UNIFORM["x1"] - 500 * UNIFORM["x2"] + 1000 * UNIFORM["x3"],
    }
    phi = {"m1": pd.Series([0, 1, 2], x.index) * (x - mean), "m2": pd.Series([700, -500, 1000], x.index) * (x - mean)}
    spread = UNIFORM.max() - UNIFORM.min()
    parts = {
        "x1": -(1 - 0.1 / spread["x1"]),
        "x2": -(1 - 0.5 / spread["x2"]),
        "m1": -(1 - (1 - 0.9) / (outputs["m1"].max() - outputs["m1"].min())),
        "m2": -(1 - (770 - 600) / (outputs["m2"].max() - outputs["m2"].min())),
    }
    expected = pd.Series({"x1": parts["x1"], "x2": parts["x2"], "x3": 0.0})
    for model, values in phi.items():
        expected += parts[model] * values.abs() / values.abs().sum()

    assert explanation.rule_contributions.to_dict() == pytest.approx(parts, abs=1e-9)
    assert explanation.contributions.to_dict() == pytest.approx(expected.to_dict(), abs=1e-9)
    assert expected.tolist() == pytest.approx([-1.08, -1.65, -0.55], abs=0.2)
    assert expected.tolist() == pytest.approx([-1.0782, -1.6548, -0.5461], abs=1e-4)
    assert explanation.contributions.sum() == pytest.approx(explanation.rule_contributions.sum(), abs=1e-9)


def test_exact_shapley_value_of_table_1_is_that_of_every_order_of_the_features() -> None:
    from decisionflow.explain.attributions.conjunction import conjunction_shapley

    def holds(rows: np.ndarray) -> np.ndarray:
        return np.column_stack([rows[:, 0] <= 0.5, rows[:, 1] >= 0.6, rows[:, 2] >= 0.2])

    row, data = np.array([[0.6, 0.1, 0.4]]), UNIFORM.to_numpy()
    expected = np.zeros(3)
    for order in permutations(range(3)):
        mixed = data.copy()
        before = holds(mixed).all(axis=1).mean()
        for player in order:
            mixed[:, player] = row[0, player]
            after = holds(mixed).all(axis=1).mean()
            expected[player] += (after - before) / factorial(3)
            before = after
    _, found = conjunction_shapley(holds(row)[0], holds(data))
    assert found == pytest.approx(expected, abs=1e-12)
    assert found == pytest.approx([-0.09, -0.09, 0.015], abs=0.005)


CORNERS = [
    ("x <= 0.5", 1.8, -0.0, -1),
    ("x <= 0.5", -1.0, 0.0, 1),
    ("x > 0.5", 0.5, -1.0, -1),
    ("x > 0", 0.0, -1.0, -1),
    ("x < 0", 0.0, -1.0, -1),
    ("x < -0.5", -0.5, -1.0, -1),
    ("0.2 <= x <= 0.9", 0.3, 0.9, 1),
    ("0.2 <= x <= 0.9", 0.1, -0.9, -1),
    ("x in [0.2 .. 0.9]", 0.2, 1.0, 1),
    ("x in (0.2 .. 0.9]", 0.2, -1.0, -1),
    ("not (x in [0.2 .. 0.9])", 0.3, -0.9, -1),
    ("x != 0.5", 0.4, 0.9, 1),
    ("x = 0.5", 0.5, 1.0, 1),
    ("x in { 0.2, 0.5 }", 0.4, -0.9, -1),
]


@pytest.mark.parametrize(("condition", "value", "expected", "sign"), CORNERS)
def test_corner_cases_on_a_scale_of_one(condition: str, value: float, expected: float, sign: int) -> None:
    text = f"policy p feature x : number [-2 .. 2] decision d : {{ a, b }} rule r: if {condition} then a otherwise b"
    part = decisionflow.parse_policy(text.replace("[-2 .. 2]", "")).explain(
        {"x": value}, background=pd.DataFrame({"x": [-1.0, 0.0]}), rule="r"
    )
    detail = part.to_dict()["variables"][0]
    low, high = min(-1.0, value), max(0.0, value)
    thresholds = [
        float(word.strip("[](){},")) for word in condition.split() if word.strip("[](){},-").replace(".", "").isdigit()
    ]
    scale = max(high, *thresholds) - min(low, *thresholds)
    assert detail["sign"] == sign
    assert detail["scale"] == pytest.approx(scale, abs=1e-12)
    distance = (1 - abs(expected)) if abs(expected) not in (0.0,) else detail["margin"]
    assert detail["contribution"] == pytest.approx(sign * max(0.0, 1 - distance / scale), abs=1e-12)


def test_a_constant_feature_has_the_scale_one() -> None:
    text = "policy p feature x : number decision d : { a, b } rule r: if x >= 0.9 then a otherwise b"
    found = decisionflow.parse_policy(text).explain({"x": 1.0}, background=pd.DataFrame({"x": [1.0, 1.0, 1.0]}))
    assert found.contributions["x"] == pytest.approx(0.9, abs=1e-12)


def test_a_rule_that_can_never_hold_says_so() -> None:
    text = (
        "policy p feature x : number [0 .. 1] decision d : { a, b } rule r: if x > 0.9 and x < 0.1 then a otherwise b"
    )
    found = decisionflow.parse_policy(text).explain({"x": 0.5}, rule="r")
    assert found.to_dict()["never_holds"] == ["x"]
    assert "can never hold" in str(found)


def test_the_signed_variant_says_which_way_each_feature_pushes() -> None:
    text = "policy p feature x1 : number feature x2 : number feature x3 : number model m : number using x1, x2, x3 "
    text += "decision d : { a, b } rule r: if m >= 0.2 then a otherwise b"
    policy = decisionflow.parse_policy(text, models={"m": linear(1, -1, 0)})
    row = {"x1": 0.95, "x2": 0.9, "x3": 0.5}
    parts = {part["feature"]: part for part in policy.explain(row, background=UNIFORM).to_dict()["contributions"]}
    away = {"x1": 0.95 - UNIFORM["x1"].mean(), "x2": 0.9 - UNIFORM["x2"].mean()}
    output = UNIFORM["x1"] - UNIFORM["x2"]
    whole = -(1 - (0.2 - 0.05) / (output.max() - output.min()))
    expected = {name: whole * gap / sum(away.values()) for name, gap in away.items()}
    assert {name: parts[name]["total"] for name in away} == pytest.approx(expected, abs=1e-9)
    assert parts["x1"]["signed"] > 0 > parts["x2"]["signed"]


@pytest.mark.skipif("DECISIONFLOW_DATA" not in os.environ, reason="DECISIONFLOW_DATA does not name the reference data")
def test_published_cases_at_full_precision() -> None:
    from decisionflow.conditions.intervals import Interval, Region
    from decisionflow.explain.rule_contribution import contribution

    cases = json.loads((Path(os.environ["DECISIONFLOW_DATA"]) / "smace_cases.json").read_text())["cases"]
    for case in cases:
        for variable, expected in case["clean_rule_contribution"].items():
            allowed = Region()
            for condition in case["conditions"]:
                if condition["name"] == variable:
                    end = condition["value"]
                    below = condition["operator"] == "leq"
                    ray = Interval(high=end, high_closed=True) if below else Interval(low=end, low_closed=True)
                    allowed = allowed.intersect(Region((ray,)))
            value = case["completed_active"][variable]
            single = variable in ("ltv", "cr")  # computed in single precision there
            sign = 1 if allowed.contains(value) else -1
            found = contribution(sign, allowed.distance_to_boundary(value), case["scale"][variable])
            assert found.value == pytest.approx(expected, abs=1e-7 if single else 1e-9), (case["name"], variable)
