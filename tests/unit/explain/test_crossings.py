"""One variable at a time over its boundary, and the decision then."""

from __future__ import annotations

from typing import Any

import pytest

import decisionflow
from decisionflow.explain.crossings import Crossing

POLICY = """policy demo
feature age    : integer [18 .. 120]
feature income : number [0 .. 20_000] step 0.01
feature debt   : number [0 .. 20_000]
feature plan   : ordered { low, mid, high }
feature born   : date
feature note   : text optional
feature secret : number [0 .. 10] sensitive
derived ratio = if income > 0 then debt / income else 1
decision outcome : { approve, refer, decline }
  rule old:    if age > 65 and age <= 80 and secret > 3 then refer
  rule burden: if ratio > 40% and born >= 2000-01-01 then decline
  rule kind:   if plan >= mid and note is present then refer
  otherwise approve
"""


def crossed(rule: str, **values: Any) -> dict[str, Crossing]:
    row = {"age": 30, "income": 2000.0, "debt": 900.0, "plan": "mid", "born": "2000-01-01", "note": "", "secret": 5}
    background = [row, {**row, "debt": 100.0}]
    found = decisionflow.parse_policy(POLICY).explain(row | values, rule=rule, background=background)
    return {one.variable: one for one in found.crossings}


def test_an_open_end_is_reached_and_a_closed_one_is_passed_by_one() -> None:
    age = crossed("old", age=66)["age"]
    assert (age.boundary, age.distance, age.to, age.changes) == (65, 1.0, 65, True)
    assert age.outcome is not None
    assert age.outcome.rule == "burden"
    assert crossed("old", age=79)["age"].to == 81
    assert crossed("old", age=81)["age"].to == 80


def test_a_computed_value_is_set_to_its_boundary_and_the_rest_stays() -> None:
    ratio = crossed("burden")["ratio"]
    assert (ratio.value, ratio.boundary, ratio.to) == (0.45, 0.4, 0.4)
    assert ratio.distance == pytest.approx(0.05)
    assert ratio.outcome is not None
    assert ratio.outcome.rule == "otherwise"


def test_dates_move_by_days_and_labels_to_every_other_side() -> None:
    found = crossed("burden")["born"]
    assert (str(found.boundary), found.distance, str(found.to), found.changes) == (
        "2000-01-01",
        0.0,
        "1999-12-31",
        True,
    )
    found = crossed("kind", note="here", debt=0)["plan"]
    assert (found.boundary, found.to, found.changes) == (None, "low", True)


def test_being_there_is_crossed_by_being_missing() -> None:
    found = crossed("kind", note="here", debt=0)["note"]
    assert found.changes is True
    assert repr(found.to) == "MISSING"


def test_a_crossing_that_changes_nothing_says_so() -> None:
    assert crossed("old", age=64, secret=1)["age"].changes is False


def test_a_value_beyond_the_domain_cannot_be_tried() -> None:
    text = "policy p feature age : integer [18 .. 120] decision d : { a, b } rule r: if age >= 18 then a otherwise b"
    (found,) = decisionflow.parse_policy(text).explain({"age": 40}).crossings
    assert (found.to, found.outcome, found.changes, found.because) == (17, None, None, "its domain is [18 .. 120]")


def test_a_sensitive_value_is_masked_and_its_distance_hidden() -> None:
    found = crossed("old", age=66)["secret"]
    assert (found.value, found.boundary, found.distance) == ("***", 3, None)
    assert found.changes is True
