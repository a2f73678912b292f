"""The rule-set search against brute force over all pairs of sets, Eq. 6 written out."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from decisionflow.errors import InfeasibleError
from decisionflow.learn import HybridRuleSetClassifier
from decisionflow.learn.learning_errors import SettingError

PLAIN = {"max_conditions": 1, "min_support": 0.0, "negations": False}


def instance(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    table = (rng.random((60, 4)) < 0.4).astype(int)
    labels = (table[:, 0] ^ (rng.random(60) < 0.2)).astype(int)
    return table, labels, labels ^ (rng.random(60) < 0.3)


def cost(
    answers: np.ndarray, uncovered: np.ndarray, labels: np.ndarray, rules: int, price: float, beta: float
) -> float:
    return (answers != labels).mean() + price * rules + beta * uncovered.mean()


def brute_force(table: np.ndarray, labels: np.ndarray, black_box: np.ndarray, price: float, beta: float, floor: float):
    best = np.inf
    for chosen in product((0, 1), repeat=8):
        sets = np.array(chosen, dtype=bool).reshape(2, 4)
        positive, negative = table[:, sets[0]].any(axis=1), table[:, sets[1]].any(axis=1)
        answers = np.where(positive, 1, np.where(negative, 0, black_box))
        uncovered = ~(positive | negative)
        if (~uncovered).mean() >= floor - 1e-12:
            best = min(best, cost(answers, uncovered, labels, sets.sum(), price, beta))
    return best


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("price", "beta", "floor"), [(0.01, 0.0, 0.0), (0.01, 0.1, 0.0), (0.03, 0.0, 0.6)])
def test_the_search_finds_the_best_of_all_pairs(seed: int, price: float, beta: float, floor: float) -> None:
    table, labels, black_box = instance(seed)
    learner = HybridRuleSetClassifier(
        black_box, regularization=price, beta=beta, min_transparency=floor, iterations=20_000, **PLAIN
    ).fit(table, labels)
    assert learner.objective_ == pytest.approx(brute_force(table, labels, black_box, price, beta, floor), abs=1e-12)
    answers, sources = learner.predict_with_source(table)
    uncovered = sources == "black_box"
    rules = len(learner.positive_rules_) + len(learner.negative_rules_)
    assert cost(answers, uncovered, labels, rules, price, beta) == pytest.approx(learner.objective_, abs=1e-12)


def test_beside_a_perfect_black_box_no_rule_pays() -> None:
    table, labels, _ = instance(1)
    learner = HybridRuleSetClassifier(labels, regularization=0.01, beta=0.0, **PLAIN).fit(table, labels)
    assert learner.rule_list_ == ()
    assert learner.objective_ == 0
    assert (learner.predict(table) == labels).all()


def test_the_positive_set_is_asked_first() -> None:
    table = np.array([[1, 0], [1, 1], [1, 1], [0, 1], [0, 1]] * 4)
    labels = np.array([1, 1, 1, 0, 0] * 4)
    learner = HybridRuleSetClassifier(1 - labels, regularization=0.01, **PLAIN).fit(table, labels)
    assert [(rule.condition.text, rule.label) for rule in learner.rule_list_] == [("x0 = 1", 1), ("x1 = 1", 0)]
    assert (learner.predict(table) == labels).all()


def test_a_transparency_out_of_reach_is_proved_infeasible() -> None:
    learner = HybridRuleSetClassifier(np.array([0, 1, 0, 1]), min_transparency=1.0, **PLAIN)
    with pytest.raises(InfeasibleError):
        learner.fit(np.array([[1, 0], [0, 1], [0, 0], [0, 0]]), [0, 1, 0, 1])


def test_the_same_seed_gives_the_same_sets() -> None:
    table, labels, black_box = instance(9)
    one, other = (
        HybridRuleSetClassifier(black_box, iterations=500, random_state=5, **PLAIN).fit(table, labels) for _ in range(2)
    )
    assert one.rule_list_ == other.rule_list_


@pytest.mark.parametrize("setting", ["regularization", "beta", "temperature"])
def test_a_cost_that_is_no_number_is_refused(setting: str) -> None:
    learner = HybridRuleSetClassifier(np.array([0, 1]), **{setting: float("nan")})
    with pytest.raises(SettingError, match=setting):
        learner.fit(np.array([[0], [1]]), [0, 1])
