"""Companion rule lists: one list, usable at every depth (Pan, Wang, Hara 2020, Algorithms 1 and 2)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real

import numpy as np
from numpy.typing import NDArray

from decisionflow.learn.bit_sets import Words, merged_rows, packed_columns
from decisionflow.learn.candidates import Candidates
from decisionflow.learn.classifier import Labels, RuleChoice
from decisionflow.learn.greedy_cover import greedy_cover, required_weight
from decisionflow.learn.learning_errors import SettingError
from decisionflow.learn.local_search import LocalSearchClassifier
from decisionflow.learn.rule_list_search import area, evaluate, walk
from decisionflow.learn.search_progress import CpuClock, ProgressListener, SearchProgress, StoppedBy

Floats = NDArray[np.float64]
ALPHAS = (0.01, 0.005, 0.001, 0.0008, 0.0005, 0.0002, 0.0001)
FIRST_RULES = 3
BLOCK = 1000


@dataclass(frozen=True, slots=True, eq=False)
class ListProblem:
    """What the search sees: candidates over merged rows `(rows, d)` and as words, and `weights` `(rows, 3)`.

    A row's weights are of all its rows, of those of outcome 1, and of those that the black box answers rightly.
    """

    covers: NDArray[np.bool_]
    candidates: Words
    weights: Floats
    required: float
    max_rules: int

    @property
    def total(self) -> float:
        return float(self.weights[:, 0].sum())


@dataclass(frozen=True, slots=True)
class FoundList:
    """Candidates in order, the objective reached, the area under the curve, and whether the list takes enough."""

    chosen: tuple[int, ...]
    objective: float
    autac: float
    is_feasible: bool
    stopped_by: StoppedBy


@dataclass(eq=False, repr=False, kw_only=True)
class CompanionRuleListClassifier(LocalSearchClassifier):
    """A rule list that can stop after any rule, with the largest area under its transparency-accuracy curve.

    Maximises AUTAC - alpha M (Eq. 4, Proposition 4 with T_0 = 0 and A_0 the black box's accuracy) by stochastic
    local search: add, remove, swap or replace a rule with equal chance, accepted with probability
    exp(gain log2(1 + n) / temperature) at step n, from three random rules on; the initial list counts as a candidate
    for best. A rule answers with the majority of the rows it takes, 1 on a tie. A rule that the list already has is
    not added again, and a list never grows over `max_rules`; such a step changes nothing.

    Parameters
    ----------
    alpha: what a rule costs; "auto" tries the paper's seven values and keeps the one with the largest AUTAC in
        training among lists of less than `max_rules` rules (Algorithm 2).
    iterations: N, the steps of the search. temperature: C_0. max_rules: the longest list.
    min_transparency: the smallest share of the training rows that the whole list may take.
    time_limit: CPU seconds after which the best list so far is returned. Ctrl-C does the same.
    The rest: see `HybridClassifier`.

    Attributes
    ----------
    objective_, autac_: of the list, in training. alpha_: the cost used. stopped_by_: completed, time limit or
    interrupted. status_: feasible, or unknown where no list that takes enough rows was found.
    """

    alpha: float | str = 0.001
    min_support: float = 0.05

    def _learn_beside(
        self, black_box: Labels, candidates: Candidates, labels: Labels, weights: Floats, rng: np.random.Generator
    ) -> Sequence[RuleChoice]:
        problem = self._problem(candidates, labels, weights, black_box)
        found = self._tuned(problem, rng) if self.alpha == "auto" else self._found(problem, float(self.alpha), rng)
        self.alpha_, best = found
        self.objective_, self.autac_, self.stopped_by_ = best.objective, best.autac, best.stopped_by
        self.status_ = "feasible" if best.is_feasible else "unknown"
        outcomes = rule_outcomes(problem, best.chosen)
        return [RuleChoice(candidates.conditions[place], one) for place, one in zip(best.chosen, outcomes, strict=True)]

    def _check_settings(self) -> None:
        if self.alpha != "auto" and not (isinstance(self.alpha, Real) and 0 <= self.alpha < math.inf):
            raise SettingError(f'alpha is a cost per rule of at least 0, or "auto", not {self.alpha!r}')
        super()._check_settings()

    def _problem(self, candidates: Candidates, labels: Labels, weights: Floats, black_box: Labels) -> ListProblem:
        weighted = np.column_stack([weights, weights * labels, weights * (black_box == labels)])
        covers, sums = merged_rows(candidates.covers, weighted)
        required = required_weight(candidates, weights, self.min_transparency)
        return ListProblem(covers, packed_columns(covers), sums, required, self.max_rules)

    def _found(self, problem: ListProblem, alpha: float, rng: np.random.Generator) -> tuple[float, FoundList]:
        clock = CpuClock(self.time_limit)
        return alpha, search_rule_list(problem, alpha, self.iterations, self.temperature, rng, clock, self.progress)

    def _tuned(self, problem: ListProblem, rng: np.random.Generator) -> tuple[float, FoundList]:
        """Algorithm 2: the alpha whose list has the largest area, among lists of less than max_rules rules.

        Where every list is as long as that, the shortest is taken.
        """
        clock = CpuClock(self.time_limit)
        tried = []
        for alpha in ALPHAS:
            found = search_rule_list(problem, alpha, self.iterations, self.temperature, rng, clock, self.progress)
            tried.append((alpha, found))
            if found.stopped_by != "completed":
                break
        return max(tried, key=lambda pair: _preference(pair[1], self.max_rules))


def _preference(found: FoundList, max_rules: int) -> tuple[bool, bool, float]:
    return found.is_feasible, len(found.chosen) < max_rules, found.autac


class _Search:
    """A search in progress: the list it stands at, and the best it has seen."""

    def __init__(self, problem: ListProblem, alpha: float, temperature: float, rng: np.random.Generator) -> None:
        longest, words = problem.max_rules, problem.candidates.shape[1]
        self.problem, self.alpha, self.temperature, self.rng = problem, alpha, temperature, rng
        self.chosen = np.zeros(longest, dtype=np.int64)
        self.left = np.zeros((longest + 1, words), dtype=np.uint64)
        self.left[0] = packed_columns(np.ones((len(problem.weights), 1), dtype=np.bool_))[0]
        self.taken = np.zeros((longest, 3))
        self.room = (self.chosen.copy(), self.left.copy(), self.taken.copy())
        self.steps = 0
        self.length = min(FIRST_RULES, longest, len(problem.candidates))
        self.chosen[: self.length] = rng.permutation(len(problem.candidates))[: self.length]
        self._evaluate()
        self.best, self.best_length, self.best_objective = self.chosen.copy(), 0, -np.inf
        self._note()

    def _evaluate(self) -> None:
        problem = self.problem
        evaluate(self.chosen, self.length, 0, problem.candidates, problem.weights, self.left, self.taken)

    def _note(self) -> None:
        """Let the list it stands at count as a candidate for best."""
        if self.taken[: self.length, 0].sum() >= self.problem.required and self.objective > self.best_objective:
            self.best[: self.length] = self.chosen[: self.length]
            self.best_length, self.best_objective = self.length, self.objective

    @property
    def autac(self) -> float:
        weights = self.problem.weights
        return float(area(self.taken, self.length, weights[:, 0].sum(), weights[:, 2].sum()))

    @property
    def objective(self) -> float:
        return self.autac - self.alpha * self.length

    def advance(self, steps: int) -> None:
        problem, draws = self.problem, self.rng.random((steps, 4))
        self.length, self.best_length, self.best_objective = walk(
            self.chosen,
            self.length,
            self.best,
            self.best_length,
            self.best_objective,
            self.steps + 1,
            draws,
            problem.candidates,
            problem.weights,
            self.left,
            self.taken,
            *self.room,
            problem.weights.sum(axis=0),
            self.alpha,
            self.temperature,
            problem.required,
        )
        self.steps += steps

    def finish(self) -> bool:
        """Stand at the best list, or at a list grown by what takes most where none took enough; whether one does."""
        if self.best_objective > -np.inf:
            self.length = self.best_length
            self.chosen[: self.length] = self.best[: self.length]
            self._evaluate()
            return True
        self._grow()
        self._note()
        return self.best_objective > -np.inf

    def _grow(self) -> None:
        problem = self.problem
        cover = greedy_cover(problem.covers, problem.weights[:, 0], problem.required, problem.max_rules)
        self.length = len(cover)
        self.chosen[: self.length] = cover
        self._evaluate()


def search_rule_list(
    problem: ListProblem,
    alpha: float,
    iterations: int,
    temperature: float,
    rng: np.random.Generator,
    clock: CpuClock,
    progress: ProgressListener | None = None,
) -> FoundList:
    """Algorithm 1: the best list of a stochastic local search; of an interrupted one, the best so far."""
    search = _Search(problem, alpha, temperature, rng)
    stopped_by: StoppedBy = "completed"
    try:
        while search.steps < iterations and len(problem.candidates):
            if clock.has_run_out:
                stopped_by = "time limit"
                break
            search.advance(min(BLOCK, iterations - search.steps))
            if progress is not None:
                progress(SearchProgress(search.best_objective, clock.seconds, search.steps / iterations))
    except KeyboardInterrupt:
        stopped_by = "interrupted"
    is_feasible = search.finish()
    chosen = tuple(int(place) for place in search.chosen[: search.length])
    return FoundList(chosen, search.objective, search.autac, is_feasible, stopped_by)


def rule_outcomes(problem: ListProblem, chosen: Sequence[int]) -> list[int]:
    """The majority outcome of the rows that each rule takes, 1 on a tie."""
    left = packed_columns(np.ones((len(problem.weights), 1), dtype=np.bool_)).repeat(len(chosen) + 1, axis=0)
    taken = np.zeros((len(chosen), 3))
    places = np.array(chosen, dtype=np.int64)
    evaluate(places, len(chosen), 0, problem.candidates, problem.weights, left, taken)
    return [int(2 * ones >= everything) for everything, ones, _ in taken]
