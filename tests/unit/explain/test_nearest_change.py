"""The nearest change: figures worked out by hand."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

import decisionflow
from decisionflow.errors import DataError, UnknownNameError

LIMITS = """
policy limits
feature age : integer [0 .. 120] immutable
feature dti : number [0 .. 1] increasing never
feature savings : number [0 .. 20000]
feature employment : { employed, self, none }
decision answer : { APPROVE, REFER, DECLINE }
  rule R1: if age < 21 then DECLINE
  rule R2: if dti > 0.40 then DECLINE
  rule R3: if savings < 500 and employment = none then REFER
  rule R4: if age >= 0 then APPROVE
"""
APPLICANTS = [
    {"age": 30, "dti": 0.46, "savings": 900, "employment": "employed"},
    {"age": 19, "dti": 0.20, "savings": 5000, "employment": "employed"},
    {"age": 40, "dti": 0.45, "savings": 100, "employment": "none"},
]


def change(text: str, rows: Any, row: int = 0, **options: Any) -> dict[str, Any]:
    data = rows if isinstance(rows, list) else [rows]
    policy = decisionflow.parse_policy(text)
    return policy.explain(data, row=row, method="change", **options).to_dict()["nearest_change"]


def targets(found: dict[str, Any]) -> dict[str, Any]:
    return {each["feature"]: each["to"] for each in found["changes"]}


def one(condition: str, feature: str, **row: Any) -> dict[str, Any]:
    """The change that makes a rule with this condition fire."""
    text = f"policy one\n{feature}\ndecision d : {{ yes, no }}\n  rule r: if {condition} then yes\n  otherwise no\n"
    return change(text, row, why_not="yes")


class TestLimits:
    def test_goes_down_to_the_limit_and_no_further(self) -> None:
        found = change(LIMITS, APPLICANTS, 0, why_not="APPROVE")
        assert found == {
            "to": "APPROVE",
            "status": "optimal",
            "cost": pytest.approx(0.06, abs=1e-12),
            "bound": pytest.approx(0.06, abs=1e-12),
            "because": None,
            "changes": [{"feature": "dti", "from": 0.46, "to": 0.4}],
            "decided": {"value": "APPROVE", "rule": "R4"},
            "others": [],
        }

    def test_says_that_age_forbids_it(self) -> None:
        found = change(LIMITS, APPLICANTS, 1, why_not="APPROVE")
        assert (found["status"], found["because"], found["changes"]) == ("impossible", ["age"], [])

    def test_one_repair_alone_is_not_enough(self) -> None:
        found = change(LIMITS, APPLICANTS, 2, why_not="APPROVE", answers=3)
        assert targets(found) == {"dti": 0.4, "savings": 500.0}
        assert [targets(other) for other in found["others"]] == [{"dti": 0.4, "employment": "employed"}]
        assert found["others"][0]["cost"] == pytest.approx(1.05)

    def test_any_other_outcome_where_none_is_named(self) -> None:
        found = change(LIMITS, APPLICANTS, 2)
        assert (found["to"], targets(found)) == ("REFER", {"dti": 0.4})

    def test_a_weight_makes_the_other_way_cheaper(self) -> None:
        found = change(LIMITS, APPLICANTS, 2, why_not="APPROVE", weights={"savings": 60.0})
        assert targets(found) == {"dti": 0.4, "employment": "employed"}

    def test_at_most_one_feature(self) -> None:
        found = change(LIMITS, APPLICANTS, 2, why_not="APPROVE", max_features=1)
        assert found["status"] == "impossible"

    def test_nothing_to_change(self) -> None:
        found = change(LIMITS, APPLICANTS, 0, why_not="DECLINE")
        assert (found["status"], found["cost"], found["changes"]) == ("optimal", 0.0, [])

    @pytest.mark.parametrize(
        ("options", "error"),
        [
            ({"weights": {"saving": 1.0}}, UnknownNameError),
            ({"weights": {"savings": 0.0}}, DataError),
            ({"max_features": 0}, DataError),
            ({"answers": 0}, DataError),
        ],
    )
    def test_refuses_what_cannot_be_meant(self, options: dict[str, Any], error: type[Exception]) -> None:
        with pytest.raises(error):
            change(LIMITS, APPLICANTS, 0, why_not="APPROVE", **options)


class TestExcludedEnds:
    @pytest.mark.parametrize(
        ("condition", "feature", "here", "there"),
        [
            ("x > 3", "feature x : integer [0 .. 9]", 1, 4),
            ("x > 0.40", "feature x : number [0 .. 1]", 0.2, 0.41),
            ("x > 40%", "feature x : number [0 .. 1]", 0.2, 0.41),
            ("x > 0.4", "feature x : number [0 .. 1] step 0.05", 0.2, 0.45),
            ("x < 5", "feature x : number [0.00 .. 10.00]", 7.0, 4.0),
            ("x < 2.50", "feature x : number [0 .. 10]", 7.0, 2.49),
            ("x > 1_000", "feature x : number [0 .. 5000]", 10.0, 1001.0),
            ("x >= 0.40", "feature x : number [0 .. 1]", 0.2, 0.4),
            ("x > limit", "feature x : number [0 .. 1]\nparameter limit = 40%", 0.2, 0.41),
            ("x > 0.3 and x < 0.4", "feature x : number [0 .. 1]", 0.1, 0.35),
            ("2 * x > 7", "feature x : integer [0 .. 9]", 1, 4),
            ("x != 0.5", "feature x : number [0 .. 1]", 0.5, 0.4),
        ],
    )
    def test_is_passed_by_one_step(self, condition: str, feature: str, here: Any, there: Any) -> None:
        assert targets(one(condition, feature, x=here)) == {"x": pytest.approx(there)}

    def test_a_day(self) -> None:
        found = one("x > 2026-03-01", "feature x : date [2026-01-01 .. 2026-12-31]", x=date(2026, 2, 1))
        assert targets(found) == {"x": "2026-03-02"}


class TestKinds:
    def test_months_are_counted_on_the_calendar(self) -> None:
        feature = "feature x : date [2020-01-01 .. 2026-12-31]\nderived held = months(x, today)"
        text = f"policy one\n{feature}\ndecision d : {{ yes, no }}\n  rule r: if held >= 12 then yes\n  otherwise no\n"
        found = change(
            text, {"x": "2026-05-10"}, why_not="yes", today="2026-11-29", background=[{"x": "2026-01-01"}] * 2
        )
        assert targets(found) == {"x": "2025-11-29"}

    def test_an_ordered_label_rises_only(self) -> None:
        feature = "feature x : ordered { low, mid, high } decreasing never"
        assert targets(one("x >= mid", feature, x="low")) == {"x": "mid"}
        assert one("x < mid", feature, x="high")["because"] == ["x"]

    def test_the_first_declared_of_equally_cheap_labels(self) -> None:
        assert targets(one("x != a", "feature x : { b, a, c }", x="a")) == {"x": "b"}

    def test_a_text_that_nobody_names(self) -> None:
        found = one('x != "a" and x != "other"', "feature x : text", x="a")
        assert targets(found) == {"x": "other_"}

    def test_a_missing_value_stays_missing(self) -> None:
        feature = "feature x : number [0 .. 10] optional\nfeature y : number [0 .. 10]"
        found = one("x > 3 or y > 8", feature, x=None, y=1.0)
        assert targets(found) == {"y": 9.0}

    def test_an_invalid_row_has_no_answer(self) -> None:
        assert one("x > 3", "feature x : integer [0 .. 9]", x=77)["status"] == "not found"

    def test_no_values_would_do(self) -> None:
        found = one("x > 3 and x < 2", "feature x : integer [0 .. 9]", x=5)
        assert (found["status"], found["because"]) == ("impossible", None)

    def test_two_features_forbid_it_together(self) -> None:
        feature = "feature x : integer [0 .. 9] immutable\nfeature y : integer [0 .. 9] immutable"
        assert one("x > 3 and y > 3", feature, x=1, y=1)["because"] == ["x", "y"]

    def test_asks_for_a_scale(self) -> None:
        with pytest.raises(DataError, match="declare a domain, or give background data"):
            one("x > 3", "feature x : number", x=1.0)

    def test_masks_what_is_sensitive(self) -> None:
        found = one("x > 3", "feature x : integer [0 .. 9] sensitive", x=1)
        assert (found["changes"][0]["from"] == 1, found["changes"][0]["to"]) == (False, 4)


RATIO = """
policy ratio
feature income : number [0 .. 10000]
feature debt : number [0 .. 10000] step 0.01
derived load = if income > 0 then debt / income else 1
decision d : { yes, no }
  rule heavy: if load > 40% then no
  otherwise yes
