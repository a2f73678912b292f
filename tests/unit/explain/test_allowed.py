"""Allowed sets of single variables, half-spaces and labels."""

from __future__ import annotations

import math

import pandas as pd
import pytest

import decisionflow
from decisionflow.conditions.intervals import Interval, Region

HALF_SPACE = """
policy p
feature debt : number [0 .. 1000]
feature income : number [0 .. 2000]
derived room = 0.4 * income - debt
decision d : { no, yes }
  rule direct: if debt > 0.4 * income then no
  rule through: if room < 0 then no
  otherwise yes
"""


@pytest.mark.parametrize("rule", ["direct", "through"])
def test_a_half_space_is_an_interval_along_each_of_its_features(rule: str) -> None:
    found = decisionflow.parse_policy(HALF_SPACE).explain({"debt": 300.0, "income": 1000.0}, rule=rule)
    # debt has to rise by 100 of 1000, income has to fall from 1000 to 750, by 250 of 2000
    assert found.rule_contributions.to_dict() == pytest.approx({"debt": -0.9, "income": -0.875}, abs=1e-12)


def test_a_half_space_and_a_bound_on_one_of_its_features_are_intersected() -> None:
    text = HALF_SPACE.replace("debt > 0.4 * income", "debt > 0.4 * income and debt < 450")
    found = decisionflow.parse_policy(text).explain({"debt": 500.0, "income": 1000.0}, rule="direct")
    assert found.rule_contributions["debt"] == pytest.approx(-0.95, abs=1e-12)


def test_a_contradiction_at_this_row_only_is_no_rule_that_never_holds() -> None:
    text = HALF_SPACE.replace("debt > 0.4 * income", "debt > 0.4 * income and debt < 350")
    found = decisionflow.parse_policy(text).explain({"debt": 500.0, "income": 1000.0}, rule="direct").to_dict()
    assert found["never_holds"] == []
    assert found["rule_contributions"]["debt"] == 0.0


def test_labels_are_as_far_apart_as_their_shares_of_the_outcome() -> None:
    text = "policy p feature job : { clerk, driver, nurse } feature age : integer [0 .. 100] decision d : { yes, no } "
    text += "rule r: if job = driver and age >= 20 then yes otherwise no"
    background = pd.DataFrame({"job": ["driver"] * 4 + ["clerk"] * 2, "age": [10, 20, 30, 40, 50, 60]})
    policy = decisionflow.parse_policy(text)
    # share of yes: driver 3/4, clerk 0, nurse without rows
    found = policy.explain({"job": "driver", "age": 30}, background=background)
    assert found.rule_contributions["job"] == pytest.approx(1 - 0.5, abs=1e-12)
    assert policy.explain({"job": "clerk", "age": 30}, background=background).rule_contributions[
        "job"
    ] == pytest.approx(-0.25)
    uniform = policy.explain({"job": "clerk", "age": 30}, background=background, categories="uniform")
    assert uniform.rule_contributions["job"] == pytest.approx(-0.5)


def test_ordered_labels_are_apart_by_rank() -> None:
    text = "policy p feature grade : ordered { a, b, c, d, e } decision x : { yes, no } "
    text += "rule r: if grade >= c then yes otherwise no"
    policy = decisionflow.parse_policy(text)
    assert policy.explain({"grade": "a"}).rule_contributions["grade"] == pytest.approx(-0.5)
    assert policy.explain({"grade": "c"}).rule_contributions["grade"] == pytest.approx(0.75)


def test_a_missing_value_is_unknown_and_contributes_nothing() -> None:
    text = "policy p feature x : number [0 .. 1] optional feature y : number [0 .. 1] decision d : { a, b } "
    text += "rule r: if x > 0.5 and y > 0.5 then a otherwise b"
    found = decisionflow.parse_policy(text).explain({"x": None, "y": 0.4}).to_dict()
    assert found["unknown"] == ["x"]
    assert found["rule_contributions"] == pytest.approx({"y": -0.9})


