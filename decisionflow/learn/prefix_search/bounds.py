"""What a list costs, and what nothing below a prefix can cost less than; in units of one row."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from decisionflow.learn.prefix_search.bits import Integers
from decisionflow.learn.prefix_search.node import COVERED, GAIN_LEFT, USEFUL, Glass
from decisionflow.learn.prefix_search.task import Task

ROUNDING = 1e-6


@njit(cache=True)
def list_cost(task: Task, excess: int, covered: int, rules: int) -> float:
    """N times the objective (Eq. 10, 11, 15) of a list, or a lower bound of it where `covered` is an upper bound.

    For lists with a default label the errors of the default come on top.
    """
    fixed = task.rule_cost * rules + task.beta * (task.rows - covered)
    if task.ratio:
        return fixed + (task.rows * excess / covered if covered else 0.0)
    return fixed + task.left_cost + excess


@njit(cache=True)
def cheapest_tail(task: Task, depth: int, shortest: int, gain_left: int) -> float:
    """Least that `shortest` or more rules after the first `depth` add: their price less what they can gain.

    A tail of t rules gains at most the gain that is left, and at most what positions depth+1 to depth+t can gain.
    """
    best = np.inf
    for length in range(shortest, task.max_rules - depth + 1):
        gained = min(float(gain_left), task.gain_cap[depth + length] - task.gain_cap[depth])
        best = min(best, task.rule_cost * length - gained)
        if gained >= gain_left:
            break
    return best


@njit(cache=True)
def cap_reach(task: Task, glass: Glass, slack: float) -> None:
    """Fill `reach[t]`, the most rows that t further rules of an improving tail can capture.

    In such a tail every rule's excess is less than `slack`, so a rule whose excess on all its rows is larger must have
    lost one row or more per unit of the difference to earlier rules.
    """
    useful = glass.order[: glass.facts[USEFUL]]
    capped = glass.support[useful].copy()
    if not task.ratio and not task.default:
        for place in range(len(useful)):
            lost = glass.excess[useful[place]] - slack - ROUNDING
            capped[place] -= math.ceil(max(0.0, lost))
    capped.sort()
    glass.reach[0] = 0
    for place in range(len(useful)):
        glass.reach[place + 1] = glass.reach[place] + max(0, capped[len(useful) - 1 - place])


@njit(cache=True)
def fewest_rules(reach: Integers, useful: int, need: int) -> int:
    """Fewest further rules, two at least, that can capture `need` rows; more than `useful` if none can."""
    length = 2
    while length <= useful and reach[length] < need:
        length += 1
    return length


@njit(cache=True)
def cheapest_share(task: Task, glass: Glass, excess: int, covered: int) -> float:
    """N times the least share of errors among the covered rows that any extension can reach (after Eq. 16).

    The extension takes the remaining classes in order of their share of unavoidable errors, the last one in part where
    only the coverage that is needed forces it. Unlike Eq. 16 it takes none that makes the share worse beyond that need.
    """
    low, high = 0, glass.slopes[0]
    while low < high:
        middle = (low + high) >> 1
        size = glass.slope_rows[middle + 1] - glass.slope_rows[middle]
        errors = glass.slope_cost[middle + 1] - glass.slope_cost[middle]
        if errors * (covered + glass.slope_rows[middle]) < (excess + glass.slope_cost[middle]) * size:
            low = middle + 1
        else:
            high = middle
    rows, cost = float(covered + glass.slope_rows[low]), float(excess + glass.slope_cost[low])
    while rows < task.needed and low < glass.slopes[0]:
        size = glass.slope_rows[low + 1] - glass.slope_rows[low]
        part = min(1.0, (task.needed - rows) / size)
        rows += part * size
        cost += part * (glass.slope_cost[low + 1] - glass.slope_cost[low])
        low += 1
    return task.rows * cost / rows if rows > 0 else 0.0


@njit(cache=True)
def child_bound(task: Task, glass: Glass, excess: int, rule: int, depth: int, shortest: int) -> float:
    """Lower bound of every list that extends the prefix by `rule` and then by `shortest` or more rules."""
    after = excess + glass.excess[rule]
    if task.ratio:
        share = cheapest_share(task, glass, after, glass.facts[COVERED] + glass.support[rule])
        return share + task.rule_cost * (depth + 1 + shortest)
    gain_left = glass.facts[GAIN_LEFT] - glass.gain[rule]
    return task.left_cost + after + task.rule_cost * (depth + 1) + cheapest_tail(task, depth + 1, shortest, gain_left)
