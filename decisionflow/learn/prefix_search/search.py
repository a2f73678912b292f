"""Exact search for the best prefix of rules: the entry point, on arrays."""

from __future__ import annotations

import contextlib
import functools
import time
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from decisionflow.errors import InfeasibleError
from decisionflow.learn.prefix_search.bounds import cheapest_tail
from decisionflow.learn.prefix_search.compilation import told_if_slow
from decisionflow.learn.prefix_search.completion import Incumbent, no_incumbent
from decisionflow.learn.prefix_search.expansion import DONE, FULL, expand_best
from decisionflow.learn.prefix_search.frontier import (
    EXPANSIONS,
    QUEUED,
    TAKEN,
    Frontier,
    add_node,
    bytes_of,
    new_frontier,
    push,
    with_room,
)
from decisionflow.learn.prefix_search.gain_caps import Budget, GainCaps, gain_of_all
from decisionflow.learn.prefix_search.node import Glass, new_glass
from decisionflow.learn.prefix_search.result import PrefixSearchResult
from decisionflow.learn.prefix_search.rows import RowClasses, merge_equal_rows, whole_weights
from decisionflow.learn.prefix_search.task import Paradigm, Task, build_task
from decisionflow.learn.search_progress import ProgressListener, SearchProgress, StoppedBy

SECONDS_PER_BATCH = 0.1
QUEUE_STEP = 0.25
COVERAGE_REWARDS = (0.02, 0.06, 0.15, 0.4)
MOST_VISITS = 3_000_000


class Round(NamedTuple):
    """Expansions of a search for a better incumbent, share of the time left to cap gains, expansions of the proof."""

    scouting: int
    capping: float
    expansions: int | None


ROUNDS = (
    Round(0, 0.0, 400),
    Round(400, 0.0, 4000),
    Round(3000, 0.05, 40_000),
    Round(12_000, 0.5, None),
)


def search_prefix(
    candidates: ArrayLike,
    labels: ArrayLike,
    *,
    paradigm: Paradigm = "post",
    black_box: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    min_transparency: float = 0.0,
    regularization: float = 0.01,
    max_rules: int | None = None,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    progress: ProgressListener | None = None,
) -> PrefixSearchResult:
    """The list of rules that is best under a paradigm, with proof.

    `candidates` (n, m): which rows each candidate covers; `labels` (n,) 0 or 1; `black_box` (n,) its predictions, for
    "post" only; `sample_weight` (n,): whole numbers count rows, others are scaled (see `whole_weights`). `time_limit`
    counts CPU seconds of this thread without compilation, `memory_limit` GiB of open prefixes. Ctrl-C ends the search
    with the best list so far. `progress` is called several times a second.

    Raises `InfeasibleError` where it is proved that no list covers enough rows.

    Objectives: "post" Eq. 10, "pre" Eq. 11, "pre_no_collaboration" Eq. 15, "corels" Eq. 7. Deviates from the published
    algorithms in its bounds: the published ones are not valid for every black box and every coverage constraint.
    """
    compile_kernels(paradigm)
    covers = np.asarray(candidates, dtype=np.bool_)
    truth = np.asarray(labels, dtype=np.int64)
    guesses = truth if black_box is None else np.asarray(black_box, dtype=np.int64)
    weights = whole_weights(None if sample_weight is None else np.asarray(sample_weight), len(truth))
    clock = _Clock(time_limit, memory_limit, progress)
    classes = merge_equal_rows(covers, truth, guesses != truth, weights)
    task = build_task(classes, paradigm, min_transparency, regularization, max_rules)
    return _search(task, classes, clock)


def compile_kernels(paradigm: Paradigm) -> None:
    """Compile, or load from the cache, what a search runs: once per process, outside any time limit."""
    _compile(paradigm == "post")


@functools.cache
def _compile(gains: bool) -> None:
    classes = merge_equal_rows(
        np.eye(3, dtype=np.bool_), np.array([0, 1, 0]), np.array([True, False, True]), np.ones(3, dtype=np.int64)
    )
    with told_if_slow():
        task = build_task(classes, "post", 0.9, 0.01, None)
        _search(task, classes, _Clock(None, None, None))
        with_room(new_frontier(4), 100, np.inf)
        if gains:
            GainCaps(task).improve(np.inf, Budget(10, lambda: np.inf, lambda: None))


