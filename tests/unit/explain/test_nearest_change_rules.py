"""The nearest change through every construct of rules: exact, with figures worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

import decisionflow

Row = dict[str, Any]


def change(text: str, row: Row, **options: Any) -> dict[str, Any]:
    policy = decisionflow.parse_policy("policy demo\n" + text)
    return policy.explain([row], method="change", today="2026-01-01", **options).to_dict()["nearest_change"]


def answer(found: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    return found["status"], {each["feature"]: each["to"] for each in found["changes"]}


TWO = "feature x : integer [0 .. 9]\nfeature y : integer [0 .. 9]\n"


class TestDecisionsThatOthersRead:
    @pytest.mark.parametrize("hit", ["first", "unique", "any", "priority"])
    def test_under_every_hit_policy(self, hit: str) -> None:
        text = f"""{TWO}
decision grade : {{ good, bad }} {hit}
  rule low: if x <= 4 then good
  rule some: if x in [3 .. 6] and y > 8 then good
  rule odd: if x >= 3 and y <= 8 then bad
decision d : {{ yes, no }}
  rule r: if grade = bad or grade is missing then yes
  otherwise no
"""
        assert answer(change(text, {"x": 0, "y": 5}, decision="d", why_not="yes")) == ("optimal", {"x": 5})

    @pytest.mark.parametrize("hit", ["unique", "any", "priority"])
    def test_an_undecided_one_is_missing(self, hit: str) -> None:
        text = f"""{TWO}
decision grade : {{ good, bad }} {hit}
  rule low: if x < 4 then good
  rule high: if x > 6 then bad
decision d : {{ yes, no }}
  rule r: if grade is missing then yes
  otherwise no
"""
        assert answer(change(text, {"x": 1, "y": 5}, decision="d", why_not="yes")) == ("optimal", {"x": 4})

    def test_a_conflict_is_no_answer(self) -> None:
        text = f"""{TWO}
decision grade : {{ good, bad }} unique
  rule low: if x < 4 then good
  rule other: if x in [2 .. 6] then bad
decision d : {{ yes, no }}
  rule r: if grade = bad then yes
  otherwise no
"""
        assert answer(change(text, {"x": 1, "y": 5}, decision="d", why_not="yes")) == ("optimal", {"x": 4})

    def test_an_outcome_outside_of_the_domain_is_an_error(self) -> None:
        text = f"""{TWO}
decision limit : integer [0 .. 60] = 10 * x
decision d : {{ yes, no }}
  rule r: if y > 8 then no
  rule s: if limit > 40 or y = 0 then yes
  otherwise no
"""
        assert answer(change(text, {"x": 9, "y": 5}, decision="d", why_not="yes")) == ("optimal", {"x": 6})

    def test_a_record_with_a_missing_part_is_missing(self) -> None:
        text = """feature x : integer [0 .. 9]
feature z : integer [0 .. 9] optional
decision offer : ( rate : number, fee : number )
  rule a: if x > 6 then ( rate = 1, fee = 2 )
  rule b: if x > 2 then ( rate = 1, fee = z )
decision d : { yes, no }
  rule r: if offer.rate = 1 then yes
  otherwise no
"""
        assert answer(change(text, {"x": 1, "z": None}, decision="d", why_not="yes")) == ("optimal", {"x": 7})


class TestCollecting:
    RULES = """
  rule one: if x >= 3 then 10
  rule two: if x >= 6 then 20
  rule three: if y >= 5 then 30
"""

    @pytest.mark.parametrize(
        ("how", "wanted", "to"),
        [
            ("sum", 30, {"y": 5}),
            ("sum", 60, {"x": 6, "y": 5}),
            ("count", 2, {"x": 6}),
            ("count", 1, {"x": 3}),
            ("min", 10, {"x": 3}),
            ("max", 20, {"x": 6}),
            ("max", 30, {"y": 5}),
        ],
    )
    def test_is_exact(self, how: str, wanted: int, to: Row) -> None:
        text = f"{TWO}\ndecision d : integer collect {how}{self.RULES}"
        assert answer(change(text, {"x": 0, "y": 0}, why_not=wanted)) == ("optimal", to)

    def test_a_list(self) -> None:
        text = f"{TWO}\ndecision d : integer collect{self.RULES}"
        assert answer(change(text, {"x": 7, "y": 0})) == ("optimal", {"x": 5})

    def test_a_score_card_that_another_decision_reads(self) -> None:
        text = f"""{TWO}
decision score : integer collect sum{self.RULES}
decision d : {{ yes, no }}
  rule r: if score >= 40 then yes
  otherwise no
"""
        assert answer(change(text, {"x": 0, "y": 4}, decision="d", why_not="yes")) == ("optimal", {"x": 3, "y": 5})

    def test_points_that_are_computed(self) -> None:
        text = f"""{TWO}
decision d : integer collect sum
  rule one: if x >= 3 then 2 * x
  rule two: if y >= 5 then 7
"""
        assert answer(change(text, {"x": 0, "y": 0}, why_not=13)) == ("optimal", {"x": 3, "y": 5})

    def test_computed_outcomes_have_to_agree(self) -> None:
        text = f"""{TWO}
decision d : integer any
  rule one: if x >= 3 then x
  rule two: if y >= 5 then y