def test_without_domain_or_background_a_scale_is_asked_for() -> None:
    text = "policy p feature x : number decision d : { a, b } rule r: if x > 0.5 then a otherwise b"
    with pytest.raises(decisionflow.DataError, match="how far is far for `x`"):
        decisionflow.parse_policy(text).explain({"x": 1.0})


def test_the_nearest_alternative_of_a_disjunction_is_explained() -> None:
    text = "policy p feature x : number [0 .. 1] feature y : number [0 .. 1] decision d : { a, b } "
    text += "rule r: if (x > 0.9 and y > 0.5) or x < 0.1 then a otherwise b"
    policy = decisionflow.parse_policy(text)
    assert policy.explain({"x": 0.3, "y": 0.6}).rule_contributions.to_dict() == pytest.approx({"x": -0.8})
    assert policy.explain({"x": 0.85, "y": 0.6}).rule_contributions.to_dict() == pytest.approx({"x": -0.95, "y": 0.9})


def test_why_not_takes_the_nearest_rule_for_the_outcome() -> None:
    text = "policy p feature x : number [0 .. 1] decision d : { a, b, c } "
    text += "rule far: if x > 0.9 then a rule near: if x > 0.6 then a rule other: if x > 0.5 then b otherwise c"
    policy = decisionflow.parse_policy(text)
    assert policy.explain({"x": 0.4}, why_not="a").target_rule == "near"
    assert policy.explain({"x": 0.4}).target_rule == "other"
    assert policy.explain({"x": 0.4}, rule="far").target_rule == "far"
    with pytest.raises(decisionflow.DataError, match="no rule `fer`; did you mean `far`"):
        policy.explain({"x": 0.4}, rule="fer")
    with pytest.raises(decisionflow.DataError, match="no outcome `d`"):
        policy.explain({"x": 0.4}, why_not="d")


CHAIN = """
policy p
feature a : number [0 .. 10]
feature b : number [0 .. 10]
feature c : number [0 .. 10]
derived ratio = a / (b + 1)
derived scaled = ratio * ratio
decision d : { yes, no }
  rule r: if scaled >= 4 and c >= 5 then yes
  otherwise no
"""


def test_contributions_are_carried_through_a_chain_and_keep_their_sum() -> None:
    policy = decisionflow.parse_policy(CHAIN)
    background = pd.DataFrame({"a": [1.0, 5.0, 10.0], "b": [0.0, 2.0, 0.0], "c": [1.0, 2.0, 3.0]})
    found = policy.explain({"a": 4.0, "b": 3.0, "c": 6.0}, background=background)
    assert set(found.contributions.index) == {"a", "b", "c"}
    assert found.contributions.sum() == pytest.approx(found.rule_contributions.sum(), abs=1e-12)
    assert found.to_dict()["derived"]["scaled"]["phi"].keys() == {"ratio"}


def test_a_computed_value_lies_on_a_ray_whose_other_end_is_infinite() -> None:
    """Equality up to 1e-12 of the larger magnitude would be equality with infinity."""
    ray = Region((Interval(0.4, math.inf, False, False),))
    assert ray.contains(0.5, tolerant=True)
    assert not ray.contains(0.4 + 1e-16, tolerant=True)
    assert Region((Interval(-math.inf, 0.4, False, True),)).contains(0.4 + 1e-16, tolerant=True)


NEVER_REACHED = """
policy p
feature x : number [0 .. 10]
feature y : number [0 .. 10]
derived difference = x - y
decision d : { a, b }
  rule first: if x >= 0 then a
  rule later: if difference >= 4 then b
"""


@pytest.mark.parametrize("condition", ["difference >= 4", "difference > 4", "x < 0 or difference >= 4"])
def test_a_rule_that_the_row_never_came_to_is_explained_with_values_nobody_has_computed(condition: str) -> None:
    policy = decisionflow.parse_policy(NEVER_REACHED.replace("difference >= 4", condition))
    found = policy.explain({"x": 6.0, "y": 3.0}, rule="later")
    # x - y is 3: one short of 4 along either feature
    assert found.rule_contributions.to_dict() == pytest.approx({"x": -0.9, "y": -0.9})
    assert found.to_dict()["conditions"][-1]["truth"] == "false"