"""


class TestSeveralFeatures:
    def test_a_ratio_is_cleared_of_its_denominator(self) -> None:
        found = change(RATIO, {"income": 2000.0, "debt": 900.0}, why_not="yes")
        assert found["status"] == "optimal"
        assert targets(found) == {"debt": pytest.approx(800.0)}
        assert found["cost"] == pytest.approx(0.01)

    def test_whole_steps_stay_inside(self) -> None:
        found = change(RATIO, {"income": 1234.56, "debt": 900.0}, why_not="yes")
        assert targets(found) == {"debt": pytest.approx(493.82)}

    def test_the_other_feature_where_it_is_cheaper(self) -> None:
        found = change(RATIO, {"income": 2000.0, "debt": 900.0}, why_not="yes", weights={"debt": 10.0})
        assert targets(found) == {"income": pytest.approx(2250.0)}


class TestHitPolicies:
    def policy(self, hit: str) -> str:
        return f"""
policy hits
feature x : integer [0 .. 9]
decision d : {{ yes, no }} {hit}
  rule one: if x >= 3 then no
  rule two: if x in [2 .. 6] then yes
"""

    def test_unique_needs_the_rule_alone(self) -> None:
        assert targets(change(self.policy("unique"), {"x": 5}, why_not="yes")) == {"x": 2}

    def test_priority_takes_the_better_label(self) -> None:
        assert targets(change(self.policy("priority"), {"x": 8}, why_not="yes")) == {"x": 6}

    def test_any_needs_agreement(self) -> None:
        assert targets(change(self.policy("any"), {"x": 5}, why_not="no")) == {"x": 7}

    def test_first_takes_the_earlier_rule(self) -> None:
        assert targets(change(self.policy("first"), {"x": 5}, why_not="yes")) == {"x": 2}


CHAIN = """
policy chain
feature x : integer [0 .. 9]
decision grade : { good, bad }
  rule low: if x < 4 then bad
  otherwise good
