"""Anchors: counted ones against naming every set of conditions, sampled ones against the known precision."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from scipy.stats import binom

from decisionflow.explain.anchor_precision import AnchorSearch
from decisionflow.explain.anchor_search import enumerated_anchor, sampled_anchor
from decisionflow.explain.share_bounds import clopper_pearson, divergence, kl_bounds

BITS = np.array(list(product([False, True], repeat=6)))  # every row of six features, all of them false at the row
MASKS = ~BITS.T  # candidate j: feature j is as at the row


def counted_anchor(masks, agrees, search=None):
    """The anchor over rows of which those that a set does not cover count for nothing."""

    def under(sets):
        covers = [masks[list(conditions)].all(axis=0) for conditions in sets]
        return [agrees[covered] for covered in covers]

    return enumerated_anchor(masks, under, search)


def test_the_conditions_that_decide_are_the_anchor():
    agrees = ~(BITS[:, 1] | BITS[:, 4])
    anchor = counted_anchor(MASKS, agrees, AnchorSearch(precision=1.0))
    assert anchor.conditions == (1, 4)
    assert anchor.coverage == 1 / 4
    assert (anchor.precision.share, anchor.precision.rows, anchor.precision.certain) == (1.0, 16, True)
    assert anchor.exact


def test_without_conditions_where_nearly_every_row_is_decided_alike():
    agrees = np.ones(64, dtype=bool)
    agrees[:3] = False
    anchor = counted_anchor(MASKS, agrees)
    assert anchor.conditions == ()
    assert (anchor.precision.share, anchor.coverage) == (61 / 64, 1.0)


def test_a_precision_of_exactly_the_one_asked_for_is_enough():
    agrees = ~BITS[:, 0] | BITS[:, 1]
    assert counted_anchor(MASKS, agrees, AnchorSearch(precision=0.75)).conditions == ()
    assert counted_anchor(MASKS, agrees, AnchorSearch(precision=0.76)).conditions == (0,)


def test_no_set_is_precise_enough():
    agrees = np.arange(64) % 2 == 0  # the last feature decides, and its condition is not among the candidates
    anchor = counted_anchor(MASKS[:5], agrees)
    assert not anchor.precision.certain
    assert anchor.precision.share == 0.5
    assert counted_anchor(MASKS, agrees, AnchorSearch(max_conditions=0)).conditions == ()


def widest(masks, agrees, precision):
    """The largest coverage of a set that is precise enough, named one by one."""
    coverages = [0.0]
    for size in range(len(masks) + 1):
        for conditions in combinations(range(len(masks)), size):
            covered = masks[list(conditions)].all(axis=0)
            if covered.any() and agrees[covered].mean() >= precision:
                coverages.append(covered.mean())
    return max(coverages)


def test_with_a_beam_that_holds_every_set_no_wider_anchor_exists():
    rng = np.random.default_rng(0)
    for _ in range(60):
        rows, candidates = int(rng.integers(5, 60)), int(rng.integers(1, 7))
        masks = rng.random((candidates, rows)) < rng.uniform(0.3, 0.9)
        masks[:, 0] = True  # the row itself
        agrees = rng.random(rows) < 0.6
        agrees[0] = True
        anchor = counted_anchor(masks, agrees, AnchorSearch(precision=0.9, beam=64))
        assert (anchor.coverage if anchor.precision.certain else 0.0) == widest(masks, agrees, 0.9)


def drawing(share_of):
    """Rows that agree with the probability that the set of conditions has."""
    return lambda sets, count, rng: [rng.random(count) < share_of(conditions) for conditions in sets]


def test_a_sampled_anchor_is_the_one_whose_precision_is_enough():
    draw = drawing(lambda conditions: 0.99 if {1, 4} <= set(conditions) else 0.6 + 0.1 * (1 in conditions))
    anchor = sampled_anchor(MASKS, draw, AnchorSearch(precision=0.95), seed=1)
    assert anchor.conditions == (1, 4)
    assert anchor.precision.certain
    assert anchor.precision.low >= 0.95
    assert anchor.precision.low <= anchor.precision.share <= anchor.precision.high
    assert not anchor.exact
    assert anchor == sampled_anchor(MASKS, draw, AnchorSearch(precision=0.95), seed=1)


def test_sampled_rows_that_are_never_enough_give_no_certain_anchor():
    anchor = sampled_anchor(MASKS[:3], drawing(lambda _: 0.8), AnchorSearch(draws=800), seed=0)
    assert not anchor.precision.certain
    assert anchor.precision.high < 0.95


def test_a_precision_just_short_of_enough_is_seldom_called_certain():
    search = AnchorSearch(precision=0.9, delta=0.2, max_conditions=1, draws=800)
    wrong = sum(
        sampled_anchor(MASKS[:2], drawing(lambda _: 0.895), search, seed=seed).precision.certain for seed in range(100)
    )
    assert wrong <= binom.ppf(0.999, 100, 0.2)  # far fewer in truth: the bounds of all tests hold together


def test_bounds_of_shares():
    low, high = clopper_pearson(8, 10, 0.025)
    assert binom.sf(7, 10, low) == pytest.approx(0.025)
    assert binom.cdf(8, 10, high) == pytest.approx(0.025)
    assert clopper_pearson(0, 10, 0.05)[0] == 0.0
    assert clopper_pearson(10, 10, 0.05) == (pytest.approx(0.05**0.1), 1.0)
    half, quarter = np.array([0.5, 1.0]), np.array([0.25, 0.5])
    assert divergence(half, quarter) == pytest.approx([0.5 * np.log(2) + 0.5 * np.log(2 / 3), np.log(2)])
    for side in (-1, 1):
        assert divergence(np.array([0.7]), kl_bounds(np.array([0.7]), np.array([0.05]), side)) == pytest.approx(0.05)
    assert kl_bounds(np.ones(1), np.array([0.1]), +1).tolist() == [1.0]
    assert kl_bounds(np.array([1.0, 0.0]), np.array([0.1, 0.1]), -1) == pytest.approx([np.exp(-0.1), 0.0])


def test_an_anchor_loses_the_condition_that_led_to_it_but_is_not_needed():
    # alone, candidate 0 is the most precise; with 1 and 2, which decide, it is not needed
    rows = np.array(list(product([0, 1], [0, 1], [0, 1])) * 2, dtype=bool)
    masks = rows.T.copy()
    agrees = (rows[:, 1] & rows[:, 2]) | (rows[:, 0] & (np.arange(16) >= 8))
    anchor = counted_anchor(masks, agrees, AnchorSearch(precision=1.0, beam=1))
    assert anchor.conditions == (1, 2)
    assert anchor.coverage == 1 / 4
