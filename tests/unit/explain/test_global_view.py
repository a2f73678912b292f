"""The overview of a data set, on rows that can be counted by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import decisionflow
from decisionflow.errors import DataError, UnknownNameError
from decisionflow.render.pictures.beeswarm import ranks, spread
from decisionflow.render.pictures.drawing import picture_bytes

POLICY = """policy demo
feature age    : integer [0 .. 100]
feature income : number [0 .. 1_000]
feature job    : { employed, student } optional
feature secret : integer [0 .. 9] sensitive
decision outcome : { yes, no }
  rule young: if age < 20 then no
  rule poor:  if income in [0 .. 200) and secret >= 0 then no
  otherwise yes
"""
ROWS = [
    {"age": 10, "income": 100.0, "job": "student", "secret": 1},
    {"age": 18, "income": 900.0, "job": "student", "secret": 1},
    {"age": 40, "income": 150.0, "job": "employed", "secret": 2},
    {"age": 50, "income": 230.0, "job": "employed", "secret": 3},
    {"age": 60, "income": 800.0, "job": None, "secret": 4},
]


def overview(**asked: Any) -> dict[str, Any]:
    return decisionflow.parse_policy(POLICY).overview(ROWS, **asked).to_dict()


def test_rules_are_counted_by_the_rows_that_came_to_them() -> None:
    found = overview()
    assert found["outcomes"] == {"no": 3, "yes": 2}
    assert [(load["rule"], load["reached"], load["fired"]) for load in found["rules"]] == [
        ("young", 5, 2),
        ("poor", 3, 1),
        ("otherwise", 2, 2),
    ]


def test_near_is_within_five_percent_of_the_domain() -> None:
    """Of the ages only 18 is within 5 of 20; of the incomes 150 and 230 are within 50 of 200, none of 0."""
    found = {(load["condition"], place): load for place, load in enumerate(overview()["boundaries"])}
    shares = [(condition, load["near"], load["scale"], load["rows"]) for (condition, _), load in found.items()]
    assert shares[:3] == [("age < 20", 0.2, 100.0, 5), (shares[1][0], 0.0, 1000.0, 5), (shares[1][0], 0.4, 1000.0, 5)]


def test_features_and_segments_are_means_of_the_rows_own_contributions() -> None:
    policy = decisionflow.parse_policy(POLICY)
    each = [policy.explain(ROWS, row=row).contributions for row in range(len(ROWS))]
    found = overview(by="job")
    sizes = {load["feature"]: load["mean_size"] for load in found["features"]}
    for name in ("age", "income"):
        assert sizes[name] == pytest.approx(np.mean([abs(one.get(name, 0.0)) for one in each]))
    assert list(found["segments"]) == ["employed", "student", "no value"]
    students = {load["feature"]: load["mean"] for load in found["segments"]["student"]}
    assert students["age"] == pytest.approx(np.mean([one.get("age", 0.0) for one in each[:2]]))


def test_a_sample_is_drawn_by_its_seed_and_said() -> None:
    assert overview(sample=3, seed=5) == overview(sample=3, seed=5)
    assert overview(sample=3)["settings"]["rows_explained"] == 3


@pytest.mark.parametrize(("by", "error"), [("jobs", UnknownNameError), ("secret", DataError)])
def test_a_group_that_is_none_is_refused(by: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        overview(by=by)


def test_the_text_and_the_beeswarm_come_out_the_same_again() -> None:
    policy = decisionflow.parse_policy(POLICY)
    first, second = policy.overview(ROWS, by="job"), policy.overview(ROWS, by="job")
    assert str(first) == str(second)
    assert "young" in str(first)
    assert picture_bytes(first.plot(), "svg") == picture_bytes(second.plot(), "svg")


def test_dots_of_like_amounts_stand_apart_and_colours_are_ranks() -> None:
    assert len(set(spread(np.zeros(5)).tolist())) == 5
    assert ranks(np.array([3.0, 1.0, np.nan, 2.0])).tolist() == [1.0, 0.0, 0.5, 0.5]