"""
        assert answer(change(text, {"x": 0, "y": 5}, why_not=6)) == ("optimal", {"y": 6})
        assert answer(change(text, {"x": 4, "y": 5}, why_not=4)) == ("optimal", {"y": 4})


class TestFunctions:
    @pytest.mark.parametrize(
        ("condition", "row", "to"),
        [
            ("x * x >= 17", {"x": 1}, {"x": 5}),
            ("x * x - 6 * x < -8", {"x": 0}, {"x": 3}),
            ("sqrt(x) >= 2", {"x": 1}, {"x": 4}),
            ("sqrt(n) >= 1.5", {"n": 1.0}, {"n": 2.25}),
            ("sqrt(n - 3) < 2", {"n": 1.0}, {"n": 3.0}),
            ("log(n) <= 0", {"n": 9.0}, {"n": 1.0}),
            ("min(n / x, 1) <= 0.5", {"n": 8.0, "x": 8}, {"n": 4.0}),
            ("abs(n / x - 1) <= 0.5", {"n": 9.0, "x": 3}, {"n": 4.5}),
        ],
    )
    def test_are_opened(self, condition: str, row: Row, to: Row) -> None:
        text = f"""feature x : integer [0 .. 9] {"" if len(row) == 1 else "immutable"}
feature n : number [0 .. 10]
decision d : {{ yes, no }}
  rule r: if {condition} then yes
  otherwise no
"""
        status, found = answer(change(text, {"x": 0, "n": 0.0} | row, why_not="yes"))
        assert (status, found) == ("optimal", {name: pytest.approx(value) for name, value in to.items()})

    def test_a_root_of_what_is_negative_is_an_error(self) -> None:
        text = "feature n : number [-10 .. 2]\ndecision d : boolean = sqrt(n) >= 1.5\n"
        found = change(text, {"n": -1.0}, why_not=True)
        assert found["status"] == "impossible"


SUM = "feature a : integer [0 .. 5]\nfeature b : integer [0 .. 5]\ndecision d : boolean = a + b >= {}\n"


class TestTiesAndOtherAnswers:
    def test_the_fewest_features_then_the_first_declared(self) -> None:
        assert answer(change(SUM.format(6), {"a": 2, "b": 2}, why_not=True)) == ("optimal", {"a": 4})
        swapped = SUM.format(6).replace("feature a", "feature c").replace("feature b", "feature a")
        text = swapped.replace("feature c", "feature b")
        assert answer(change(text, {"a": 2, "b": 2}, why_not=True)) == ("optimal", {"b": 4})

    def test_other_answers_through_one_sum(self) -> None:
        found = change(SUM.format(6), {"a": 2, "b": 3}, why_not=True, answers=3)
        assert answer(found) == ("optimal", {"a": 3})
        assert [other["changes"] for other in found["others"]] == [[{"feature": "b", "from": 3, "to": 4}]]

    def test_other_answers_where_features_move_freely(self) -> None:
        text = SUM.format(6.5).replace("integer [0 .. 5]", "number [0 .. 10]")
        found = change(text, {"a": 2.0, "b": 3.0}, why_not=True, answers=3, weights={"b": 2.0})
        assert answer(found) == ("optimal", {"a": 3.5})
        assert [other["changes"] for other in found["others"]] == [[{"feature": "b", "from": 3.0, "to": 4.5}]]

    def test_at_most_one_feature_where_nothing_ends_the_others(self) -> None:
        text = """feature a : number
feature b : number
decision d : { yes, no }
  rule r: if a + b >= 4000 and a >= 900 then yes
  otherwise no
"""
        background = [{"a": 0.0, "b": 0.0}, {"a": 1000.0, "b": 100.0}]
        found = change(text, {"a": 0.0, "b": 0.0}, why_not="yes", max_features=1, background=background)
        assert answer(found) == ("optimal", {"a": 4000.0})


def test_a_feature_that_may_only_rise_rises_without_end() -> None:
    text = """feature a : number decreasing never
feature b : integer [0 .. 3]
decision d : boolean = a + b >= 20
"""
    background = [{"a": 0.0, "b": 0}, {"a": 1000.0, "b": 1}]
    found = change(text, {"a": 4.0, "b": 1}, why_not=True, background=background)
    assert answer(found) == ("optimal", {"a": 19.0})


class TestWhatForbids:
    TEXT = """feature x : integer [0 .. 9] optional
feature y : integer [0 .. 9] immutable
feature z : integer [0 .. 9]
decision d : { yes, no }
  rule r: if x > 3 and y > 3 and z > 3 then yes
  otherwise no
"""

    def test_a_value_that_is_missing(self) -> None:
        found = change(self.TEXT, {"x": None, "y": 5, "z": 5}, why_not="yes")
        assert (found["status"], found["because"]) == ("impossible", ["x"])

    def test_a_missing_value_and_an_immutable_one(self) -> None:
        found = change(self.TEXT, {"x": None, "y": 1, "z": 1}, why_not="yes")
        assert (found["status"], found["because"]) == ("impossible", ["x", "y"])

    def test_the_limit_on_their_number(self) -> None:
        found = change(self.TEXT, {"x": 1, "y": 5, "z": 1}, why_not="yes", max_features=1)
        assert (found["status"], found["because"], found["at_most"]) == ("impossible", None, 1)

    def test_the_limit_and_an_immutable_one(self) -> None:
        found = change(self.TEXT, {"x": 1, "y": 1, "z": 1}, why_not="yes", max_features=2)
        assert (found["status"], found["because"], found["at_most"]) == ("impossible", ["y"], 2)
