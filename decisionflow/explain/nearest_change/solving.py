"""The nearest change of a row that gives another outcome: search, each proposal decided anew, and why there is none."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from decisionflow.conditions.operators import Comparison
from decisionflow.conditions.values import Value
from decisionflow.explain.nearest_change.answer import Answer, Proposal, Status
from decisionflow.explain.nearest_change.comparing import Comparing
from decisionflow.explain.nearest_change.deciding import Deciding
from decisionflow.explain.nearest_change.formula import Formula, HalfSpace, Tried
from decisionflow.explain.nearest_change.movable import Movable, freed
from decisionflow.explain.nearest_change.opening import Opening
from decisionflow.explain.nearest_change.options import ChangeOptions
from decisionflow.explain.nearest_change.problem import HardPart, Problem, problem_of
from decisionflow.explain.nearest_change.search import Met, Node, Search
from decisionflow.explain.nearest_change.settling import settled
from decisionflow.explain.nearest_change.spelling import domain_units
from decisionflow.explain.nearest_change.wanted import wanted_formula

EQUALLY_CHEAP = 1e-12
MOST_STEPS = 200_000


@dataclass
class Task:
    """One question about one row: its features as `items`, what is asked, and by when to answer."""

    deciding: Deciding
    items: tuple[Movable, ...]
    options: ChangeOptions
    deadline: float
    fine: bool = False

    @cached_property
    def formula(self) -> Formula:
        """Where the decision is as wanted; worked out once for all rows that lack the same values."""
        row, decision = self.deciding.row, self.deciding.decision
        key = (
            "nearest change",
            decision.name,
            repr(self.deciding.wanted),
            tuple(item.name for item in self.items),
            repr(row.settings),
        )
        prepared = row.program.prepared
        if key not in prepared:
            places = {item.name: place for place, item in enumerate(self.items)}
            comparing = Comparing([item.type for item in self.items], row.program.parameters, _unopened)
            prepared[key] = wanted_formula(Opening(row, places, comparing), decision, self.deciding.wanted)
        found: Formula = prepared[key]
        return found

    @cached_property
    def problem(self) -> Problem:
        features = self.deciding.row.program.features
        units = [domain_units(features[item.name]) for item in self.items]
        return problem_of(self.items, settled(self.formula, self.items), units, self.fine)

    def values(self, node: Node) -> dict[int, float | str | bool]:
        """The place of every feature at a node's point."""
        found = {
            at: each.values[place] for at, (each, place) in enumerate(zip(self.problem.places, node.at, strict=True))
        }
        return found if node.solved is None else found | node.solved.values

    def changes(self, node: Node) -> dict[str, Value]:
        """The new values at a node's point of the features that change."""
        values = self.values(node)
        return {item.name: item.value(values[at]) for at, item in enumerate(self.items) if values[at] != item.here}

    def holds(self, part: HardPart, node: Node) -> bool:
        """Whether a condition over several features holds at a node's point."""
        if isinstance(part.hard, HalfSpace):
            return part.hard.holds(self.values(node))
        if isinstance(part.hard, Tried):
            found = self.deciding.changed(self.changes(node)).evaluate(part.hard.condition)
            return (found is True) == part.hard.wanted
        score = part.hard.scored.score(self.values(node))
        return part.hard.comparison.holds(score, part.hard.threshold, tolerant=True)

    def search(self) -> Search:
        """A search over this task's places."""
        return Search(self.problem, self.holds, _unsolved, self.options.max_features)

    @property
    def is_late(self) -> bool:
        return time.monotonic() > self.deadline


def _unsolved(node: Node) -> None:
    """Conditions over several features are tried out."""


def _unopened(name: str, comparison: Comparison, value: Value) -> None:
    """Models are tried out."""


@dataclass
class _Progress:
    """What has been met so far."""

    proposals: list[Proposal] = field(default_factory=list)
    unsure: float | None = None
    finished: bool = True


def nearest_change(deciding: Deciding, items: Sequence[Movable], options: ChangeOptions) -> Answer:
    """The cheapest change of permitted features that gives what is wanted.

    Branch and bound over the places of the features: exact where every condition can be opened to conditions on
    features (`optimal`, or `impossible` with the features that forbid it); where some can only be tried out, what has
    been `found`, with a bound that no change stays below.
    """
    if deciding.row.invalid_features(deciding.decision.name):
        return Answer("not found")
    task = Task(deciding, tuple(items), options, time.monotonic() + options.time_limit)
    progress = _searched(task)
    if progress.proposals:
        best = progress.proposals[0].cost
        bound = best if progress.unsure is None else min(best, progress.unsure)
        status: Status = "optimal" if bound >= best - EQUALLY_CHEAP else "found"
        return Answer(status, tuple(progress.proposals), bound)
    if progress.unsure is not None or not progress.finished:
        return Answer("not found", bound=progress.unsure)
    return Answer("impossible", because=forbidding(task))


def _searched(task: Task) -> _Progress:
    """A search by whole steps; where it proves that there is nothing, one that looks between them too."""
    progress = _search(task)
    if progress.proposals or progress.unsure is not None or not progress.finished:
        return progress
    return _search(replace(task, fine=True))


def _search(task: Task) -> _Progress:
    search, progress = task.search(), _Progress()
    for met in search.run():
        if isinstance(met, Met):
            proposal = _decided_anew(task, met)
            if proposal is None:
                progress.unsure = met.cost if progress.unsure is None else progress.unsure
            else:
                progress.proposals.append(proposal)
                search.avoided.append(frozenset(met.changed))
                if len(progress.proposals) == task.options.answers:
                    break
        elif progress.unsure is None:
            progress.unsure = met.cost
        if task.is_late or search.steps > MOST_STEPS:
            progress.finished = False
            break
    return progress


def _decided_anew(task: Task, met: Met) -> Proposal | None:
    values = task.changes(met.node)
    outcome = task.deciding.decide(values)
    return Proposal(values, met.cost, outcome) if task.deciding.satisfies(outcome) else None


def forbidding(task: Task) -> tuple[str, ...]:
    """The features that forbid every change: one alone where freeing it is enough, else a smallest set of them.

    A feature is freed of being immutable and of its direction, not of its domain. None where no values would do.
    """
    free = [freed(task.deciding.row.program.features[item.name], item) for item in task.items]
    held = [at for at, item in enumerate(task.items) if free[at].permitted != item.permitted]
    for at in held:
        if _is_possible(task, free, {at}):
            return (task.items[at].name,)
    needed = set(held)
    if not held or not _is_possible(task, free, needed):
        return ()
    for at in held:
        if _is_possible(task, free, needed - {at}):
            needed.discard(at)
    return tuple(task.items[at].name for at in sorted(needed))


def _is_possible(task: Task, free: Sequence[Movable], chosen: set[int]) -> bool:
    items = tuple(free[at] if at in chosen else item for at, item in enumerate(task.items))
    return bool(_searched(replace(task, items=items, options=replace(task.options, answers=1))).proposals)