@dataclass(slots=True)
class _Clock:
    time_limit: float | None
    memory_limit: float | None
    progress: ProgressListener | None
    started: float = field(default_factory=time.thread_time)

    @property
    def seconds(self) -> float:
        return time.thread_time() - self.started

    @property
    def seconds_left(self) -> float:
        return np.inf if self.time_limit is None else self.time_limit - self.seconds

    @property
    def most_bytes(self) -> float:
        return np.inf if self.memory_limit is None else self.memory_limit * 2**30


@dataclass(slots=True)
class _Run:
    """A search under way: the frontier is replaced when it grows, the incumbent is shared."""

    task: Task
    glass: Glass
    incumbent: Incumbent
    frontier: Frontier
    clock: _Clock
    caps: GainCaps
    expanded_before: int = 0
    bytes_elsewhere: int = 0
    capping_seconds: float = 0.0

    @property
    def bound(self) -> float:
        open_bound = self.frontier.heap[0]["key"] if self.frontier.counts[QUEUED] else np.inf
        return float(min(open_bound, self.incumbent.cost[0]))

    @property
    def expansions(self) -> int:
        return int(self.expanded_before + self.frontier.counts[EXPANSIONS])

    @property
    def queue_step(self) -> float:
        return QUEUE_STEP * self.task.terms.rule_cost

    def makes_room(self) -> bool:
        larger = with_room(self.frontier, len(self.task.rules), self.clock.most_bytes - self.bytes_elsewhere)
        self.frontier = larger or self.frontier
        return larger is not None

    def report(self) -> None:
        if self.clock.progress is not None:
            rows = self.task.terms.rows
            objective, bound = float(self.incumbent.cost[0]) / rows, self.bound / rows
            self.clock.progress(SearchProgress(objective, self.clock.seconds, bound=bound))


def _search(task: Task, classes: RowClasses, clock: _Clock) -> PrefixSearchResult:
    incumbent = no_incumbent(task)
    _try_empty_list(task, classes, incumbent)
    run = _Run(task, new_glass(task), incumbent, _rooted(task), clock, GainCaps(task))
    stopped_by: StoppedBy = "interrupted"
    with contextlib.suppress(KeyboardInterrupt):
        stopped_by = _prove(run)
    if stopped_by == "completed" and incumbent.length[0] < 0:
        raise InfeasibleError(_why_infeasible(task, classes))
    return _result(run, classes, stopped_by)


def _prove(run: _Run) -> StoppedBy:
    """Rounds of looking ahead and proving: what is easy is proved before much is spent on the start."""
    for stage in ROUNDS:
        if stage.scouting:
            _look_ahead(run, stage.scouting)
        if stage.capping and gain_of_all(run.task) > 0:
            _restart_with_caps(run, stage.capping)
        stopped_by = _advance(run, stage.expansions)
        if stopped_by != "completed" or not run.frontier.counts[QUEUED]:
            return stopped_by
    return "completed"


def _restart_with_caps(run: _Run, share_of_time: float) -> None:
    """Cap what the rules can gain, and begin again where that makes the bounds better."""
    started = run.clock.seconds
    until = started + share_of_time * run.clock.seconds_left
    budget = Budget(MOST_VISITS, lambda: until - run.clock.seconds, run.report)
    if run.caps.improve(run.incumbent.cost[0], budget):
        run.expanded_before = run.expansions
        run.task = run.task._replace(gain_cap=run.caps.sums())
        run.frontier = _rooted(run.task)
    run.capping_seconds += run.clock.seconds - started


def _look_ahead(run: _Run, expansions: int) -> None:
    """Better incumbents, by searches that are paid for coverage and prove nothing."""
    for reward in COVERAGE_REWARDS:
        scout = _Run(
            run.task, run.glass, run.incumbent, _rooted(run.task), run.clock, run.caps, 0, bytes_of(run.frontier)
        )
        _advance(scout, expansions, reward)
        run.expanded_before += scout.expansions


