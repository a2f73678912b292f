"""Candidates against counts made by hand, brute force and a real FP-growth."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from decisionflow.learn.candidates import Candidates, MiningSettings, frequent_itemsets, mine_candidates
from decisionflow.learn.cuts import quantile_cuts
from decisionflow.learn.feature_table import describe_features, read_columns
from decisionflow.learn.learning_errors import LearningDataError, SettingError
from decisionflow.learn.policy_words import shortest_decimal


def mined(frame: pd.DataFrame, weights: np.ndarray | None = None, **settings: object) -> Candidates:
    features = describe_features(frame)
    counted = np.ones(len(frame)) if weights is None else weights
    return mine_candidates(read_columns(frame, features), features, counted, MiningSettings(**settings))


def texts(candidates: Candidates) -> list[str]:
    return [condition.text for condition in candidates.conditions]


PLAIN = {"max_conditions": 1, "min_support": 0.0, "negations": False}


def test_columns_of_zeros_and_ones_give_exactly_column_is_one() -> None:
    frame = pd.DataFrame({"a": [1, 0, 1, 0], "b": [0, 0, 1, 1]})
    candidates = mined(frame, **PLAIN)
    assert texts(candidates) == ["a = 1", "b = 1"]
    assert (candidates.covers == (frame.to_numpy() == 1)).all()


def test_equal_and_empty_columns_go_and_an_everywhere_true_one_stays() -> None:
    frame = pd.DataFrame({"a": [1, 0, 1], "same": [1, 0, 1], "empty": [0, 0, 0], "all": [1, 1, 1]})
    assert texts(mined(frame, **PLAIN)) == ["a = 1", "all = 1"]


def test_numbers_are_cut_at_quantiles_in_original_units() -> None:
    assert quantile_cuts(np.arange(100.0), np.ones(100), 4) == (25.0, 50.0, 75.0)
    frame = pd.DataFrame({"rate": np.arange(8) / 2 + 0.25})
    assert texts(mined(frame, n_bins=2, **PLAIN)) == ["rate < 2", "rate >= 2"]


def test_whole_numbers_get_closed_bounds_and_single_values_an_equality() -> None:
    frame = pd.DataFrame({"priors": [0, 0, 0, 1, 2, 3, 4, 5, 6]})
    candidates = mined(frame, thresholds=None, n_bins=3, **PLAIN)
    assert texts(candidates) == ["priors = 0", "priors in [1 .. 3]", "priors >= 4"]
    assert candidates.covers.sum(axis=0).tolist() == [3, 3, 3]


def test_given_thresholds_replace_quantiles() -> None:
    frame = pd.DataFrame({"age": [20, 24, 29, 30, 50]})
    candidates = mined(frame, thresholds={"age": [24, 30]}, **PLAIN)
    assert texts(candidates) == ["age < 24", "age in [24 .. 30)", "age >= 30"]
    assert candidates.covers.sum(axis=0).tolist() == [1, 2, 2]


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ([0, 0, 1, 2, 3, 4], ["n = 0", "n = 1", "n in [2 .. 4)", "n >= 4"]),
        ([0, 0, 1, 2, 3.5, 4], ["n < 1", "n in [1 .. 2)", "n in [2 .. 4)", "n >= 4"]),
        ([-1, 0, 1, 2, 3, None], ["n < 1", "n = 1", "n in [2 .. 4)"]),
    ],
)
def test_a_single_whole_number_between_given_thresholds_is_an_equality(
    values: list[float | None], found: list[str]
) -> None:
    assert texts(mined(pd.DataFrame({"n": values}), thresholds={"n": [1, 2, 4]}, **PLAIN)) == found


def test_labels_and_booleans_with_negations() -> None:
    frame = pd.DataFrame({"charge": ["felony", "misdemeanor", "felony", "other"], "Has Job": [True, True, False, True]})
    found = texts(mined(frame, max_conditions=1, min_support=0.0))
    assert found[:4] == ["charge = felony", "charge = misdemeanor", "charge = other", "`Has Job` = true"]
    assert "charge != felony" in found
    assert "`Has Job` = false" in found


def test_a_missing_value_satisfies_no_condition() -> None:
    frame = pd.DataFrame(
        {
            "age": [20.0, np.nan, 40.0, 60.0],
            "charge": ["felony", None, "other", "third"],
            "job": pd.array([True, None, False, True], dtype="boolean"),
        }
    )
    candidates = mined(frame, max_conditions=2, min_support=0.0)
    assert not candidates.covers[1].any()
    assert {"age <= 39", "charge = other", "job = true", "charge != third"} <= set(texts(candidates))


def test_the_largest_support_is_kept_in_the_order_proposed() -> None:
    frame = pd.DataFrame({"a": [1, 0, 0, 0], "b": [1, 1, 1, 0], "c": [0, 0, 1, 1]})
    assert texts(mined(frame, max_candidates=2, **PLAIN)) == ["b = 1", "c = 1"]


def test_a_conjunction_that_covers_the_same_rows_as_a_part_is_left_out() -> None:
    frame = pd.DataFrame({"a": [1, 1, 0, 0], "b": [1, 1, 1, 0], "c": [0, 1, 1, 0]})
    found = texts(mined(frame, max_conditions=2, min_support=0.0, negations=False))
    assert found == ["a = 1", "b = 1", "c = 1", "a = 1 and c = 1"]


def test_support_counts_weights() -> None:
    frame = pd.DataFrame({"a": [1, 0, 0], "b": [0, 1, 1]})
    assert texts(mined(frame, np.array([8.0, 1, 1]), max_conditions=1, min_support=0.5, negations=False)) == ["a = 1"]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("longest", [1, 2, 3, 4])
def test_itemsets_are_those_of_brute_force(longest: int, weighted: bool) -> None:
    rng = np.random.default_rng(longest)
    matrix = rng.random((130, 7)) < rng.uniform(0.3, 0.9, 7)
    weights = rng.integers(1, 4, 130).astype(float) if weighted else np.ones(130)
    floor = 0.2 * weights.sum()
    expected = {
        parts: weights[matrix[:, parts].all(axis=1)].sum()
        for size in range(1, longest + 1)
        for parts in combinations(range(7), size)
        if weights[matrix[:, parts].all(axis=1)].sum() >= floor
    }
    assert dict(frequent_itemsets(matrix, weights, floor, longest)) == expected


def test_itemsets_are_those_of_fp_growth() -> None:
    patterns = pytest.importorskip("mlxtend.frequent_patterns", reason="FP-growth comes with the baselines extra")
    rng = np.random.default_rng(3)
    matrix = rng.random((200, 8)) < 0.6
    grown = patterns.fpgrowth(pd.DataFrame(matrix, columns=range(8)), min_support=0.1, max_len=4)
    expected = {
        tuple(sorted(items)): round(share * 200)
        for items, share in zip(grown["itemsets"], grown["support"], strict=True)
    }
    assert dict(frequent_itemsets(matrix, np.ones(200), 20, 4)) == expected


def test_a_cut_is_the_decimal_of_fewest_digits_between_two_values() -> None:
    assert shortest_decimal(3.14159, 3.9) == 3.9
    assert shortest_decimal(1234.5, 1302.0) == 1300.0
    assert shortest_decimal(-0.2, 0.7) == 0.0
    assert shortest_decimal(0.123, 0.124) == 0.124


def test_contradictory_settings_are_refused() -> None:
    frame = pd.DataFrame({"a": [1, 2], "b": ["x", "y"]})
    for settings in ({"max_conditions": 0}, {"min_support": 2.0}, {"n_bins": 1}, {"max_candidates": 0}):
        with pytest.raises(SettingError):
            mined(frame, **settings)
    with pytest.raises(SettingError, match="not a column of numbers"):
        mined(frame, thresholds={"b": [1]})
    with pytest.raises(SettingError, match="ascending"):
        mined(frame, thresholds={"a": [2, 1]})


def test_a_column_of_dates_is_refused_by_name() -> None:
    with pytest.raises(LearningDataError, match="`opened` holds datetime64"):
        describe_features(pd.DataFrame({"opened": pd.to_datetime(["2026-01-01", "2026-01-02"])}))
