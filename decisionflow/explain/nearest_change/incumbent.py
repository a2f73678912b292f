"""A quick good point for thresholds on sums of trees: places that cost more than it need no look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from decisionflow.explain.nearest_change.formula import Threshold
from decisionflow.explain.nearest_change.problem import Problem
from decisionflow.explain.nearest_change.search import Node

Points = NDArray[np.intp]
MOST_OF_A_FEATURE, MOST_MOVES = 24, 20
SLACK = 1e-9


def narrowed(problem: Problem, node: Node, sums: Sequence[Threshold]) -> tuple[Node, float | None]:
    """The node without the places that cost more than a point that is good enough, and what that point costs.

    The node as it is, and None, where no point was found.
    """
    best = _good_cost(problem, node, sums)
    if best is None:
        return node, None
    total = problem.cost(node.at)
    masks = list(node.masks)
    for feature in sorted({feature for each in sums for feature in each.scored.features}):
        places = problem.places[feature]
        budget = best - (total - places.costs[node.at[feature]]) + SLACK
        cheap = sum(1 << at for at, cost in enumerate(places.costs) if cost <= budget)
        masks[feature] &= cheap
    return replace(node, masks=tuple(masks)), best + SLACK


def _good_cost(problem: Problem, node: Node, sums: Sequence[Threshold]) -> float | None:
    """The cost of a point met by changing one feature, two, or one after the other by gain for its cost, brought nearer
    for as long as one or two changes more make it cheaper."""
    looking = _Looking(problem, node, sums)
    start = np.array(node.at, dtype=np.intp)
    single = looking.moves(start)
    found = [looking.cheapest(single), looking.cheapest(looking.pairs(start, single)), looking.greedy(start)]
    costs = [looking.nearer(point) for point in found if point is not None]
    return min(costs, default=None)


class _Looking:
    """Points of a node as rows of places, their costs, and how far each is from meeting the thresholds."""

    def __init__(self, problem: Problem, node: Node, sums: Sequence[Threshold]) -> None:
        self.problem, self.node, self.sums = problem, node, sums
        self.features = sorted({feature for each in sums for feature in each.scored.features})
        self.values: dict[int, NDArray[Any]] = {
            at: np.array(problem.places[at].values, dtype=object) for at in self.features
        }
        for at in self.features:
            if problem.places[at].item.is_measured:
                self.values[at] = self.values[at].astype(np.float64)
        self.costs = [np.array(places.costs) for places in problem.places]

    def moves(self, point: Points) -> Points:
        """Every point that differs from one in one feature."""
        found = []
        for feature in self.features:
            mask = self.node.masks[feature]
            places = [at for at in range(mask.bit_length()) if mask >> at & 1 and at != point[feature]]
            rows = np.repeat(point[None, :], len(places), axis=0)
            rows[:, feature] = places
            found.append(rows)
        return np.concatenate(found)

    def pairs(self, point: Points, single: Points) -> Points:
        """Points with two changes, of the single ones that gain, or save, the most for what they cost, or lose."""
        lack, cost = self.lack(single), self.cost(single)
        gain, extra = self.lack(point[None, :])[0] - lack, cost - self.cost(point[None, :])[0]
        worth = np.where(extra > 0, gain / np.maximum(extra, SLACK), -extra / np.maximum(-gain, SLACK))
        chosen: list[list[tuple[int, int]]] = []
        for feature in self.features:
            rows = np.flatnonzero((single[:, feature] != point[feature]) & (worth > 0))
            best = rows[np.argsort(-worth[rows], kind="stable")][:MOST_OF_A_FEATURE]
            chosen.append([(feature, int(single[row, feature])) for row in best])
        found = [(one, other) for first, second in combinations(chosen, 2) for one in first for other in second]
        rows = np.repeat(point[None, :], len(found), axis=0)
        for row, changes in enumerate(found):
            for feature, place in changes:
                rows[row, feature] = place
        return rows

    def greedy(self, point: Points) -> Points | None:
        """A point after changing one feature after the other, each time the one that gains the most for its cost."""
        for _ in range(2 * len(self.features)):
            rows = self.moves(point)
            done = self.cheapest(rows)
            if done is not None:
                return done
            gain = self.lack(point[None, :])[0] - self.lack(rows)
            extra = self.cost(rows) - self.cost(point[None, :])[0]
            worth = np.where(gain > SLACK, gain / np.maximum(extra, SLACK), -np.inf)
            if not len(worth) or not np.isfinite(worth.max()):
                return None
            point = rows[int(worth.argmax())]
        return None

    def nearer(self, point: Points) -> float:
        """The cost of a point after cheaper ones next to it were gone to, as long as there are some."""
        cost = float(self.cost(point[None, :])[0])
        for _ in range(MOST_MOVES):
            single = self.moves(point)
            found = [self.cheapest(single), self.cheapest(self.pairs(point, single))]
            cheaper = [(float(self.cost(each[None, :])[0]), at) for at, each in enumerate(found) if each is not None]
            best, at = min(cheaper, default=(cost, 0))
            if best >= cost - SLACK:
                break
            cost, point = best, found[at]  # type: ignore[assignment]
        return cost

    def cheapest(self, rows: Points) -> Points | None:
        """The cheapest of those rows that meet all thresholds."""
        fits = np.flatnonzero(self.lack(rows) <= 0)
        return None if not len(fits) else np.asarray(rows[fits[self.cost(rows[fits]).argmin()]])

    def cost(self, rows: Points) -> NDArray[np.float64]:
        """What each row costs."""
        return np.asarray(sum(costs[rows[:, at]] for at, costs in enumerate(self.costs)), dtype=np.float64)

    def lack(self, rows: Points) -> NDArray[np.float64]:
        """How far each row is from meeting the thresholds, zero where it does."""
        total = np.zeros(len(rows))
        if not len(rows):
            return total
        columns = {at: self.values[at][rows[:, at]] for at in self.features}
        for each in self.sums:
            total += _short(each, each.scored.scores(columns, len(rows)))
        return total


def _short(threshold: Threshold, scores: NDArray[np.float64]) -> NDArray[np.float64]:
    comparison, number = threshold.comparison, threshold.threshold
    past = SLACK * max(1.0, abs(number)) * (1 if comparison.closed else 2)
    if not comparison.orders:
        return np.abs(scores - number)
    beyond = (number - scores) * comparison.side
    return np.where(beyond < (past if comparison.closed else -past), 0.0, np.maximum(beyond, past))
