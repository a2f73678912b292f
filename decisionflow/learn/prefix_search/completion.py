"""The last rule and the last two rules of a list, found exactly without queueing anything."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from decisionflow.learn.prefix_search.bits import Integers, total_in_both
from decisionflow.learn.prefix_search.bounds import list_cost
from decisionflow.learn.prefix_search.frontier import Frontier
from decisionflow.learn.prefix_search.node import COVERED, REST_0, REST_1, USEFUL, Glass
from decisionflow.learn.prefix_search.task import GAIN_0, GAIN_1, LOSS_0, LOSS_1, SIZE, Task


class Incumbent(NamedTuple):
    """The best list so far: `cost[0]` in rows, and the first `length[0]` of `rules`; -1 means none."""

    cost: NDArray[np.float64]
    rules: NDArray[np.int64]
    length: Integers


def no_incumbent(task: Task) -> Incumbent:
    """Nothing found so far."""
    return Incumbent(
        np.array([np.inf]), np.zeros(len(task.rules) + 2, dtype=np.int64), np.full(1, -1, dtype=np.int64)
    )


@njit(cache=True)
def improves(task: Task, incumbent: Incumbent, cost: float) -> bool:
    """Whether a cost is below the incumbent's by more than rounding."""
    return cost < incumbent.cost[0] - 1e-12 * task.rows


@njit(cache=True)
def keep(frontier: Frontier, incumbent: Incumbent, node: int, first: int, second: int, cost: float) -> None:
    """Make the prefix of `node`, then `first`, then `second` (unless -1) the incumbent."""
    depth = frontier.depth[node]
    incumbent.cost[0] = cost
    incumbent.length[0] = depth + 1
    incumbent.rules[depth] = first
    if second >= 0:
        incumbent.rules[depth + 1] = second
        incumbent.length[0] = depth + 2
    while frontier.parent[node] >= 0:
        depth -= 1
        incumbent.rules[depth] = frontier.rule[node]
        node = frontier.parent[node]


@njit(cache=True)
def try_last_rule(task: Task, frontier: Frontier, glass: Glass, incumbent: Incumbent, node: int) -> None:
    """Complete the prefix by every single rule."""
    excess, covered = frontier.excess[node], glass.facts[COVERED]
    for place in range(glass.facts[USEFUL]):
        rule = glass.order[place]
        reached = covered + glass.support[rule]
        if reached < task.needed:
            break
        cost = list_cost(task, excess + glass.excess[rule], reached, frontier.depth[node] + 1)
        if task.default:
            cost += min(glass.facts[REST_0] - glass.excess_0[rule], glass.facts[REST_1] - glass.excess_1[rule])
        if improves(task, incumbent, cost):
            keep(frontier, incumbent, node, rule, -1, cost)


@njit(cache=True)
def try_last_two_rules(task: Task, frontier: Frontier, glass: Glass, incumbent: Incumbent, node: int) -> None:
    """Complete the prefix by every ordered pair of rules.

    A pair is measured only if its coverage can suffice and its excess can improve: what `second` captures outside
    `first` costs at least its excess less all that its rows inside `first` can cost, and at least minus its gains.
    """
    useful = glass.order[: glass.facts[USEFUL]]
    covered, excess, rules = glass.facts[COVERED], frontier.excess[node], frontier.depth[node] + 2
    if len(useful) < 2:
        return
    widest = glass.support[useful[0]]
    largest_gain = max(np.max(glass.gain_0[useful]), np.max(glass.gain_1[useful]))
    for first in useful:
        reached = min(task.rows, covered + glass.support[first] + widest)
        if reached < task.needed:
            break
        own = excess + glass.excess[first]
        if not improves(task, incumbent, list_cost(task, own - largest_gain, reached, rules)):
            continue
        for second in useful:
            reached = min(task.rows, covered + glass.support[first] + glass.support[second])
            if reached < task.needed:
                break
            least = own + _least_excess_after(glass, first, second)
            if second != first and improves(task, incumbent, list_cost(task, least, reached, rules)):
                _try_pair(task, frontier, glass, incumbent, node, first, second)


@njit(cache=True)
def _least_excess_after(glass: Glass, first: int, second: int) -> int:
    as_0 = glass.excess_0[second] - glass.excess_0[first] - glass.gain_0[first]
    as_1 = glass.excess_1[second] - glass.excess_1[first] - glass.gain_1[first]
    return min(max(as_0, -glass.gain_0[second]), max(as_1, -glass.gain_1[second]))


@njit(cache=True)
def _try_pair(
    task: Task, frontier: Frontier, glass: Glass, incumbent: Incumbent, node: int, first: int, second: int
) -> None:
    both, live = (task.rules[first], task.rules[second]), glass.live
    overlap = total_in_both(live, SIZE, both[0], both[1])
    reached = glass.facts[COVERED] + glass.support[first] + glass.support[second] - overlap
    if reached < task.needed or overlap == glass.support[second]:
        return
    shared_0 = total_in_both(live, LOSS_0, both[0], both[1]) - total_in_both(live, GAIN_0, both[0], both[1])
    shared_1 = total_in_both(live, LOSS_1, both[0], both[1]) - total_in_both(live, GAIN_1, both[0], both[1])
    tail = min(glass.excess_0[second] - shared_0, glass.excess_1[second] - shared_1)
    excess = frontier.excess[node] + glass.excess[first] + tail
    cost = list_cost(task, excess, reached, frontier.depth[node] + 2)
    if task.default:
        rest_0 = glass.facts[REST_0] - glass.excess_0[first] - glass.excess_0[second] + shared_0
        rest_1 = glass.facts[REST_1] - glass.excess_1[first] - glass.excess_1[second] + shared_1
        cost += min(rest_0, rest_1)
    if improves(task, incumbent, cost):
        keep(frontier, incumbent, node, first, second, cost)
