"""Background rows under conditions, and anchors that are counted or drawn from them."""

from __future__ import annotations

import numpy as np
import pytest

from decisionflow.explain.anchor_precision import AnchorSearch
from decisionflow.explain.anchor_search import enumerated_anchor, sampled_anchor
from decisionflow.explain.perturbation import Candidates, drawing, enumeration, masks_of, with_conditions

AGE, DEBT, INCOME = range(3)
BACKGROUND = np.array([[19, 900, 1000], [30, 100, 1000], [50, 100, 200], [70, 900, 1000]])
ROW = np.array([40, 800, 1000])
HOLDS = (
    lambda rows: rows[:, AGE] >= 21,
    lambda rows: rows[:, DEBT] > 0.4 * rows[:, INCOME],
    lambda rows: rows[:, INCOME] >= 500,
)
CANDIDATES = Candidates(
    [(AGE,), (DEBT, INCOME), (INCOME,)], lambda rows, places: np.array([HOLDS[place](rows) for place in places])
)


def test_a_row_keeps_its_values_where_it_satisfies_the_conditions():
    changed = with_conditions(BACKGROUND, ROW, CANDIDATES, [(0, 1)])
    assert changed.tolist() == [[40, 900, 1000], [30, 800, 1000], [50, 100, 200], [70, 900, 1000]]
    assert (with_conditions(BACKGROUND, ROW, CANDIDATES, [()]) == BACKGROUND).all()


def test_conditions_that_share_a_column_all_hold_at_the_end():
    changed = with_conditions(BACKGROUND, ROW, CANDIDATES, [(1, 2)])
    assert masks_of(CANDIDATES, changed)[[1, 2]].all()
    assert changed[2].tolist() == [50, 800, 1000]  # a new income broke the debt's share


def test_a_condition_that_the_row_itself_breaks_is_refused():
    with pytest.raises(ValueError, match="not true of the row explained"):
        with_conditions(BACKGROUND, np.array([18, 800, 1000]), CANDIDATES, [(0,)])


def declined(rows):
    return (rows[:, AGE] >= 21) & (rows[:, DEBT] > 0.4 * rows[:, INCOME])


def test_precision_counted_over_the_whole_background():
    under = enumeration(BACKGROUND, ROW, CANDIDATES, declined)
    masks = masks_of(CANDIDATES, BACKGROUND)
    anchor = enumerated_anchor(masks, under, AnchorSearch(precision=1.0))
    assert anchor.conditions == (0, 1)
    assert anchor.coverage == 2 / 4  # the rows of 50 and 70 years
    assert (anchor.precision.share, anchor.precision.rows, anchor.exact) == (1.0, 4, True)
    assert enumerated_anchor(masks, under, AnchorSearch(precision=0.75)).conditions == (0,)  # 19, 50, 70 of 4


def test_precision_drawn_agrees_with_precision_counted():
    draw = drawing(BACKGROUND, ROW, CANDIDATES, declined)
    agreed, of_all = draw([(0,), ()], 4_000, np.random.default_rng(0))
    assert agreed.mean() == pytest.approx(0.75, abs=0.03)
    assert of_all.mean() == pytest.approx(0.5, abs=0.03)
    anchor = sampled_anchor(masks_of(CANDIDATES, BACKGROUND), draw, AnchorSearch(draws=1_000))
    assert anchor.conditions == (0, 1)
    assert anchor.precision.certain


def test_each_different_row_is_decided_once_in_a_call():
    asked = []

    def counted(rows):
        asked.append(len(rows))
        return declined(rows)

    under = enumeration(np.repeat(BACKGROUND, 3, axis=0), ROW, CANDIDATES, counted)
    agreed = under([(0,), (0, 1)])
    assert asked == [5]  # four rows, and the one of 30 years with the debt of the row explained
    assert [one.tolist() for one in agreed] == [[True] * 3 + [False] * 3 + [True] * 6, [True] * 12]


def test_many_rows_are_decided_in_several_calls():
    calls = []

    def counted(rows):
        calls.append(len(rows))
        return declined(rows)

    background = np.column_stack([np.arange(15_000), np.full(15_000, 900), np.full(15_000, 1000)])
    agreed = enumeration(background, ROW, CANDIDATES, counted)([(), (0,)])
    assert len(calls) == 2
    assert [int(one.sum()) for one in agreed] == [14_979, 15_000]


def test_conditions_are_asked_about_the_rows_of_many_sets_at_once():
    asked = []

    def holds(rows, places):
        asked.append((len(rows), list(places)))
        return CANDIDATES.holds(rows, places)

    rows = np.concatenate([BACKGROUND] * 3)
    changed = with_conditions(rows, ROW, Candidates(CANDIDATES.columns, holds), [(0,), (1,), (0, 1)])
    assert asked == [(12, [0, 1]), (4, [0, 1])]  # all, then those that changed: two for their age, two for their debt
    alone = [with_conditions(BACKGROUND, ROW, CANDIDATES, [one]) for one in [(0,), (1,), (0, 1)]]
    assert (changed == np.concatenate(alone)).all()
