"""The nearest change of a row that gives another outcome: search, each proposal decided anew, and why there is none."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from decisionflow.conditions.values import Value
from decisionflow.evaluate.bound_model import BoundModel
from decisionflow.evaluate.interpreter import Row
from decisionflow.explain.nearest_change.answer import Proposal
from decisionflow.explain.nearest_change.comparing import Comparing
from decisionflow.explain.nearest_change.deciding import Deciding
from decisionflow.explain.nearest_change.formula import HalfSpace, Tried
from decisionflow.explain.nearest_change.mixed_integer import settled as settled_node
from decisionflow.explain.nearest_change.mixed_integer import solve_node
from decisionflow.explain.nearest_change.movable import Movable
from decisionflow.explain.nearest_change.opened_models import OpenedModels
from decisionflow.explain.nearest_change.opening import Opening
from decisionflow.explain.nearest_change.options import ChangeOptions
from decisionflow.explain.nearest_change.problem import HardPart, Problem, Survey, problem_of, survey
from decisionflow.explain.nearest_change.search import Met, Node, Search, Stuck
from decisionflow.explain.nearest_change.settling import settled
from decisionflow.explain.nearest_change.wanted import wanted_formula
from decisionflow.program.declarations import Feature
from decisionflow.types import Type

EQUALLY_CHEAP = 1e-12
MOST_STEPS, MOST_STUCK = 200_000, 200


@dataclass
class Task:
    """One question about one row: its features as `items`, what is asked, and by when to answer."""

    deciding: Deciding
    items: tuple[Movable, ...]
    options: ChangeOptions
    deadline: float
    fine: bool = False
    closed: bool = False

    @cached_property
    def survey(self) -> Survey:
        """Where the decision is as wanted; worked out once for all rows that lack the same values."""
        row, decision, wanted = self.deciding.row, self.deciding.decision, self.deciding.wanted
        names = tuple(item.name for item in self.items)
        key = ("nearest change", decision.name, repr(wanted), names, repr(row.settings))
        prepared = row.program.prepared
        if key not in prepared:
            places = {name: place for place, name in enumerate(names)}
            opening = opening_of(row, places, [item.type for item in self.items], self.deciding.models)
            formula = wanted_formula(opening, decision, wanted)
            prepared[key] = survey(formula, self.items, self.features)
        found: Survey = prepared[key]
        return found

    @property
    def features(self) -> list[Feature]:
        return [self.deciding.row.program.features[item.name] for item in self.items]

    @cached_property
    def problem(self) -> Problem:
        formula = settled(self.survey.formula, self.items)
        fixed = formula is not self.survey.formula
        return problem_of(self.items, survey(formula, self.items, self.features) if fixed else self.survey, self.fine)

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
            return part.hard.holds(self.deciding.changed(self.changes(node)).evaluate(part.hard.condition))
        score = part.hard.scored.score(self.values(node))
        return part.hard.comparison.holds(score, part.hard.threshold, tolerant=True)

    def search(self) -> Search:
        """A search over this task's places."""
        return Search(self.problem, self.holds, self.solve, self.settle, self.options.max_features)

    def solve(self, node: Node) -> list[Node]:
        """The nodes, solved or split, that stand for one."""
        seconds = self.deadline - time.monotonic()
        return solve_node(self.items, self.problem, node, self.options.max_features, seconds, self.closed)

    def settle(self, node: Node) -> Node:
        """A solved node at the point wanted of those that cost as much."""
        seconds = self.deadline - time.monotonic()
        if self.closed:
            return replace(node, solved=None if node.solved is None else replace(node.solved, settled=True))
        return settled_node(self.items, self.problem, node, self.options.max_features, seconds)

    @property
    def is_late(self) -> bool:
        return time.monotonic() > self.deadline


def opening_of(row: Row, places: Mapping[str, int], kinds: Sequence[Type], models: Mapping[str, BoundModel]) -> Opening:
    """What opens the policy's expressions at a row, its models among them."""
    opened = OpenedModels(row, models)
    opening = Opening(row, places, Comparing(kinds, row.program.parameters, opened.compare))
    opened.cases = opening.cases
    return opening


@dataclass
class _Progress:
    """What has been met so far."""

    proposals: list[Proposal] = field(default_factory=list)
    unsure: float | None = None
    finished: bool = True

    def doubt(self, cost: float | None) -> None:
        """From this cost on, something may have been missed."""
        if cost is not None and (self.unsure is None or cost < self.unsure):
            self.unsure = cost

    def add(self, proposal: Proposal | None) -> None:
        """One more proposal, put first where it is the cheapest."""
        if proposal is not None and (not self.proposals or proposal.cost < self.proposals[0].cost - EQUALLY_CHEAP):
            self.proposals.insert(0, proposal)


def searched(task: Task) -> _Progress:
    """A search by whole steps; where it proves that there is nothing, one that looks between them too."""
    progress = _search(task)
    if progress.proposals or progress.unsure is not None or not progress.finished:
        return progress
    return _search(replace(task, fine=True))


def _search(task: Task) -> _Progress:
    search, progress = task.search(), _Progress()
    for met in search.run():
        if isinstance(met, Stuck):
            progress.doubt(met.cost)
        elif met is not None:
            _meet(task, search, progress, met)
        if len(progress.proposals) == task.options.answers:
            break
        if task.is_late or search.steps > MOST_STEPS or search.stuck > MOST_STUCK:
            progress.doubt(search.bound)
            progress.finished = search.bound is None
            break
    return progress


def _meet(task: Task, search: Search, progress: _Progress, met: Met) -> None:
    proposal = _decided_anew(task, met)
    if proposal is None:
        progress.doubt(met.bound)
        return
    progress.proposals.append(proposal)
    search.avoided.append(frozenset(met.changed))
    if met.bound < met.cost - EQUALLY_CHEAP:
        progress.doubt(met.bound)


def _decided_anew(task: Task, met: Met) -> Proposal | None:
    values = task.changes(met.node)
    outcome = task.deciding.decide(values)
    return Proposal(values, met.cost, outcome) if task.deciding.satisfies(outcome) else None
