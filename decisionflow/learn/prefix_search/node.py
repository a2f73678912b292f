"""One open prefix under the glass: what each further rule would capture, and what that would cost."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from decisionflow.learn.prefix_search.bits import Amounts, Integers, Words, empty_like, restrict, total, total_in
from decisionflow.learn.prefix_search.frontier import Frontier
from decisionflow.learn.prefix_search.task import GAIN, GAIN_0, GAIN_1, LOSS_0, LOSS_1, SIZE, Task

COVERED, GAIN_LEFT, USEFUL, REST_0, REST_1 = range(5)


class Glass(NamedTuple):
    """Room for the prefix under examination.

    `remaining`: classes not captured; `live`: their amounts. For each rule on them `support`, excess per label
    `excess_0`, `excess_1`, the smaller `excess`, and gains. `order`: the useful rules (those that capture something)
    by support, largest first; `reach[t]`: the most that t further rules can capture. `facts`: rows covered, gain left,
    number of useful rules, excess of the remaining rows under label 0 and 1. `slope_rows`, `slope_cost`: rows and
    unavoidable errors of the remaining classes, cheapest first, summed up; `slopes[0]` of them.
    """

    remaining: Words
    live: Amounts
    support: Integers
    excess_0: Integers
    excess_1: Integers
    excess: Integers
    gain_0: Integers
    gain_1: Integers
    gain: Integers
    order: Integers
    reach: Integers
    facts: Integers
    slope_rows: Integers
    slope_cost: Integers
    slopes: Integers


def new_glass(task: Task) -> Glass:
    """Room for any prefix of the task."""
    count, classes = len(task.rules), len(task.slope_size)
    return Glass(
        task.everything.copy(),
        empty_like(task.amounts),
        *(np.zeros(count, dtype=np.int64) for _ in range(8)),
        reach=np.zeros(count + 1, dtype=np.int64),
        facts=np.zeros(5, dtype=np.int64),
        slope_rows=np.zeros(classes + 1, dtype=np.int64),
        slope_cost=np.zeros(classes + 1, dtype=np.int64),
        slopes=np.zeros(1, dtype=np.int64),
    )


@njit(cache=True)
def examine(task: Task, frontier: Frontier, node: int, glass: Glass) -> None:
    """Lay the prefix of `node` under the glass."""
    glass.remaining[:] = task.everything
    while frontier.parent[node] >= 0:
        rule = task.rules[frontier.rule[node]]
        for word in range(len(rule)):
            glass.remaining[word] &= ~rule[word]
        node = frontier.parent[node]
    restrict(task.amounts, glass.remaining, glass.live)
    glass.facts[COVERED] = task.rows - total(glass.live, SIZE)
    glass.facts[GAIN_LEFT] = total(glass.live, GAIN)
    if task.default:
        glass.facts[REST_0] = total(glass.live, LOSS_0)
        glass.facts[REST_1] = total(glass.live, LOSS_1)


@njit(cache=True)
def measure_rules(task: Task, glass: Glass) -> None:
    """Support, excess and gains of every rule on the remaining classes, and the useful rules in order."""
    useful = 0
    for k in range(len(task.rules)):
        rule = task.rules[k]
        glass.support[k] = total_in(glass.live, SIZE, rule)
        if glass.support[k] == 0:
            continue
        glass.gain_0[k] = total_in(glass.live, GAIN_0, rule)
        glass.gain_1[k] = total_in(glass.live, GAIN_1, rule)
        glass.gain[k] = total_in(glass.live, GAIN, rule)
        glass.excess_0[k] = total_in(glass.live, LOSS_0, rule) - glass.gain_0[k]
        glass.excess_1[k] = total_in(glass.live, LOSS_1, rule) - glass.gain_1[k]
        glass.excess[k] = min(glass.excess_0[k], glass.excess_1[k])
        glass.order[useful] = k
        useful += 1
    glass.facts[USEFUL] = useful
    order = glass.order[:useful]
    order[:] = order[np.argsort(-glass.support[order])]


@njit(cache=True)
def hash_of_rest(remaining: Words, rule: Words) -> tuple[np.uint64, np.uint64]:
    """128 bits that tell apart, beyond reasonable doubt, the sets `remaining` without `rule`; the first is never 0."""
    low, high = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
    for word in range(len(remaining)):
        rest = remaining[word] & ~rule[word]
        low = (low ^ rest) * np.uint64(0xFF51AFD7ED558CCD)
        low ^= low >> np.uint64(29)
        high = (high + rest) * np.uint64(0xC4CEB9FE1A85EC53)
        high ^= high >> np.uint64(32)
    return low | np.uint64(1), high


@njit(cache=True)
def sum_slopes(task: Task, glass: Glass) -> None:
    """Rows and unavoidable errors of the remaining classes, cheapest share first, summed up."""
    used = 0
    for place in range(len(task.slope_class)):
        index = task.slope_class[place]
        if (glass.remaining[index >> 6] >> np.uint64(index & 63)) & np.uint64(1):
            glass.slope_rows[used + 1] = glass.slope_rows[used] + task.slope_size[place]
            glass.slope_cost[used + 1] = glass.slope_cost[used] + task.slope_errors[place]
            used += 1
    glass.slopes[0] = used


