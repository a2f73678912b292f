"""Hybrid rule sets: a positive and a negative set of rules around a black box (Wang 2019; Ferry et al., Eq. 6)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from decisionflow.learn.bit_sets import Words, merged_rows, packed_columns
from decisionflow.learn.candidates import Candidates
from decisionflow.learn.classifier import Labels, RuleChoice
from decisionflow.learn.greedy_cover import greedy_cover, required_weight
from decisionflow.learn.learning_errors import SettingError
from decisionflow.learn.local_search import LocalSearchClassifier
from decisionflow.learn.rule_set_search import change, walk
from decisionflow.learn.search_progress import CpuClock, SearchProgress, StoppedBy

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
BLOCK = 1000


@dataclass(frozen=True, slots=True, eq=False)
class SetProblem:
    """What the search sees: candidates over merged rows `(rows, d)` and as words, and the `costs` `(rows, 4)` of an
    answer by the black box, the positive set and the negative set, and the weight of each row."""

    covers: NDArray[np.bool_]
    words: Words
    costs: Floats
    required: float
    max_rules: int
    regularization: float

    @property
    def weights(self) -> Floats:
        return self.costs[:, 3]


@dataclass(eq=False, repr=False, kw_only=True)
class HybridRuleSetClassifier(LocalSearchClassifier):
    """A positive and a negative rule set; the positive one is asked first, the black box where neither covers.

    Minimises the share of errors + regularization times the number of rules + beta times the uncovered share (Eq. 6)
    by local search: each step adds, drops or exchanges a rule of either set, half of the time at random, half of the
    time one that mends a row which is answered wrongly or by the black box. Worse sets are accepted as in companion
    rule lists, but from a higher temperature on, as single errors count here and not an area. The search starts at
    the empty pair, the black box alone, or, where a minimum transparency is asked for, at a greedy cover.

    Parameters
    ----------
    regularization: lambda, what a rule costs. beta: what an uncovered row costs.
    iterations: steps of the search. temperature: C_0. max_rules: the most rules in both sets.
    min_transparency: the smallest share of the training rows that the sets may cover.
    time_limit: CPU seconds after which the best sets so far are returned. Ctrl-C does the same.
    The rest: see `HybridClassifier`.

    Attributes
    ----------
    objective_: of the sets, in training. positive_rules_, negative_rules_: the conditions of the two sets; the list
    `rule_list_` holds the positive ones first, each set by falling coverage. stopped_by_: completed, time limit or
    interrupted. status_: feasible, or unknown where `max_rules` rules were not enough to cover what was asked for.
    """

    regularization: float = 0.001
    beta: float = 0.01
    temperature: float = 0.01

    def _learn_beside(
        self, black_box: Labels, candidates: Candidates, labels: Labels, weights: Floats, rng: np.random.Generator
    ) -> Sequence[RuleChoice]:
        problem = self._problem(candidates, labels, weights, black_box)
        chosen, self.objective_, self.stopped_by_ = self._search(problem, rng)
        covered = problem.weights[(problem.covers & chosen.any(axis=0)).any(axis=1)].sum()
        self.status_ = "feasible" if covered >= problem.required else "unknown"
        positive, negative = (_by_coverage(problem, np.flatnonzero(flags)) for flags in chosen)
        self.positive_rules_ = tuple(candidates.conditions[place] for place in positive)
        self.negative_rules_ = tuple(candidates.conditions[place] for place in negative)
        return [
            *(RuleChoice(condition, 1) for condition in self.positive_rules_),
            *(RuleChoice(condition, 0) for condition in self.negative_rules_),
        ]

    def _check_settings(self) -> None:
        if not (0 <= self.regularization < math.inf and 0 <= self.beta < math.inf):
            raise SettingError("regularization and beta must be at least 0 and finite")
        super()._check_settings()

    def _problem(self, candidates: Candidates, labels: Labels, weights: Floats, black_box: Labels) -> SetProblem:
        costs = np.column_stack(
            [
                weights * ((black_box != labels) + self.beta),
                weights * (labels == 0),
                weights * (labels == 1),
                weights,
            ]
        )
        covers, sums = merged_rows(candidates.covers, costs)
        required = required_weight(candidates, weights, self.min_transparency)
        return SetProblem(covers, packed_columns(covers), sums, required, self.max_rules, self.regularization)

    def _search(self, problem: SetProblem, rng: np.random.Generator) -> tuple[Flags, float, StoppedBy]:
        """The best pair of sets found, as flags `(2, d)`, and its objective."""
        search, clock = _Search(problem, rng), CpuClock(self.time_limit)
        stopped_by: StoppedBy = "completed"
        try:
            while search.steps < self.iterations and problem.covers.shape[1]:
                if clock.has_run_out:
                    stopped_by = "time limit"
                    break
                search.advance(min(BLOCK, self.iterations - search.steps), self.temperature)
                if self.progress is not None:
                    done = search.steps / self.iterations
                    self.progress(SearchProgress(search.best_objective, clock.seconds, done))
        except KeyboardInterrupt:
            stopped_by = "interrupted"
        return search.best, set_objective(problem, search.best), stopped_by


def set_objective(problem: SetProblem, chosen: Flags) -> float:
    """Eq. 6 of a pair of sets, flags `(2, d)`."""
    positive = problem.covers[:, chosen[0]].any(axis=1)
    negative = ~positive & problem.covers[:, chosen[1]].any(axis=1)
    answers = np.select([positive, negative], [1, 2], 0)
    cost = problem.costs[np.arange(len(answers)), answers].sum() / problem.weights.sum()
    return float(cost + problem.regularization * chosen.sum())


class _Search:
    """A search in progress: the sets it stands at, and the best it has seen."""

    def __init__(self, problem: SetProblem, rng: np.random.Generator) -> None:
        rows, rules = problem.covers.shape
        self.problem = problem
        self.chosen = np.zeros((2, rules), dtype=np.bool_)
        self.covering = np.zeros((rows, 2), dtype=np.int32)
        self.sums = np.array([problem.costs[:, 0].sum(), 0.0, 0.0])
        self.cumulative = np.cumsum(problem.weights)
        self.state = np.array([rng.integers(2**63)], dtype=np.uint64)
        self.move = np.zeros(3, dtype=np.int32)
        self.steps = 0
        self._start()
        self.best, self.best_objective = self.chosen.copy(), set_objective(problem, self.chosen)

    def _start(self) -> None:
        problem = self.problem
        taken = np.zeros(len(problem.costs), dtype=np.bool_)
        for rule in greedy_cover(problem.covers, problem.weights, problem.required, problem.max_rules):
            fresh = problem.covers[:, rule] & ~taken
            positive_cost, negative_cost = problem.costs[fresh, 1].sum(), problem.costs[fresh, 2].sum()
            kind = 0 if positive_cost <= negative_cost else 1
            change(rule, kind, 1, problem.words, problem.costs, self.covering, self.chosen, self.sums)
            taken |= fresh

    def advance(self, steps: int, temperature: float) -> None:
        problem = self.problem
        self.best_objective = walk(
            steps,
            self.steps + 1,
            problem.words,
            problem.costs,
            self.cumulative,
            self.covering,
            self.chosen,
            self.sums,
            self.best,
            self.best_objective,
            self.state,
            self.move,
            problem.regularization,
            temperature,
            problem.required,
            problem.max_rules,
        )
        self.steps += steps


def _by_coverage(problem: SetProblem, places: NDArray[np.intp]) -> list[int]:
    return sorted(
        (int(place) for place in places), key=lambda place: -float(problem.weights @ problem.covers[:, place])
    )
