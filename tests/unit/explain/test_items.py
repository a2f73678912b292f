"""Labels of a neighbourhood, and the conditions that they stand for."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from decisionflow.conditions.expression import And, Bound, Compare, Constant, Variable, Within
from decisionflow.conditions.intervals import Interval
from decisionflow.conditions.operators import AT_LEAST, EQUAL, LESS
from decisionflow.explain.cut_points import Cut
from decisionflow.explain.items import interval_words, items, moved_into, whole_numbers
from decisionflow.explain.k_optimal import Mining, rules_by_kind
from decisionflow.types import INTEGER, NUMBER, TEXT

ITEMS = items({"age": [Cut(21), Cut(30)], "income": [Cut(29.25)], "still": []})
AGE, INCOME, JOB = Variable("age", INTEGER, True), Variable("income", INTEGER, True), Variable("job", TEXT, True)


def test_numbers_become_the_words_of_their_interval_and_labels_stay():
    rows = pd.DataFrame({"age": [20, 21, 30, None], "job": ["a", None, "b", "c"], "still": [1, 1, 1, 1]})
    found = ITEMS.labels(rows)
    assert found["age"].tolist() == ["< 21", "[21 .. 30)", ">= 30", None]
    assert found["job"].tolist()[0] == "a"
    assert found["still"].isna().all()
    assert ITEMS.row_labels({"age": 25, "job": None, "still": 1}) == {"age": "[21 .. 30)"}


@pytest.mark.parametrize(
    ("interval", "words"),
    [
        (Interval(high=21), "< 21"),
        (Interval(high=0.5, high_closed=True), "<= 0.5"),
        (Interval(low=21), "> 21"),
        (Interval(3, 3, True, True), "= 3"),
        (Interval(1, 2.5, False, True), "(1 .. 2.5]"),
    ],
)
def test_intervals_in_words(interval, words):
    assert interval_words(interval) == words


def test_a_rules_conditions_are_conditions_of_the_language():
    variables = {"age": AGE, "income": INCOME, "job": JOB}
    assert ITEMS.condition({"age": "< 21"}, variables) == Compare(LESS, AGE, Constant(21, INTEGER))
    assert ITEMS.condition({"age": "[21 .. 30)", "income": ">= 29.25", "job": "a"}, variables) == And(
        (
            Within(AGE, Bound(Constant(21, INTEGER), True), Bound(Constant(30, INTEGER), False)),
            Compare(AT_LEAST, INCOME, Constant(29.25, NUMBER)),
            Compare(EQUAL, JOB, Constant("a", TEXT)),
        )
    )


@pytest.mark.parametrize(
    ("interval", "value", "moved"),
    [
        (Interval(21, 30, True, False), 25, 25),
        (Interval(21, 30, True, False), 18, 21),
        (Interval(21, 30, True, False), 30, 29),
        (Interval(21, 30, False, True), 20, 22),
        (Interval(21, 30, False, True), 31, 30),
        (Interval(21, 22, False, False), 31, 21.5),
        (Interval(high=21), 40, 20),
        (Interval(low=21), None, 22),
        (Interval(high=21, high_closed=True), None, 21),
    ],
)
def test_a_number_moves_to_the_nearest_end_and_a_step_past_an_excluded_one(interval, value, moved):
    assert moved_into(interval, value, 1.0) == moved
    assert interval.contains(moved)


@pytest.mark.parametrize(
    ("interval", "whole"),
    [
        (Interval(low=29.25, low_closed=True), Interval(low=30, low_closed=True)),
        (Interval(21, 30, False, False), Interval(22, 29, True, True)),
        (Interval(high=29.25), Interval(high=29, high_closed=True)),
    ],
)
def test_the_whole_numbers_of_an_interval(interval, whole):
    assert whole_numbers(interval) == whole


def test_a_column_of_whole_numbers_moves_to_a_whole_number():
    whole = items({"age": [Cut(29.25)]}, whole=["age"])
    assert whole.applied({"age": 20}, {"age": ">= 29.25"}, {}) == {"age": 30}


def test_applying_a_rule_changes_only_what_it_asks_for():
    row = {"age": 40, "income": 10.0, "job": "b", "still": 3}
    assert ITEMS.applied(row, {"age": "< 21", "income": ">= 29.25", "job": "b"}, {"age": 1}) == {
        "age": 20,
        "income": 29.25,
        "job": "b",
        "still": 3,
    }


def test_a_rule_mined_from_items_holds_in_the_rows_own_units():
    rng = np.random.default_rng(5)
    rows = pd.DataFrame({"age": rng.integers(18, 60, 400), "income": rng.uniform(10, 50, 400)})
    decisions = np.where((rows["age"] < 21) | (rows["income"] >= 29.25), "yes", "no")
    row = {"age": 40, "income": 15.0}
    found = rules_by_kind(ITEMS.labels(rows), decisions, ITEMS.row_labels(row), "no", Mining(max_conditions=2))
    best = found["hypothetically contradicting"][0]
    assert best.text == "income = >= 29.25"
    changed = ITEMS.applied(row, best.conditions, {})
    assert changed == {"age": 40, "income": 29.25}