@pytest.mark.parametrize("condition", ["x is missing and x > 5 and x < 8", "x > 5 and x is missing and x < 8"])
@pytest.mark.parametrize("value", [None, 6.0])
def test_a_rule_that_wants_a_value_both_missing_and_within_bounds_never_holds(condition: str, value: float) -> None:
    text = f"policy p feature x : number [0 .. 10] optional decision d : {{ a, b }} rule r: if {condition} then a"
    found = decisionflow.parse_policy(text).explain({"x": value}, rule="r").to_dict()
    assert found["never_holds"] == ["x"]
    assert found["rule_contributions"].get("x", 0.0) == 0.0


@pytest.mark.parametrize(("comparison", "expected"), [(">=", 1.0), ("<=", 1.0), (">", -1.0), ("<", -1.0)])
def test_a_row_on_the_boundary_of_a_half_space_lies_on_it_along_each_feature(comparison: str, expected: float) -> None:
    """(5 - 4.55) / 1.5 is not 0.3 in floating point, but the policy says that both sides are equal (law 1)."""
    text = "policy p feature x : number [0 .. 10] feature y : number [0 .. 10] decision d : { a, b } "
    policy = decisionflow.parse_policy(text + f"rule r: if x {comparison} -1.5 * y + 5 then a otherwise b")
    found = policy.explain({"x": 4.55, "y": 0.3}, rule="r")
    assert found.rule_contributions.to_dict() == {"x": expected, "y": expected}
    assert policy.explain({"x": 4.55, "y": 0.3}).found.outcome.rule == ("r" if expected > 0 else "otherwise")


@pytest.mark.parametrize("condition", ["x >= 0.1 + 0.2", "2 * x <= 0.6", "x + 0.7 in [1 .. 2]", "not (x < 0.1 * 3)"])
def test_a_computed_threshold_is_met_as_the_policy_meets_it(condition: str) -> None:
    text = "policy p feature x : number [0 .. 1] decision d : { a, b } "
    found = decisionflow.parse_policy(text + f"rule r: if {condition} then a otherwise b").explain({"x": 0.3})
    assert found.found.outcome.rule == "r"
    assert found.rule_contributions.to_dict() == {"x": 1.0}


@pytest.mark.parametrize(
    "condition", ["when is present and when >= 2026-01-11", "when >= 2026-01-11 and when is present"]
)
def test_a_date_that_has_to_be_there_is_measured_in_days(condition: str) -> None:
    text = "policy p feature when : date optional decision d : { a, b } "
    background = pd.DataFrame({"when": pd.to_datetime(["2026-01-01", "2026-01-21"])})
    policy = decisionflow.parse_policy(text + f"rule r: if {condition} then a otherwise b")
    found = policy.explain({"when": "2026-01-09"}, background=background, rule="r")
    assert found.rule_contributions.to_dict() == pytest.approx({"when": -0.9})


def test_a_contribution_of_zero_has_no_sign() -> None:
    text = "policy p feature x : number [0 .. 1] decision d : { a, b } rule r: if x > 5 then a otherwise b"
    assert '"x": 0.0' in decisionflow.parse_policy(text).explain({"x": 0.5}).to_json()


def test_the_nearest_alternative_may_be_one_that_cannot_be_told() -> None:
    """What cannot be told is not violated and adds nothing to the distance: what is missing stands in the way."""
    text = "policy p feature x : number [0 .. 1] optional feature y : number [0 .. 1] decision d : { a, b } "
    text += "rule r: if y > 0.9 or x > 0.5 and y > 0.2 then a otherwise b"
    found = decisionflow.parse_policy(text).explain({"x": None, "y": 0.5})
    assert found.to_dict()["unknown"] == ["x"]
    assert found.rule_contributions.to_dict() == pytest.approx({"y": 0.7})


