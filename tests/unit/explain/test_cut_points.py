"""Where numbers are cut, and which of them."""

from __future__ import annotations

import numpy as np
import pytest

from decisionflow.conditions.intervals import Interval
from decisionflow.explain.cut_points import Cut, bins_between, choose_cuts, cuts_of, quantile_cuts

VALUES = np.array([10.0, 20, 30, 40, 50, 60, np.nan])


def test_a_conditions_ends_are_its_cuts():
    assert cuts_of(Interval(high=21)) == (Cut(21),)  # x < 21
    assert cuts_of(Interval(high=21, high_closed=True)) == (Cut(21, below=True),)  # x <= 21
    assert cuts_of(Interval(low=21, low_closed=True)) == (Cut(21),)  # x >= 21
    assert cuts_of(Interval(low=21)) == (Cut(21, below=True),)  # x > 21
    assert cuts_of(Interval(21, 21, True, True)) == (Cut(21), Cut(21, below=True))  # x = 21
    assert cuts_of(Interval()) == ()


def test_the_nearest_thresholds_on_each_side_are_taken():
    thresholds = [Cut(point) for point in (12, 22, 32, 42, 52)]
    assert choose_cuts(35.0, thresholds, VALUES, each_side=1) == (Cut(32), Cut(42))
    assert choose_cuts(35.0, thresholds, VALUES, each_side=2) == (Cut(22), Cut(32), Cut(42), Cut(52))
    assert choose_cuts(5.0, thresholds, VALUES, each_side=2) == (Cut(12), Cut(22))


@pytest.mark.parametrize(("below", "side"), [(False, "left"), (True, "right")])
def test_a_value_on_a_threshold_lies_on_the_side_that_the_threshold_says(below, side):
    chosen = choose_cuts(30.0, [Cut(15), Cut(30, below), Cut(45)], VALUES, each_side=1)
    assert chosen == ((Cut(30), Cut(45)) if side == "left" else (Cut(15), Cut(30, True)))


def test_thresholds_that_part_no_values_are_not_near():
    assert choose_cuts(35.0, [Cut(10), Cut(60, below=True), Cut(99)], VALUES) == quantile_cuts(VALUES)


def test_without_thresholds_or_a_value_there_are_three_bins_of_equal_size():
    assert choose_cuts(35.0, [], VALUES) == (Cut(30), Cut(50))
    assert choose_cuts(np.nan, [Cut(42)], VALUES) == (Cut(30), Cut(50))


def test_repeated_values_give_fewer_bins():
    assert quantile_cuts(np.array([1.0, 1, 1, 1, 1, 2])) == ()
    assert quantile_cuts(np.array([0.0, 1, 1, 1, 1, 1])) == (Cut(1),)
    assert quantile_cuts(np.array([np.nan])) == ()


def test_the_bins_between_cuts_hold_every_number_once():
    bins = bins_between([Cut(3, below=True), Cut(3), Cut(7)])
    assert bins == (
        Interval(high=3),
        Interval(3, 3, True, True),
        Interval(3, 7),
        Interval(low=7, low_closed=True),
    )
    for number in (-1e9, 2.9, 3, 3.1, 6.9, 7, 1e9):
        assert sum(interval.contains(number) for interval in bins) == 1
    assert bins_between([]) == (Interval(),)
