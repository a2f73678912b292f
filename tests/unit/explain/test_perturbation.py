"""Background rows under conditions, and anchors that are counted or drawn from them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from decisionflow.explain.anchor_precision import AnchorSearch
from decisionflow.explain.anchor_search import enumerated_anchor, sampled_anchor
from decisionflow.explain.perturbation import Candidate, drawing, enumeration, masks_of, with_conditions

BACKGROUND = pd.DataFrame({"age": [19, 30, 50, 70], "debt": [900, 100, 100, 900], "income": [1000, 1000, 200, 1000]})
ROW = {"age": 40, "debt": 800, "income": 1000}
ADULT = Candidate(("age",), lambda rows: (rows["age"] >= 21).to_numpy())
INDEBTED = Candidate(("debt", "income"), lambda rows: (rows["debt"] > 0.4 * rows["income"]).to_numpy())
EARNING = Candidate(("income",), lambda rows: (rows["income"] >= 500).to_numpy())
CANDIDATES = (ADULT, INDEBTED, EARNING)


def test_a_row_keeps_its_values_where_it_satisfies_the_conditions():
    changed = with_conditions(BACKGROUND, ROW, CANDIDATES, (0, 1))
    assert changed["age"].tolist() == [40, 30, 50, 70]
    assert changed["debt"].tolist() == [900, 800, 100, 900]
    assert changed["income"].tolist() == [1000, 1000, 200, 1000]
    pd.testing.assert_frame_equal(with_conditions(BACKGROUND, ROW, CANDIDATES, ()), BACKGROUND)


def test_conditions_that_share_a_column_all_hold_at_the_end():
    changed = with_conditions(BACKGROUND, ROW, CANDIDATES, (1, 2))
    assert masks_of(CANDIDATES, changed)[[1, 2]].all()
    assert changed.loc[2].to_dict() == {"age": 50, "debt": 800, "income": 1000}  # a new income broke the debt's share


def test_a_condition_that_the_row_itself_breaks_is_refused():
    with pytest.raises(ValueError, match="not true of the row explained"):
        with_conditions(BACKGROUND, ROW | {"age": 18}, CANDIDATES, (0,))


def declined(rows):
    return ((rows["age"] >= 21) & (rows["debt"] > 0.4 * rows["income"])).to_numpy()


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
    agreed = draw((0,), 4_000, np.random.default_rng(0))
    assert agreed.mean() == pytest.approx(0.75, abs=0.03)
    anchor = sampled_anchor(masks_of(CANDIDATES, BACKGROUND), draw, AnchorSearch(draws=1_000))
    assert anchor.conditions == (0, 1)
    assert anchor.precision.certain
