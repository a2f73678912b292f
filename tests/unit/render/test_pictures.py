"""Pictures: what they draw, and that the same call gives the same bytes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import decisionflow
from decisionflow.api.explanation import Explanation
from decisionflow.errors import DataError
from decisionflow.explain.decision_grid import decision_grid
from decisionflow.render.pictures.drawing import picture_bytes
from decisionflow.render.pictures.waterfall import waterfall_steps

POLICY = """policy demo
feature income : number [0 .. 1_000]
feature debt   : number [0 .. 1_000]
feature plan   : { "a$b", "<i>" }
feature secret : number [0 .. 10] sensitive
decision outcome : { approve, decline }
  rule burden: if debt > 0.5 * income or (plan = "<i>" and secret > 5) then decline
  otherwise approve
"""


def explained(**values: Any) -> Explanation:
    return decisionflow.parse_policy(POLICY).explain(
        {"income": 500.0, "debt": 300.0, "plan": "a$b", "secret": 1.0} | values
    )


def test_a_waterfall_ends_at_the_sum_of_the_contributions() -> None:
    found = explained()
    steps = waterfall_steps(found.found)
    assert [label for label, _ in steps] == ["debt = 300", "income = 500"]
    assert [amount for _, amount in steps] == pytest.approx([0.95, 0.9])
    assert sum(amount for _, amount in steps) == pytest.approx(found.contributions.sum())


@pytest.mark.parametrize("kind", ["bars", "waterfall", "map"])
@pytest.mark.parametrize("form", ["png", "svg"])
def test_every_picture_comes_out_the_same_again(kind: str, form: Any) -> None:
    found = explained()
    first = picture_bytes(found.plot(kind), form)
    assert first == picture_bytes(explained().plot(kind), form)
    assert first.startswith(b"\x89PNG" if form == "png" else b"<?xml")
    assert form == "png" or b"<script" not in first


def test_a_map_is_the_decision_at_every_place() -> None:
    found = explained()
    assert found.asked is not None
    grid = decision_grid(found.asked.smace, found.asked.row, found.found, ("income", "debt"))
    assert grid.outcomes == ("approve", "decline")
    wide, high = np.meshgrid(grid.x.places, grid.y.places)
    sure = np.abs(high - 0.5 * wide) > 1e-6
    assert ((high > 0.5 * wide) == (grid.answers == 1))[sure].all()
    assert (grid.x.here, grid.y.here) == (500.0, 300.0)


def test_labels_are_places_of_a_map_and_its_axes_are_named() -> None:
    figure = explained(secret=9.0).plot("map", ("plan", "income"))
    axes = figure.axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("plan", "income")
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["a$b", "<i>"]
    assert {"approve", "decline"} <= {text.get_text() for text in axes.texts}


def test_the_mark_of_the_row_lies_on_no_name() -> None:
    names = {text.get_text(): text.get_position() for text in explained().plot("map").axes[0].texts}
    x, y = names["decline"]
    here = explained(income=x, debt=y).plot("map")
    moved = {text.get_text(): text.get_position() for text in here.axes[0].texts}
    assert abs(moved["decline"][0] - x) >= 200 or abs(moved["decline"][1] - y) >= 70
    assert moved["decline"][1] > 0.5 * moved["decline"][0]
    assert moved["approve"] == names["approve"]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"kind": "pie"}, "no picture `pie`"),
        ({"kind": "map", "features": ["income"]}, "two features"),
        ({"kind": "map", "features": ["income", "dept"]}, "did you mean `debt`"),
        ({"kind": "map", "features": ["income", "secret"]}, "sensitive"),
    ],
)
def test_what_cannot_be_drawn_says_why(asked: dict[str, Any], message: str) -> None:
    with pytest.raises((DataError, LookupError, decisionflow.DecisionFlowError), match=message):
        explained().plot(**asked)
