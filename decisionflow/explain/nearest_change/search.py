"""The cheapest point where a formula holds: best-first branch and bound over the places of the features.

A node is a set of places for every feature, conditions over several features, and parts of the formula still to be
met. Its cheapest point costs no more than any other in it, so the first cheapest point at which all parts hold is
optimal. Where some part does not hold there, the node is split into the ways in which it can, each without those
before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count

from decisionflow.explain.nearest_change.formula import HalfSpace, Threshold
from decisionflow.explain.nearest_change.problem import Bit, Every, HardPart, Placed, Problem, Several

Key = tuple[float, int, tuple[int, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """Places `masks` of every feature, the cheapest of them `at`; hard conditions, and parts still to be met.

    No point of it costs less than `floor`; `solved` has its cheapest point with the hard conditions.
    """

    masks: tuple[int, ...]
    at: tuple[int, ...]
    hard: tuple[HardPart, ...]
    pending: tuple[Placed, ...]
    floor: float = 0.0
    solved: Solved | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Solved:
    """The cheapest point of a node with its hard conditions: `values` of the features that these read.

    No point of the node costs less than `bound`, which is the cost unless the solver ran out of time.
    """

    cost: float
    bound: float
    values: dict[int, float | str | bool]


@dataclass(frozen=True, slots=True, eq=False)
class Stuck:
    """The cheapest point of the node does not meet its hard conditions, and no solver takes them: a bound only."""

    node: Node
    cost: float


@dataclass(frozen=True, slots=True, eq=False)
class Met:
    """A point at which everything holds, what it costs, and what nothing else costs less than."""

    node: Node
    cost: float
    bound: float
    changed: tuple[int, ...]


Holds = Callable[[HardPart, Node], bool]
Solve = Callable[[Node], list[Node]]


@dataclass
class Search:
    """Yields what it meets, cheapest first: points where all holds, and nodes in which it is stuck.

    `holds` tells whether a hard condition holds at a node's point; `solve` gives the nodes that stand for one whose
    point fails a hard condition: itself, solved, or parts of it, or none where it is empty.
    """

    problem: Problem
    holds: Holds
    solve: Solve
    most_changes: int | None = None
    avoided: list[frozenset[int]] = field(default_factory=list)
    steps: int = 0
    stuck: int = 0
    _order: Iterator[int] = field(default_factory=count)
    _heap: list[tuple[Key, int, Node]] = field(default_factory=list)

    def run(self) -> Iterator[Met | Stuck]:
        """Everything that is met; a caller that has had enough stops asking."""
        masks = tuple(places.permitted for places in self.problem.places)
        here = tuple(places.here for places in self.problem.places)
        self._push(self._child(Node(masks, here, (), ()), [self.problem.root]))
        while self._heap:
            self.steps += 1
            (cost, _, changed), _, node = heappop(self._heap)
            if self._is_avoided(changed):
                continue
            if not all(self.holds(part, node) for part in node.hard):
                if node.solved is None and self.is_written(node):
                    for each in self.solve(node):
                        self._push(each)
                else:
                    self.stuck += 1
                    yield Stuck(node, cost)
                continue
            failing = next((part for part in node.pending if not self.is_met(part, node)), None)
            if failing is None:
                yield Met(node, cost if node.solved is None else node.solved.cost, cost, changed)
            elif isinstance(failing, Several):
                self._branch(node, failing)

    @property
    def bound(self) -> float | None:
        """What everything still open costs at least; None where nothing is."""
        return self._heap[0][0][0] if self._heap else None

    @staticmethod
    def is_written(node: Node) -> bool:
        """Whether a solver knows some hard condition of the node."""
        return any(isinstance(part.hard, HalfSpace | Threshold) for part in node.hard)

    def is_met(self, part: Placed, node: Node) -> bool:
        """Whether a part holds at the node's point."""
        if isinstance(part, Bit):
            return bool(part.mask >> node.at[part.feature] & 1)
        if isinstance(part, Every):
            return all(self.is_met(each, node) for each in part.parts)
        if isinstance(part, HardPart):
            return self.holds(part, node)
        if part.number == 1:
            return any(self.is_met(each, node) for each in part.parts)
        return sum(self.is_met(each, node) for each in part.parts) >= part.number

    def _branch(self, node: Node, failing: Several) -> None:
        """The ways to meet a part: each of its parts, without those before it where these are on one feature."""
        rest = tuple(part for part in node.pending if part is not failing)
        without: list[Placed] = []
        for at, part in enumerate(failing.parts):
            more: list[Placed] = [part, *without]
            if failing.number > 1:
                more.append(Several(failing.parts[at + 1 :], failing.number - 1))
            self._push(self._child(node, more, rest))
            if isinstance(part, Bit):
                without.append(Bit(part.feature, self.problem.places[part.feature].full & ~part.mask))

    def _child(self, node: Node, parts: Sequence[Placed], rest: tuple[Placed, ...] | None = None) -> Node | None:
        """The node with more parts; None where they leave nothing."""
        masks, hard = list(node.masks), list(node.hard)
        pending = list(node.pending if rest is None else rest)
        waiting = list(reversed(parts))
        while waiting:
            part = waiting.pop()
            if isinstance(part, Bit):
                left = masks[part.feature] & part.mask
                if not left:
                    return None
                masks[part.feature] = left
            elif isinstance(part, Every):
                waiting += part.parts
            elif isinstance(part, HardPart):
                hard.append(part)
            elif len(part.parts) < part.number:
                return None
            elif part.number == len(part.parts):
                waiting += part.parts
            else:
                pending.append(part)
        at = tuple(
            place if mask is old else places.nearest(mask)
            for place, mask, old, places in zip(node.at, masks, node.masks, self.problem.places, strict=True)
        )
        floor = node.floor if node.solved is None else node.solved.bound
        return Node(tuple(masks), at, tuple(hard), tuple(pending), floor)

    def _push(self, node: Node | None) -> None:
        if node is None:
            return
        places = self.problem.places
        changed = tuple(
            number for number, (each, at) in enumerate(zip(places, node.at, strict=True)) if at != each.here
        )
        if (self.most_changes is not None and len(changed) > self.most_changes) or self._is_avoided(changed):
            return
        cost = node.solved.bound if node.solved is not None else max(node.floor, self.problem.cost(node.at))
        heappush(self._heap, ((round(cost, 12), len(changed), changed), next(self._order), node))

    def _is_avoided(self, changed: Sequence[int]) -> bool:
        """Whether it changes all that an earlier answer changes, so that it is no other way."""
        return any(avoided.issubset(changed) for avoided in self.avoided)
