"""Best-first branch and bound over prefixes (Hybrid Algorithms 2 and 3, Appendix C), one batch at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from decisionflow.learn.prefix_search.bits import Words, inner
from decisionflow.learn.prefix_search.bounds import cap_reach, cheapest_share, cheapest_tail, fewest_rules, improves
from decisionflow.learn.prefix_search.completion import Incumbent, try_last_rule, try_last_two_rules
from decisionflow.learn.prefix_search.frontier import (
    EXPANSIONS,
    NODES,
    QUEUED,
    Frontier,
    find_set,
    pop,
    push,
    remember_set,
)
from decisionflow.learn.prefix_search.node import (
    COVERED,
    GAIN_LEFT,
    SLOPES,
    USEFUL,
    Glass,
    examine,
    hash_of,
    hash_without,
    measure_rules,
    sum_slopes,
)
from decisionflow.learn.prefix_search.task import Task, Terms

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
        if frontier.counts[NODES] + len(task.rules) > len(frontier.nodes):
            return FULL
        node = pop(frontier)
        if improves(task.terms, frontier.nodes[node].bound, incumbent.cost[0]):
            _expand(task, frontier, glass, incumbent, node, coverage_reward)
        elif coverage_reward == 0.0:
            frontier.counts[QUEUED] = 0
    return DONE


@inner
def _expand(
    task: Task, frontier: Frontier, glass: Glass, incumbent: Incumbent, node: int, coverage_reward: float
) -> None:
    terms, prefix = task.terms, frontier.nodes[node]
    examine(task, frontier, node, glass)
    if prefix.depth > 0 and _overtaken(terms, frontier.sets, glass.remaining, prefix):
        return
    if terms.ratio:
        glass.facts[SLOPES] = sum_slopes(task.slopes, glass.remaining, glass.slopes)
        share = cheapest_share(terms, glass.slopes, glass.facts[SLOPES], prefix.excess, glass.facts[COVERED])
        prefix.bound = max(prefix.bound, share + terms.rule_cost * (prefix.depth + 1))
        if not improves(terms, prefix.bound, incumbent.cost[0]):
            return
    frontier.counts[EXPANSIONS] += 1
    measure_rules(task, glass)
    if prefix.depth == 0 and terms.max_rules >= 1:
        try_last_rule(task, frontier, glass, incumbent, node)
    if prefix.depth + 2 <= terms.max_rules:
        try_last_two_rules(task, frontier, glass, incumbent, node)
    if prefix.depth + 3 <= terms.max_rules:
        _queue_children(task, frontier, glass, incumbent.cost[0], node, coverage_reward)


@inner
def _overtaken(terms: Terms, sets: NDArray[Any], remaining: Words, prefix: Any) -> bool:
    low, high = hash_of(remaining)
    seen = sets[find_set(sets, low, high)]
    cost = _comparable_cost(terms, prefix.excess, prefix.depth)
    return seen.cost < cost and (not terms.limited or seen.depth <= prefix.depth)


@inner
def _comparable_cost(terms: Terms, excess: int, depth: int) -> float:
    return float(excess) if terms.ratio else excess + terms.rule_cost * depth


@inner
def _queue_children(
    task: Task, frontier: Frontier, glass: Glass, best: float, node: int, coverage_reward: float
) -> None:
    terms, facts, prefix, useful = task.terms, glass.facts, frontier.nodes[node], glass.facts[USEFUL]
    slack = best - terms.left_cost - prefix.excess - terms.rule_cost * prefix.depth
    slack -= cheapest_tail(terms, task.gain_cap, prefix.depth, 3, facts[GAIN_LEFT])
    if slack <= 0 and not terms.ratio:
        return
    offers, need = glass.offers[:useful], terms.needed - facts[COVERED]
    cap_reach(offers, np.inf if terms.ratio or terms.default else slack, glass.reach)
    for offer in offers:
        shortest = fewest_rules(glass.reach, useful, need - offer.support)
        if shortest > min(useful, terms.max_rules - prefix.depth - 1) or (terms.one_cover and offer.support >= need):
            continue
        excess, depth, covered = prefix.excess + offer.excess, prefix.depth + 1, facts[COVERED] + offer.support
        if terms.ratio:
            bound = cheapest_share(terms, glass.slopes, facts[SLOPES], excess, covered)
            bound += terms.rule_cost * (depth + shortest)
        else:
            bound = terms.left_cost + excess + terms.rule_cost * depth
            bound += cheapest_tail(terms, task.gain_cap, depth, shortest, facts[GAIN_LEFT] - offer.gain)
        bound = max(prefix.bound, bound)
        if improves(terms, bound, best):
            low, high = hash_without(glass.remaining, task.rules[offer.rule])
            if remember_set(frontier, low, high, _comparable_cost(terms, excess, depth), depth, terms.limited):
                push(frontier, node, offer.rule, depth, excess, bound, bound - coverage_reward * covered)
