"""The neighbourhood: who is near, how many are taken, and what is made of them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from decisionflow.errors import DataError
from decisionflow.explain.neighbourhood import (
    Labelled,
    Numeric,
    Surroundings,
    generate,
    near_rows,
    neighbourhood,
    scaling,
    similarity,
)

KINDS = {"age": Numeric(18, 120, whole=True), "income": Numeric(low=0), "job": Labelled()}


def background(rows=500, seed=1):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 121, rows),
            "income": rng.gamma(2.0, 1_000.0, rows).round(2),
            "job": rng.choice(["employed", "retired", "student"], rows),
        }
    )
    return frame, np.where(frame["age"] > 60, "yes", "no")


def test_distances_are_of_z_scores_and_of_one_indicator_for_each_label():
    rows = pd.DataFrame({"x": [1.0, 3.0], "job": ["a", "b"], "still": [7, 7]})
    scale = scaling(rows, {"x": Numeric(), "job": Labelled(), "still": Numeric()})
    found = scale.squared_distances(rows, {"x": 3.0, "job": "b", "still": 9})
    assert found == pytest.approx([2.0**2 + 2 + 2.0**2, 2.0**2])  # mean 2, deviation 1; `still` is not scaled


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("unit", [2.0**-700, 1.0, 2.0**700])
def test_numbers_whose_squares_leave_the_range_are_scaled_all_the_same(unit):
    rows = pd.DataFrame({"x": [1.0 * unit, 3.0 * unit, np.nan]})
    scale = scaling(rows, {"x": Numeric()})
    assert scale.squared_distances(rows, {"x": 3.0 * unit}) == pytest.approx([2.0**2, 0, 1])


def test_missing_numbers_stand_at_the_mean_and_missing_labels_are_a_label():
    rows = pd.DataFrame({"x": [1.0, 3.0, np.nan], "job": ["a", None, None]})
    scale = scaling(rows, {"x": Numeric(), "job": Labelled()})
    assert scale.squared_distances(rows, {"x": None, "job": None}) == pytest.approx([1 + 2, 1, 0])


def test_similarity_by_hand():
    squared = np.array([0.0, 2 * 0.75**2 * 4])
    assert similarity(squared, 4) == pytest.approx([1.0, np.exp(-1.0)])  # w = 0.75 sqrt(4)
    assert similarity(squared, 4, "paper") == pytest.approx([1.0, np.exp(-0.25)])  # w = 0.75 * 4


def test_the_cut_is_the_least_similar_of_each_classes_nearest():
    distances = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 0.5])
    classes = ["a", "a", "a", "a", "b", "b", None]
    rng = np.random.default_rng(0)
    assert near_rows(distances, classes, Surroundings(at_least=1), rng).tolist() == [0, 1, 2, 3, 4]
    assert near_rows(distances, classes, Surroundings(at_least=2), rng).tolist() == [0, 1, 2, 3, 4, 5]
    drawn = near_rows(distances, classes, Surroundings(at_least=1, at_most=2), rng).tolist()
    assert len(drawn) == 3
    assert drawn[-1] == 4


def test_distances_beyond_the_smallest_similarity_still_order_the_rows():
    distances = np.array([1e6, 2e6, 3e6])
    assert similarity(distances, 1).tolist() == [0.0, 0.0, 0.0]
    assert near_rows(distances, ["a"] * 3, Surroundings(at_least=1), np.random.default_rng(0)).tolist() == [0]


def test_rows_taken_and_generated_keep_domains_and_kinds():
    frame, classes = background()
    row = {"age": 59, "income": 1_500.0, "job": "employed"}
    found = neighbourhood(frame, classes, row, KINDS, seed=4)
    taken = len(found.taken)
    assert len(found.rows) == taken + 2_000 == len(found.similarity)
    assert 80 <= taken <= 400
    pd.testing.assert_frame_equal(found.rows[:taken], frame.iloc[found.taken].reset_index(drop=True))
    assert found.rows["age"].dtype == np.int64
    assert found.rows["age"].between(18, 120).all()
    assert (found.rows["income"] >= 0).all()
    assert set(found.rows["job"]) <= {"employed", "retired", "student"}


def test_the_same_seed_gives_the_same_rows_and_another_seed_others():
    frame, classes = background()
    row = frame.iloc[0].to_dict()
    first, again, other = (neighbourhood(frame, classes, row, KINDS, seed=seed) for seed in (7, 7, 8))
    pd.testing.assert_frame_equal(first.rows, again.rows)
    assert not first.rows.equals(other.rows)


def test_crossover_lies_between_its_parents_and_takes_the_nearest_ones_label():
    parents = pd.DataFrame({"x": [0.0, 10.0, 20.0], "job": ["a", "b", "c"]})
    rng = np.random.default_rng(0)
    made = generate(parents, np.array([2.0, 1.0, 3.0]), {"x": Numeric(), "job": Labelled()}, 2_000, rng)
    crossed = made[:1_000]
    assert crossed["x"].between(0, 20).all()
    assert crossed.loc[crossed["job"] == "b", "x"].between(0, 20).all()
    assert crossed.loc[crossed["job"] == "a", "x"].between(0, 20).all()  # of a and c
    assert "c" not in set(crossed["job"])
    assert set(made[1_000:]["job"]) == {"b"}  # a mutation has all three as parents


def test_mutation_adds_half_to_all_of_the_difference_of_two_other_parents():
    parents = pd.DataFrame({"x": [0.0, 100.0, 300.0]})
    made = generate(parents, np.zeros(3), {"x": Numeric()}, 3_000, np.random.default_rng(2))[1_500:]["x"]
    # x + (y - z) mu for the six orders of the three parents, mu between a half and one
    spans = [(-200, -100), (100, 200), (-200, -50), (250, 400), (200, 250), (350, 400)]
    assert made.map(lambda value: any(low <= value <= high for low, high in spans)).all()
    assert made.min() < -190
    assert made.max() > 390


def test_a_number_that_a_parent_lacks_comes_from_the_nearest_parent():
    parents = pd.DataFrame({"n": [1.0, np.nan, 5.0]})
    made = generate(parents, np.array([3.0, 2.0, 1.0]), {"n": Numeric(whole=True)}, 400, np.random.default_rng(0))
    assert str(made["n"].dtype) == "Int64"
    assert set(made["n"][200:].dropna()) == {5}  # all three parents: the nearest has 5
    assert made["n"][:200].isna().any()  # 1 and missing: the nearer one is missing


def test_too_few_rows_and_decisions_are_refused():
    frame, classes = background(rows=3)
    row = frame.iloc[0].to_dict()
    with pytest.raises(DataError, match="three background rows with a decision, and has 2"):
        neighbourhood(frame, ["a", "b", None], row, KINDS)
    with pytest.raises(DataError, match="no row has one"):
        neighbourhood(frame, [None] * 3, row, KINDS)
    with pytest.raises(DataError, match="each of the 3 background rows"):
        neighbourhood(frame, classes[:2], row, KINDS)
