"""Rules, measures and edges that can be worked out by hand."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from scipy.stats import hypergeom

from decisionflow.errors import DataError
from decisionflow.explain import k_optimal_rules
from decisionflow.explain.k_optimal import MEASURES
from decisionflow.explain.k_optimal.filters import hypergeometric_tail
from decisionflow.explain.k_optimal.measures import bound, value


def conditions(rules):
    return [rule.conditions for rule in rules]


def test_one_rule_by_hand():
    frame = pd.DataFrame({"age": ["young"] * 4 + ["old"] * 6})
    labels = ["yes"] * 3 + ["no"] * 7
    (rule,) = k_optimal_rules(frame, labels, "yes", alpha=0.05)
    assert rule.conditions == {"age": "young"}
    assert (rule.covered, rule.hits, rule.target, rule.text) == (4, 3, "yes", "age = young")
    assert rule.measures == pytest.approx(
        {
            "coverage": 0.4,
            "support": 0.3,
            "confidence": (3 + 2 * 0.3) / 6,
            "lift": (3 + 2 * 0.3) / 6 / 0.3,
            "leverage": 0.3 - 0.4 * 0.3,
        }
    )
    assert rule.p_value == pytest.approx(4 / math.comb(10, 3))  # all three positives among the four young


def test_a_p_value_of_exactly_alpha_is_significant():
    frame = pd.DataFrame({"a": [1, 1, 1, 0, 0, 0]})
    labels = [True, True, True, False, False, False]
    (rule,) = k_optimal_rules(frame, labels, True, alpha=0.05)
    assert rule.p_value == pytest.approx(1 / 20)
    assert k_optimal_rules(frame, labels, True, alpha=0.0499) == []


def test_support_of_exactly_the_minimum_is_enough():
    frame = pd.DataFrame({"a": ["x"] * 2 + ["y"] * 98})
    labels = ["yes"] * 2 + ["no"] * 98
    assert conditions(k_optimal_rules(frame, labels, "yes", min_support=0.02)) == [{"a": "x"}]
    assert k_optimal_rules(frame, labels, "yes", min_support=0.0201) == []


def test_a_condition_that_all_rows_satisfy_is_redundant_alone_and_with_others():
    frame = pd.DataFrame({"same": ["s"] * 20, "a": ["x"] * 10 + ["y"] * 10})
    labels = ["yes"] * 10 + ["no"] * 10
    assert conditions(k_optimal_rules(frame, labels, "yes")) == [{"a": "x"}]


def test_equal_columns_give_equal_rules_in_the_order_of_their_text():
    frame = pd.DataFrame({"b": ["x"] * 10 + ["y"] * 10})
    frame["a"] = frame["b"]
    labels = ["yes"] * 10 + ["no"] * 10
    assert conditions(k_optimal_rules(frame, labels, "yes")) == [{"a": "x"}, {"b": "x"}]
    assert conditions(k_optimal_rules(frame, labels, "yes", k=1)) == [{"a": "x"}]


def test_two_conditions_are_kept_only_where_they_beat_each_alone():
    frame = pd.DataFrame({"a": [0, 0, 1, 1] * 20, "b": [0, 1, 0, 1] * 20})
    labels = ((frame["a"] == 1) & (frame["b"] == 1)).to_numpy()
    rules = k_optimal_rules(frame, labels, True, measure="confidence")
    assert conditions(rules)[0] == {"a": 1, "b": 1}
    assert rules[0].measures["confidence"] == pytest.approx((20 + 2 * 0.25) / 22)
    assert conditions(k_optimal_rules(frame, labels, True, measure="confidence", max_conditions=1)) == [
        {"a": 1},
        {"b": 1},
    ]


def test_fewer_conditions_come_first_among_equal_values():
    frame = pd.DataFrame({"a": ["x"] * 8 + ["y"] * 24})
    frame["b"] = ["x"] * 4 + ["y"] * 4 + ["x"] * 4 + ["y"] * 20
    labels = ["yes"] * 6 + ["no"] * 26
    by_coverage = k_optimal_rules(frame, labels, "yes", measure="coverage", alpha=1.0)
    assert [rule.text for rule in by_coverage] == ["a = x", "b = x", "a = x and b = x"]


def test_a_missing_label_satisfies_no_condition_and_a_missing_class_is_no_class():
    frame = pd.DataFrame({"a": pd.Series([None] * 6 + ["x"] * 6 + ["y"] * 8, dtype=object)})
    labels = pd.Series([None] * 6 + ["yes"] * 6 + ["no"] * 8, dtype=object)
    (rule,) = k_optimal_rules(frame, labels, "yes")
    assert rule.conditions == {"a": "x"}
    assert rule.measures["coverage"] == 6 / 20


def test_labels_are_given_back_as_python_values():
    frame = pd.DataFrame({"n": np.repeat([1, 2], 10), "c": pd.Categorical(["u"] * 10 + ["v"] * 10, ["v", "u"])})
    rules = k_optimal_rules(frame, frame["n"] == 1, True)
    assert conditions(rules) == [{"c": "u"}, {"n": 1}]
    assert type(rules[1].conditions["n"]) is int


@pytest.mark.parametrize("target", ["absent", "only"])
def test_no_rule_where_no_row_or_every_row_is_in_the_class(target):
    assert k_optimal_rules(pd.DataFrame({"a": [1, 2, 3]}), ["only"] * 3, target) == []


def test_no_rule_without_columns_rows_or_enough_support():
    assert k_optimal_rules(pd.DataFrame(index=range(4)), [1, 1, 0, 0], 1) == []
    assert k_optimal_rules(pd.DataFrame({"a": []}), [], 1) == []
    assert k_optimal_rules(pd.DataFrame({"a": [1, 2, 3, 4]}), [1, 1, 0, 0], 1, min_support=0.6) == []


def test_rows_are_matched_by_place_whatever_the_index():
    frame = pd.DataFrame({"a": ["x"] * 10 + ["y"] * 10}, index=range(100, 120))
    labels = pd.Series(["yes"] * 10 + ["no"] * 10, index=range(20, 0, -1))
    assert conditions(k_optimal_rules(frame, labels, "yes")) == [{"a": "x"}]


def test_wrong_arguments_say_what_was_expected():
    frame = pd.DataFrame({"a": [1, 2]})
    with pytest.raises(ValueError, match="coverage, support, confidence, lift, leverage, not 'odds'"):
        k_optimal_rules(frame, [0, 1], 1, measure="odds")
    with pytest.raises(ValueError, match="k is a whole number of at least 1, not 0"):
        k_optimal_rules(frame, [0, 1], 1, k=0)
    with pytest.raises(ValueError, match="a share of the rows, from 0 to 1, not 2"):
        k_optimal_rules(frame, [0, 1], 1, min_support=2)
    with pytest.raises(DataError, match="each of the 2 rows, found 3"):
        k_optimal_rules(frame, [0, 1, 1], 1)
    with pytest.raises(DataError, match="'a' occurs twice"):
        k_optimal_rules(pd.DataFrame([[1, 2]], columns=["a", "a"]), [1], 1)


@pytest.mark.parametrize("measure", MEASURES)
def test_the_same_call_gives_the_same_answer_and_leaves_its_input_alone(measure):
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(rng.integers(0, 3, (300, 6)), columns=list("abcdef"))
    before, labels = frame.copy(), rng.random(300) < 0.3 + 0.3 * (frame["a"] == 1)
    first = k_optimal_rules(frame, labels, True, measure, alpha=0.5)
    assert first == k_optimal_rules(frame, labels, True, measure, alpha=0.5)
    assert [rule.measures[measure] for rule in first] == sorted((r.measures[measure] for r in first), reverse=True)
    pd.testing.assert_frame_equal(frame, before)


@pytest.mark.parametrize(
    ("hits", "rows", "positives", "draws"),
    [(3, 6, 3, 3), (0, 10, 4, 5), (5, 20, 10, 7), (400, 2300, 1000, 700), (12, 2300, 20, 700), (1, 1, 1, 1)],
)
def test_the_tail_of_the_hypergeometric_distribution_equals_scipys(hits, rows, positives, draws):
    assert hypergeometric_tail(hits, rows, positives, draws) == pytest.approx(
        hypergeom.sf(hits - 1, rows, positives, draws), rel=1e-9
    )


def test_importing_the_package_of_explanations_imports_no_numpy():
    code = "import sys, decisionflow.explain; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("measure", range(len(MEASURES)))
@pytest.mark.parametrize("m", [0.0, 2.0])
def test_no_rule_with_more_conditions_exceeds_the_bound(measure, m):
    rows, positives = 12, 5
    for hits in range(1, positives + 1):
        for covered in range(hits, rows - positives + hits + 1):
            highest = bound(measure, covered, hits, rows, positives, m)
            for fewer_hits in range(1, hits + 1):
                for fewer in range(fewer_hits, covered - hits + fewer_hits + 1):
                    assert value(measure, fewer, fewer_hits, rows, positives, m) <= highest + 1e-15


def test_a_label_that_holds_the_word_and_is_ordered_by_the_whole_text():
    # "genre = rock and year = 1" stands after "genre = rock and roll and year = 1"
    frame = pd.DataFrame({"genre": ["rock", "rock and roll", "x", "x"] * 20, "year": ["1", "1", "1", "0"] * 20})
    frame = pd.concat([frame, frame.assign(year="2")], ignore_index=True)
    in_class = frame["genre"].str.startswith("rock") & (frame["year"] == "1")
    rules = k_optimal_rules(frame, in_class, True, "support", alpha=1.0)
    pairs = [rule.text for rule in rules if len(rule.conditions) == 2]
    assert pairs == ["genre = rock and roll and year = 1", "genre = rock and year = 1"]
    for k in range(1, len(rules)):
        assert k_optimal_rules(frame, in_class, True, "support", k, alpha=1.0) == rules[:k]


def test_labels_with_the_same_text_are_ordered_by_what_follows():
    # 1 and "1" read alike: the second condition decides which of two tied rules is kept
    frame = pd.DataFrame({"one": pd.Series([1, "1", 0, 0] * 10, dtype=object), "two": ["z", "y", "z", "y"] * 10})
    in_class = frame["one"].isin([1, "1"])
    frame = pd.concat([frame, frame.assign(two=frame["two"].map({"z": "y", "y": "z"}))], ignore_index=True)
    in_class = np.r_[in_class, np.zeros(40, dtype=bool)]
    rules = k_optimal_rules(frame, in_class, True, "confidence", alpha=1.0)
    texts = [rule.text for rule in rules if len(rule.conditions) == 2]
    assert texts == ["one = 1 and two = y", "one = 1 and two = z"]
    assert k_optimal_rules(frame, in_class, True, "confidence", 1, alpha=1.0) == rules[:1]


def test_any_number_of_rules_may_be_asked_for():
    frame = pd.DataFrame({"a": ["x", "y", "z"] * 20, "b": ["u", "v"] * 30})
    in_class = (frame["a"] == "x") | (frame["b"] == "u")
    assert k_optimal_rules(frame, in_class, True, k=10**15) == k_optimal_rules(frame, in_class, True, k=11)


@pytest.mark.parametrize(
    "wrong",
    [
        {"k": 2.5},
        {"k": float("nan")},
        {"max_conditions": 1.0},
        {"max_conditions": None},
        {"m": float("inf")},
        {"m": "2"},
        {"min_support": None},
        {"alpha": "0.05"},
    ],
)
def test_numbers_that_make_no_sense_are_named(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        k_optimal_rules(pd.DataFrame({"a": [1, 0]}), [1, 0], 1, **wrong)


def test_a_table_of_classes_is_refused():
    with pytest.raises(DataError, match="one class for each row"):
        k_optimal_rules(pd.DataFrame({"a": [1, 0]}), np.ones((2, 1)), 1)


@pytest.mark.parametrize(
    ("frame", "found"),
    [
        ([["x"], ["y"]], "a list"),
        ({"a": ["x", "y"]}, "a dict"),
        (np.array([["x"], ["y"]]), "a numpy.ndarray"),
        (pd.Series(["x", "y"]), "a pandas.Series"),
        (None, "a NoneType"),
    ],
)
def test_what_is_no_frame_is_named(frame, found):
    with pytest.raises(DataError, match=f"expected a pandas DataFrame of labels to mine, found {found}"):
        k_optimal_rules(frame, ["yes", "no"], "yes")


@pytest.mark.parametrize("label", [["y"], {"y": 1}, {"y"}, ("y", ["z"]), np.array([1, 2])])
def test_a_label_that_is_no_single_value_is_placed(label):
    labels, frame = pd.Series(["yes", "no"]), pd.DataFrame({"a": ["x", "z"]})
    with pytest.raises(DataError, match=r"column 'a', row 1: expected a label"):
        k_optimal_rules(pd.DataFrame({"a": pd.Series(["x", label], dtype=object)}), labels, "yes")
    with pytest.raises(DataError, match=r"the classes, row 1: expected a label"):
        k_optimal_rules(frame, pd.Series(["yes", label], dtype=object), "yes")
    with pytest.raises(DataError, match="target is one of the classes"):
        k_optimal_rules(frame, labels, label)


def test_classes_of_several_lengths_are_no_traceback():
    with pytest.raises(DataError, match="the classes, row 0: expected a label"):
        k_optimal_rules(pd.DataFrame({"a": ["x", "y"]}), [["u"], ["v", "w"]], "u")


def test_a_pair_may_be_a_label_and_a_class():
    frame = pd.DataFrame({"a": [("x", 1)] * 10 + [("x", 2)] * 10})
    labels = pd.Series([("yes", 1)] * 10 + [("no", 1)] * 10)
    assert conditions(k_optimal_rules(frame, labels, ("yes", 1))) == [{"a": ("x", 1)}]
