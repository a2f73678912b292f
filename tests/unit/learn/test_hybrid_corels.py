from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import AdaBoostClassifier
from sklearn.linear_model import LogisticRegression

from decisionflow.learn.corels import CORELSClassifier
from decisionflow.learn.hybrid_corels import HybridCORELSClassifier, specialization_weights
from decisionflow.learn.learning_errors import SettingError
from decisionflow.learn.prefix_search import search_prefix

PLAIN = {"max_conditions": 1, "min_support": 0, "negations": False, "max_candidates": None}


@pytest.fixture(scope="module")
def people():
    rng = np.random.default_rng(5)
    columns = (rng.random((120, 5)) < [0.3, 0.5, 0.6, 0.2, 0.4]).astype(float)
    labels = np.where((columns[:, 0] + columns[:, 1] + rng.normal(scale=0.7, size=120)) > 1, "yes", "no")
    return pd.DataFrame(columns, columns=list("abcde")), labels


@pytest.mark.parametrize("paradigm", ["post", "pre", "pre_no_collaboration"])
def test_the_list_is_the_best_over_columns_that_are_1(people, paradigm):
    table, labels = people
    model = HybridCORELSClassifier(LogisticRegression(), paradigm=paradigm, min_transparency=0.6, **PLAIN)
    model.fit(table, labels)
    black_box = LogisticRegression().fit(table, labels).predict(table) == "yes"
    best = search_prefix(
        table.to_numpy() == 1, labels == "yes", paradigm=paradigm, black_box=black_box, min_transparency=0.6
    )
    assert model.certified_
    assert (model.status_, model.stopped_by_, model.gap_) == ("optimal", "completed", 0)
    assert model.objective_ == pytest.approx(best.objective, abs=1e-12)
    assert len(model.rule_list_) == len(best.prefix)
    assert model.trade_off(table, labels)["transparency"][-1] >= 0.6


def test_post_objective_is_read_from_its_own_predictions(people):
    table, labels = people
    model = HybridCORELSClassifier(LogisticRegression(), min_transparency=0.8, **PLAIN).fit(table, labels)
    answers, sources = model.predict_with_source(table)
    beta = min(1 / (2 * len(table)), 0.01 / 2)
    uncovered = np.mean(sources == "black_box")
    expected = np.mean(answers != labels) + 0.01 * len(model.rule_list_) + beta * uncovered
    assert model.objective_ == pytest.approx(expected, abs=1e-12)


def test_corels_minimises_its_own_errors(people):
    table, labels = people
    model = CORELSClassifier(LogisticRegression(), regularization=0.02, **PLAIN).fit(table, labels)
    answers, sources = model.predict_with_source(table)
    alone = np.where(sources == "black_box", model.default_label_, answers)
    assert model.certified_
    assert model.objective_ == pytest.approx(np.mean(alone != labels) + 0.02 * len(model.rule_list_), abs=1e-12)


def test_specialization_weighs_uncovered_rows_by_e_to_the_alpha():
    weights = specialization_weights(np.array([True, False, True, False]), 1.5)
    assert weights[1] / weights[0] == pytest.approx(np.exp(1.5))
    assert weights.mean() == pytest.approx(1)


@pytest.mark.filterwarnings("error")
def test_a_specialization_beyond_the_range_of_numbers_leaves_the_uncovered_rows_alone():
    assert specialization_weights(np.array([True, False, True, False]), 800.0).tolist() == [0, 2, 0, 2]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"paradigm": "after"}, "paradigm is one of post, pre, pre_no_collaboration"),
        ({"specialization": 1.0}, "leave it out, or choose paradigm='pre'"),
        ({"paradigm": "pre", "specialization": -1}, "must be at least 0"),
        ({"paradigm": "pre", "specialization": float("nan")}, "at least 0 and finite"),
        ({"paradigm": "pre", "specialization": float("inf")}, "at least 0 and finite"),
        ({"paradigm": "pre", "specialization": "1"}, "specialization is a number or None, not '1'"),
        ({"min_transparency": "0.5"}, "min_transparency is a number, not '0.5'"),
        ({"min_transparency": None}, "min_transparency is a number, not None"),
        ({"regularization": [0.1]}, "regularization is a number"),
        ({"time_limit": "5"}, "time_limit is a number or None, not '5'"),
        ({"memory_limit": "4"}, "memory_limit is a number or None"),
        ({"min_support": "a"}, "min_support is a number"),
        ({"max_conditions": 1.5}, "max_conditions is a whole number, not 1.5"),
        ({"n_bins": None}, "n_bins is a whole number"),
        ({"max_candidates": "a"}, "max_candidates is a whole number or None"),
        ({"negations": "no"}, "negations is true or false, not 'no'"),
        ({"random_state": -1}, "random_state is a whole number of at least 0"),
        ({"random_state": "a"}, "random_state is a whole number of at least 0"),
        ({"thresholds": "a"}, "thresholds map columns to cuts"),
        ({"thresholds": {"a": ["x"]}}, "the thresholds of `a` are a list of numbers"),
        ({"thresholds": {"a": 1}}, "the thresholds of `a` are a list of numbers"),
        ({"min_transparency": 1.2}, "min_transparency is a share from 0 to 1"),
        ({"regularization": -0.1}, "regularization"),
        ({"regularization": float("inf")}, "must be at least 0 and finite"),
        ({"max_rules": 0}, "max_rules must be at least 1"),
        ({"max_rules": 2.5}, "a whole number"),
        ({"time_limit": -1}, "CPU seconds"),
        ({"memory_limit": 0}, "GiB above 0"),
    ],
)
def test_settings_that_make_no_sense_are_refused(people, settings, message):
    with pytest.raises(SettingError, match=message):
        HybridCORELSClassifier(**settings).fit(*people)


def test_without_time_nothing_is_called_optimal(people):
    table, labels = people
    model = HybridCORELSClassifier(LogisticRegression(), min_transparency=0.9, time_limit=0, **PLAIN)
    model.fit(table, labels)
    assert (model.status_, model.certified_, model.rule_list_) == ("unknown", False, ())
    assert list(model.predict(table)) == list(model.black_box_.predict(table))


@pytest.mark.parametrize("black_box", [None, AdaBoostClassifier(n_estimators=5, random_state=0)])
def test_a_weight_of_two_is_a_row_twice_where_the_black_box_specializes_too(black_box: Any) -> None:
    rng = np.random.default_rng(2)
    table, weights = rng.integers(0, 2, (120, 4)), rng.integers(0, 4, 120)
    labels = np.where(table[:, 0] ^ (rng.random(120) < 0.3), 1, 0)
    settings: dict[str, Any] = {"paradigm": "pre", "min_transparency": 0.3, "max_rules": 2, "max_conditions": 1}
    weighted = HybridCORELSClassifier(black_box, **settings).fit(table, labels, weights)
    twice = np.repeat(np.arange(120), weights)
    repeated = HybridCORELSClassifier(black_box, **settings).fit(table[twice], labels[twice])
    np.testing.assert_allclose(weighted.predict_proba(table), repeated.predict_proba(table))
