"""Best-first branch and bound over prefixes (Hybrid Algorithms 2 and 3, Appendix C), one batch at a time."""

from __future__ import annotations

import numpy as np
from numba import njit

from decisionflow.learn.prefix_search.bounds import cap_reach, cheapest_share, cheapest_tail, child_bound, fewest_rules
from decisionflow.learn.prefix_search.completion import Incumbent, improves, try_last_rule, try_last_two_rules
from decisionflow.learn.prefix_search.frontier import EXPANSIONS, NODES, QUEUED, Frontier, find_set, pop, push, remember_set
from decisionflow.learn.prefix_search.node import (
    COVERED,
    GAIN_LEFT,
    USEFUL,
    Glass,
    examine,
    hash_of_rest,
    measure_rules,
    sum_slopes,
)
from decisionflow.learn.prefix_search.task import Task

DONE, FULL, PAUSED = range(3)


@njit(cache=True)
def expand_best(
    task: Task, frontier: Frontier, glass: Glass, incumbent: Incumbent, coverage_reward: float, expansions: int
) -> int:
    """Expand up to so many prefixes in order of bound less `coverage_reward` per covered row.

    Returns DONE when nothing open can improve the incumbent, FULL when the frontier needs more room, or PAUSED.
    """
    last = frontier.counts[EXPANSIONS] + expansions
    while frontier.counts[QUEUED] > 0:
        if frontier.counts[EXPANSIONS] >= last:
            return PAUSED
        if frontier.counts[NODES] + len(task.rules) > len(frontier.parent):
            return FULL
        node = pop(frontier)
        if improves(task, incumbent, frontier.bound[node]):
            _expand(task, frontier, glass, incumbent, node, coverage_reward)
        elif coverage_reward == 0.0:
            frontier.counts[QUEUED] = 0
    return DONE


@njit(cache=True)
def _expand(
    task: Task, frontier: Frontier, glass: Glass, incumbent: Incumbent, node: int, coverage_reward: float
) -> None:
    depth, excess = frontier.depth[node], frontier.excess[node]
    examine(task, frontier, node, glass)
    if depth > 0 and _overtaken(task, frontier, glass, node):
        return
    if task.ratio:
        sum_slopes(task, glass)
        share = cheapest_share(task, glass, excess, glass.facts[COVERED])
        frontier.bound[node] = max(frontier.bound[node], share + task.rule_cost * (depth + 1))
        if not improves(task, incumbent, frontier.bound[node]):
            return
    frontier.counts[EXPANSIONS] += 1
    measure_rules(task, glass)
    if depth == 0:
        try_last_rule(task, frontier, glass, incumbent, node)
    if depth + 2 <= task.max_rules:
        try_last_two_rules(task, frontier, glass, incumbent, node)
    if depth + 3 <= task.max_rules:
        _queue_children(task, frontier, glass, incumbent, node, coverage_reward)


@njit(cache=True)
def _overtaken(task: Task, frontier: Frontier, glass: Glass, node: int) -> bool:
    nothing = np.zeros_like(glass.remaining)
    low, high = hash_of_rest(glass.remaining, nothing)
    slot = find_set(frontier, low, high)
    own = _comparable_cost(task, frontier.excess[node], frontier.depth[node])
    return frontier.set_cost[slot] < own and (not task.limited or frontier.set_depth[slot] <= frontier.depth[node])


@njit(cache=True)
def _comparable_cost(task: Task, excess: int, depth: int) -> float:
    return float(excess) if task.ratio else excess + task.rule_cost * depth


@njit(cache=True)
def _queue_children(
    task: Task, frontier: Frontier, glass: Glass, incumbent: Incumbent, node: int, coverage_reward: float
) -> None:
    depth, excess, useful = frontier.depth[node], frontier.excess[node], glass.facts[USEFUL]
    slack = incumbent.cost[0] - task.left_cost - excess - task.rule_cost * depth
    slack -= cheapest_tail(task, depth, 3, glass.facts[GAIN_LEFT])
    if slack <= 0 and not task.ratio:
        return
    cap_reach(task, glass, slack)
    need = task.needed - glass.facts[COVERED]
    for place in range(useful):
        rule = glass.order[place]
        shortest = fewest_rules(glass.reach, useful, need - glass.support[rule])
        if shortest > min(useful, task.max_rules - depth - 1) or (task.one_cover and glass.support[rule] >= need):
            continue
        bound = max(frontier.bound[node], child_bound(task, glass, excess, rule, depth, shortest))
        if improves(task, incumbent, bound):
            _queue_child(task, frontier, glass, node, rule, bound, coverage_reward)


@njit(cache=True)
def _queue_child(
    task: Task, frontier: Frontier, glass: Glass, node: int, rule: int, bound: float, coverage_reward: float
) -> None:
    depth, excess = frontier.depth[node] + 1, frontier.excess[node] + glass.excess[rule]
    low, high = hash_of_rest(glass.remaining, task.rules[rule])
    cost = _comparable_cost(task, excess, depth)
    if remember_set(frontier, low, high, cost, depth, task.limited):
        key = bound - coverage_reward * (glass.facts[COVERED] + glass.support[rule])
        push(frontier, node, rule, depth, excess, bound, key)