decision limit : integer [0 .. 1000]
  table first
  | grade | x   || limit   |
  | bad   | -   || 0       |
  | good  | > 6 || 100 * x |
  | good  | -   || 100     |
"""


def test_decisions_that_feed_decisions() -> None:
    found = change(CHAIN, {"x": 2}, decision="limit", why_not=800)
    assert (targets(found), found["decided"]["value"]) == ({"x": 8}, 800)
    found = change(CHAIN, {"x": 2}, decision="limit", why_not=100)
    assert targets(found) == {"x": 4}


def test_what_cannot_be_opened_is_found_by_search() -> None:
    feature = "feature x : number [0 .. 10]\nfeature y : number [0 .. 10]"
    text = f"policy one\n{feature}\ndecision d : {{ yes, no }}\n  rule r: if x * y >= 20 then yes\n  otherwise no\n"
    found = change(text, {"x": 4.0, "y": 2.0}, why_not="yes", background=[{"x": 1.0, "y": 1.0}, {"x": 5.0, "y": 5.0}])
    assert found["status"] == "found"
    assert found["bound"] <= found["cost"] <= 0.30 + 1e-6


def test_the_same_call_gives_the_same_answer() -> None:
    first, second = (change(RATIO, {"income": 1777.0, "debt": 900.0}) for _ in range(2))
    assert first == second
