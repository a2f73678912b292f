"""The cheapest point where a formula holds: best-first branch and bound over the places of the features.

A node is a set of places for every feature, conditions over several features, and parts of the formula still to be
met. Its cheapest point costs no more than any other in it, so the first cheapest point at which all parts hold is
optimal. Where some part does not hold there, the node is split into the ways in which it can, each without those
before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from itertools import count

from decisionflow.explain.nearest_change.formula import HalfSpace, Threshold
from decisionflow.explain.nearest_change.problem import Bit, Every, HardPart, Placed, Problem, Several

Key = tuple[float, int, tuple[int, ...]]
STEPS_A_PAUSE = 64


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """Places `masks` of every feature, the cheapest of them `at`; hard conditions, and parts still to be met.

    No point of it costs less than `floor`; `solved` has its cheapest point with the hard conditions. Features that are
    `staying` have the row's own value; others may lie anywhere between their place and the next.
    """

    masks: tuple[int, ...]
    at: tuple[int, ...]
    hard: tuple[HardPart, ...]
    pending: tuple[Placed, ...]
    floor: float = 0.0
    solved: Solved | None = None
    staying: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Solved:
    """The cheapest point of a node with its hard conditions: `values` of the features that these read.

    No point of the node costs less than `bound`, which is the cost unless the solver ran out of time. Of points that
    cost as much, it is the one asked for only where `settled`.
    """

    cost: float
    bound: float
    values: dict[int, float | str | bool]
    settled: bool = False


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
    point fails a hard condition: itself, solved, or parts of it, or none where it is empty. `settle` puts a solved node
    to the point that changes the fewest features of those that cost as much, then the first declared.
    """

    problem: Problem
    holds: Holds
    solve: Solve
    settle: Callable[[Node], Node]
    most_changes: int | None = None
    avoided: list[frozenset[int]] = field(default_factory=list)
    steps: int = 0
    stuck: int = 0
    _order: Iterator[int] = field(default_factory=count)
    _heap: list[tuple[Key, int, Node]] = field(default_factory=list)

    def run(self) -> Iterator[Met | Stuck | None]:
        """Everything that is met; a caller that has had enough stops asking, and can do so at a None now and then."""
        masks = tuple(places.permitted for places in self.problem.places)
        here = tuple(places.here for places in self.problem.places)
        self._push(self._child(Node(masks, here, (), ()), [self.problem.root]))
        while self._heap:
            self.steps += 1
            if self.steps % STEPS_A_PAUSE == 0:
                yield None
            (cost, _, changed), _, node = heappop(self._heap)
            avoided = self._avoided(changed)
            if avoided is not None:
                self._without(node, avoided)
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
            if failing is None and node.solved is not None and not node.solved.settled:
                self._push(self.settle(node))
            elif failing is None:
                yield Met(node, cost if node.solved is None else node.solved.cost, cost, changed)
                met = self._avoided(changed)
                if met is not None:
                    self._without(node, met)
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
        solved = node.solved is not None
        at = tuple(
            place if mask is old and not solved else places.nearest(mask)
            for place, mask, old, places in zip(node.at, masks, node.masks, self.problem.places, strict=True)
        )
        floor = node.floor if node.solved is None else node.solved.bound
        return Node(tuple(masks), at, tuple(hard), tuple(pending), floor, staying=node.staying)

    def _push(self, node: Node | None) -> None:
        if node is None:
            return
        changed = self._changed(node)
        if self.most_changes is not None and len(changed) > self.most_changes:
            self._without(node, frozenset(changed))
            return
        cost = node.solved.bound if node.solved is not None else max(node.floor, self.problem.cost(node.at))
        heappush(self._heap, ((round(cost, 12), len(changed), changed), next(self._order), node))

    def _changed(self, node: Node) -> tuple[int, ...]:
        """The features that differ from the row at a node's point; a solver may put one between two places."""
        given = {} if node.solved is None else node.solved.values
        return tuple(
            number
            for number, (places, at) in enumerate(zip(self.problem.places, node.at, strict=True))
            if (given[number] != places.item.here if number in given else at != places.here)
        )

    def _avoided(self, changed: Sequence[int]) -> frozenset[int] | None:
        """An earlier answer all of whose features it changes too, so that it is no other way; None if there is none."""
        return next((avoided for avoided in self.avoided if avoided.issubset(changed)), None)

    def _without(self, node: Node, avoided: frozenset[int]) -> None:
        """The node where some feature of an earlier answer stays, which it can where only a solver moved it."""
        for feature in sorted(avoided - node.staying):
            here = 1 << self.problem.places[feature].here
            if node.masks[feature] & here:
                masks = tuple(here if at == feature else mask for at, mask in enumerate(node.masks))
                self._push(self._child(replace(node, masks=masks, staying=node.staying | {feature}), []))