def test_the_value_of_every_attributed_variable_is_shown() -> None:
    text = """policy p
feature x : number [0 .. 10]
feature secret : number [0 .. 10] sensitive
decision l : ( rate : number [0 .. 1], lim : number )
  rule high: if x > 5 then ( rate = 50%, lim = 10 )
  otherwise ( rate = 10%, lim = 1 )
decision d : { a, b }
  rule r: if l.rate > 0.2 and x * x > 4 and secret * secret > 4 and x + 1 > 2 then a
  otherwise b
"""
    rows = [{"x": 3.0, "secret": 5.0}, {"x": 8.0, "secret": 1.0}]
    found = decisionflow.parse_policy(text).explain(rows, decision="d").to_dict()
    assert {name: part["value"] for name, part in found["derived"].items()} == {
        "l.rate": 0.1,
        "x * x": 9.0,
        "secret * secret": "***",
    }


def test_a_background_without_a_value_is_told_from_none() -> None:
    text = "policy p feature x : number optional decision d : { a, b } rule r: if x > 3 then a otherwise b"
    with pytest.raises(decisionflow.DataError, match="no background row has a value for it"):
        decisionflow.parse_policy(text).explain({"x": 1.0}, background=[{"x": None}, {"x": None}])


LINEAR_BEHIND = """policy p
feature x : number [0 .. 10] optional
feature w : number [0 .. 10]
derived sum = x + w
decision y : { a, b }
  rule r: if sum > 3 then a
  otherwise b
decision z : { c, d }
  rule s: if y = LABEL then c
  otherwise d
"""


def test_a_linear_value_without_any_in_the_background_counts_as_zero_there() -> None:
    text = LINEAR_BEHIND.replace("LABEL", "a")
    background = [{"x": None, "w": 1.0}, {"x": None, "w": 2.0}]
    found = decisionflow.parse_policy(text).explain({"x": 4.0, "w": 1.0}, background=background, decision="z")
    part = found.to_dict()["derived"]["sum"]
    # without x the sum is zero, with x alone 5 or 6, with both 5
    assert part["attribution"] == "enumeration"
    assert (part["base"], part["phi"]) == (0.0, pytest.approx({"x": 5.25, "w": -0.25}))


def test_a_linear_value_that_misses_a_part_at_the_row_counts_as_zero_there() -> None:
    text = LINEAR_BEHIND.replace("LABEL", "b")
    background = [{"x": 1.0, "w": 3.0}, {"x": 3.0, "w": 2.0}]
    found = decisionflow.parse_policy(text).explain(
        {"x": None, "w": 1.0}, background=background, decision="z", categories="uniform"
    )
    part = found.to_dict()["derived"]["sum"]
    # with x the sum is zero, with w alone 2 or 4, with neither 4 or 5
    assert (part["base"], part["phi"]) == (4.5, pytest.approx({"x": -3.75, "w": -0.75}))
    assert found.contributions.to_dict() == pytest.approx({"x": 0.5 * 3.75 / 4.5, "w": 0.5 * 0.75 / 4.5})


def test_a_model_that_could_not_run_and_was_not_needed_has_no_part() -> None:
    text = """policy p
feature a : number [0 .. 10]
feature b : number optional
model m : number using b
decision y : { u, v }
  rule r1: if a > 5 then u
  rule r2: if m > 0.5 then u
  otherwise v
decision z : { c, d }
  rule s: if y = u then c
  otherwise d
"""
    policy = decisionflow.parse_policy(text, models={"m": lambda rows: rows["b"]})
    background = [{"a": 1.0, "b": 0.0}, {"a": 3.0, "b": 1.0}]
    row = {"a": 9.0, "b": None}
    found = policy.explain(row, background=background, decision="z", categories="uniform")
    assert found.contributions.to_dict() == {"a": 0.5}
    assert found.to_dict()["derived"]["y"]["phi"] == {"a": 0.5, "m": 0.0}
    assert found.contributions.sum() == found.rule_contributions.sum()
