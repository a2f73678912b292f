"""The local search against Proposition 4 written out, brute force over all lists, and its promises at the edges."""

from __future__ import annotations

from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pytest

from decisionflow.errors import InfeasibleError
from decisionflow.learn import CompanionRuleListClassifier
from decisionflow.learn.learning_errors import SettingError
from decisionflow.learn.search_progress import SearchProgress

PLAIN = {"max_conditions": 1, "min_support": 0.0, "negations": False}


def instance(seed: int, rows: int = 60, columns: int = 5) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    table = (rng.random((rows, columns)) < 0.5).astype(int)
    labels = ((table[:, 0] | table[:, 1]) ^ (rng.random(rows) < 0.2)).astype(int)
    return table, labels, labels ^ (rng.random(rows) < 0.25)


def objective(
    table: np.ndarray, labels: np.ndarray, black_box: np.ndarray, order: tuple[int, ...], alpha: float
) -> float:
    """Eq. 4 step by step, as the paper writes it."""
    answers, covered = black_box.copy(), np.zeros(len(labels), dtype=bool)
    points = [(0.0, (answers == labels).mean())]
    for column in order:
        taken = (table[:, column] == 1) & ~covered
        answers[taken] = int(2 * labels[taken].sum() >= taken.sum())
        covered |= taken
        points.append((covered.mean(), (answers == labels).mean()))
    area = sum((a + b) / 2 * (t - s) for (s, b), (t, a) in pairwise(points))
    return area - alpha * len(order)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("alpha", [0.0, 0.02])
def test_the_search_finds_the_best_of_all_lists(seed: int, alpha: float) -> None:
    table, labels, black_box = instance(seed)
    every = (order for length in range(1, 6) for order in permutations(range(5), length))
    best = max(objective(table, labels, black_box, order, alpha) for order in every)
    learner = CompanionRuleListClassifier(black_box, alpha=alpha, iterations=20_000, **PLAIN).fit(table, labels)
    assert learner.objective_ == pytest.approx(max(best, 0.0), abs=1e-12)
    assert learner.autac(table, labels) == pytest.approx(learner.autac_, abs=1e-12)


def test_the_initial_list_counts_as_a_candidate_for_best() -> None:
    table, labels, black_box = instance(1)
    learner = CompanionRuleListClassifier(black_box, iterations=0, **PLAIN).fit(table, labels)
    assert len(learner.rule_list_) == 3
    order = tuple(int(rule.condition.feature[1:]) for rule in learner.rule_list_)
    assert learner.objective_ == pytest.approx(objective(table, labels, black_box, order, 0.001), abs=1e-12)


def test_a_rule_answers_with_the_majority_and_with_one_on_a_tie() -> None:
    table = np.array([[1, 0], [1, 0], [0, 1], [0, 1], [0, 1]])
    labels = np.array([0, 1, 0, 0, 1])
    learner = CompanionRuleListClassifier(np.ones(5, dtype=int), alpha=0.0, **PLAIN).fit(table, labels)
    assert {rule.condition.text: rule.label for rule in learner.rule_list_} == {"x0 = 1": 1, "x1 = 1": 0}


def test_the_same_seed_gives_the_same_list_and_the_block_size_does_not_matter() -> None:
    table, labels, black_box = instance(2, rows=300, columns=12)
    first, second = (
        CompanionRuleListClassifier(black_box, iterations=2500, random_state=7, **PLAIN).fit(table, labels)
        for _ in range(2)
    )
    assert first.rule_list_ == second.rule_list_


def test_the_order_of_the_rows_does_not_matter() -> None:
    table, labels, black_box = instance(3, rows=200, columns=10)
    order = np.random.default_rng(0).permutation(200)
    one = CompanionRuleListClassifier(black_box, iterations=3000, **PLAIN).fit(table, labels)
    other = CompanionRuleListClassifier(black_box[order], iterations=3000, **PLAIN).fit(table[order], labels[order])
    assert one.rule_list_ == other.rule_list_


def test_alpha_auto_takes_the_largest_area_among_short_lists() -> None:
    table, labels, black_box = instance(4, rows=400, columns=12)
    settings: dict[str, Any] = {"iterations": 2000, "max_rules": 6, **PLAIN}
    learner = CompanionRuleListClassifier(black_box, alpha="auto", **settings).fit(table, labels)
    assert learner.alpha_ in (0.01, 0.005, 0.001, 0.0008, 0.0005, 0.0002, 0.0001)
    assert len(learner.rule_list_) < 6


def test_a_list_never_grows_over_the_most_rules() -> None:
    table, labels, black_box = instance(5, rows=300, columns=12)
    learner = CompanionRuleListClassifier(black_box, alpha=0.0, max_rules=2, iterations=3000, **PLAIN)
    assert len(learner.fit(table, labels).rule_list_) <= 2


def test_no_time_gives_the_first_list() -> None:
    table, labels, black_box = instance(6)
    learner = CompanionRuleListClassifier(black_box, time_limit=0, **PLAIN).fit(table, labels)
    assert learner.stopped_by_ == "time limit"
    assert len(learner.rule_list_) == 3


def test_an_interrupted_search_returns_the_best_so_far() -> None:
    table, labels, black_box = instance(7)
    seen: list[SearchProgress] = []

    def interrupt(progress: SearchProgress) -> None:
        seen.append(progress)
        raise KeyboardInterrupt

    learner = CompanionRuleListClassifier(black_box, progress=interrupt, **PLAIN).fit(table, labels)
    assert learner.stopped_by_ == "interrupted"
    assert learner.objective_ == pytest.approx(seen[0].objective)
    assert seen[0].done == pytest.approx(1000 / 50_000)


def test_a_minimum_transparency_is_met_though_rules_are_dear() -> None:
    table, labels, black_box = instance(8)
    learner = CompanionRuleListClassifier(black_box, alpha=0.9, min_transparency=0.9, **PLAIN).fit(table, labels)
    assert learner.status_ == "feasible"
    assert learner.training_trade_off_[-1].transparency >= 0.9


def test_a_transparency_out_of_reach_is_proved_infeasible() -> None:
    table = np.array([[1, 0], [0, 1], [0, 0], [0, 0]])
    learner = CompanionRuleListClassifier(np.array([0, 1, 0, 1]), min_transparency=0.75, **PLAIN)
    with pytest.raises(InfeasibleError, match=r"^infeasible: min_transparency asks for 75\.00% .* cover 50\.00%"):
        learner.fit(table, [0, 1, 0, 1])


@pytest.mark.parametrize(
    "settings",
    [
        {"alpha": -1},
        {"alpha": "best"},
        {"alpha": None},
        {"alpha": [1]},
        {"alpha": float("nan")},
        {"temperature": float("nan")},
        {"iterations": 1.5},
        {"max_rules": 0},
        {"min_transparency": 2},
        {"time_limit": -1},
        {"time_limit": float("nan")},
    ],
)
def test_senseless_settings_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(SettingError):
        CompanionRuleListClassifier(np.array([0, 1]), **settings).fit([[0], [1]], [0, 1])