def _advance(run: _Run, expansions: int | None, reward: float = 0.0) -> StoppedBy:
    """Expand until nothing is left, the number of expansions is used up, or a limit is reached."""
    batch, counts = 1, run.frontier.counts
    last = np.inf if expansions is None else int(counts[EXPANSIONS]) + expansions
    while counts[EXPANSIONS] < last and counts[QUEUED]:
        if run.clock.seconds_left <= 0:
            return "time limit"
        started, taken = time.thread_time(), int(counts[TAKEN])
        step = run.queue_step if reward == 0.0 else np.inf
        count = int(min(batch, last - counts[EXPANSIONS]))
        state = expand_best(run.task, run.frontier, run.glass, run.incumbent, reward, step, count)
        if state == DONE:
            break
        if state == FULL and not run.makes_room():
            return "memory limit"
        batch = _next_batch(int(counts[TAKEN]) - taken, time.thread_time() - started, run.clock.seconds_left)
        if reward == 0.0:
            run.report()
    return "completed"


def _next_batch(taken: int, seconds: float, seconds_left: float) -> int:
    """How many prefixes to take next, at the pace of the last ones: a full frontier may have cut their batch short."""
    wanted = min(SECONDS_PER_BATCH, max(seconds_left, 0.0))
    return max(1, min(4 * taken, int(taken * wanted / max(seconds, 1e-6))))


def _rooted(task: Task) -> Frontier:
    """A frontier that holds the empty prefix alone, bounded by every list of one rule or more."""
    frontier = new_frontier(4 * len(task.rules) + 1024)
    least = (
        task.terms.rule_cost
        if task.terms.ratio
        else task.terms.left_cost + cheapest_tail(task.terms, task.gain_cap, 0, 1, gain_of_all(task))
    )
    if task.terms.max_rules > 0:
        push(frontier, add_node(frontier, -1, -1, 0, least, np.uint64(0), np.uint64(0)), least)
    return frontier


def _try_empty_list(task: Task, classes: RowClasses, incumbent: Incumbent) -> None:
    """The black box alone, or the default label alone."""
    if task.terms.needed > 0:
        return
    default_errors = (
        min(int(classes.zeros.sum()), int(classes.ones.sum())) - task.terms.left_cost if task.terms.default else 0
    )
    base = 0 if task.terms.ratio else task.terms.left_cost + default_errors
    incumbent.cost[0] = base + task.terms.beta * task.terms.rows
    incumbent.length[0] = 0


def _why_infeasible(task: Task, classes: RowClasses) -> str:
    reachable = int(classes.sizes[classes.covers.any(axis=1)].sum()) if len(classes.kept) else 0
    if reachable < task.terms.needed:
        return (
            f"{task.terms.needed} of {task.terms.rows} rows must be covered, "
            f"but all candidates together cover {reachable}; "
            f"lower min_transparency to {reachable / task.terms.rows:.3f} or less, or offer wider candidates"
        )
    return (
        f"{task.terms.needed} of {task.terms.rows} rows must be covered, "
        f"and no {task.terms.max_rules} candidates cover so many; "
        "raise max_rules or lower min_transparency"
    )


def _result(run: _Run, classes: RowClasses, stopped_by: StoppedBy) -> PrefixSearchResult:
    task, incumbent = run.task, run.incumbent
    found = int(incumbent.length[0])
    objective = float(incumbent.cost[0]) / task.terms.rows
    chosen = [int(rule) for rule in incumbent.rules[: max(0, found)]]
    prefix, left = _labelled(classes, chosen)
    return PrefixSearchResult(
        prefix=prefix if found >= 0 else None,
        default_label=_majority(classes, left) if task.terms.default else None,
        objective=objective,
        lower_bound=objective if stopped_by == "completed" else min(objective, run.bound / task.terms.rows),
        covered=int(classes.sizes[~left].sum()),
        stopped_by=stopped_by,
        expansions=run.expansions,
        cpu_seconds=run.clock.seconds,
        capping_seconds=run.capping_seconds,
    )


def _labelled(classes: RowClasses, chosen: list[int]) -> tuple[tuple[tuple[int, int], ...], NDArray[np.bool_]]:
    """Each chosen rule with the majority label of what it captures, and which classes no rule captures."""
    left = np.ones(len(classes.zeros), dtype=np.bool_)
    prefix = []
    for rule in chosen:
        captured = left & classes.covers[:, rule]
        prefix.append((int(classes.kept[rule]), _majority(classes, captured)))
        left &= ~captured
    return tuple(prefix), left


def _majority(classes: RowClasses, members: NDArray[Any]) -> int:
    return int(classes.ones[members].sum() >= classes.zeros[members].sum())
