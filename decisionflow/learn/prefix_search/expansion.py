"""Best-first branch and bound over prefixes (Hybrid Algorithms 2 and 3, Appendix C), one batch at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from decisionflow.learn.prefix_search.bits import inner
from decisionflow.learn.prefix_search.bounds import cap_reach, cheapest_share, cheapest_tail, fewest_rules, improves
from decisionflow.learn.prefix_search.completion import Incumbent, try_last_rule, try_last_two_rules, worth_a_rule
from decisionflow.learn.prefix_search.frontier import (
    EXPANSIONS,
    QUEUED,
    TAKEN,
    Frontier,
    add_node,
    drop_last_node,
    find_set,
    lacks_room,
    node_of,
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
    hash_without,
    measure_rules,
    sum_slopes,
)
from decisionflow.learn.prefix_search.task import Task, Terms

DONE, FULL, PAUSED = range(3)


@njit(cache=True)
def expand_best(
    task: Task, frontier: Frontier, glass: Glass, incumbent: Incumbent, coverage_reward: float, step: float, count: int
) -> int:
    """Take up to `count` prefixes in order of bound less `coverage_reward` per covered row, and expand them.

    A prefix queues the children whose bound is at most `step` above its own, and waits itself for the others' turn.
    Returns DONE when nothing open can improve the incumbent, FULL when the frontier needs more room, or PAUSED.
    """
    last = frontier.counts[TAKEN] + count
    while frontier.counts[QUEUED] > 0:
        if frontier.counts[TAKEN] >= last:
            return PAUSED
        if lacks_room(frontier, len(task.rules)):
            return FULL
        node = pop(frontier)
        if improves(task.terms, frontier.nodes[node].bound, incumbent.cost[0]):
            _expand(task, frontier, glass, incumbent, node, coverage_reward, step)
        elif coverage_reward == 0.0:
            frontier.counts[QUEUED] = 0
    return DONE


@inner
def _expand(
    task: Task, frontier: Frontier, glass: Glass, incumbent: Incumbent, node: int, coverage_reward: float, step: float
) -> None:
    terms, prefix = task.terms, frontier.nodes[node]
    if prefix.depth > 0 and _overtaken(terms, frontier, node):
        return
    examine(task, frontier, node, glass)
    if terms.ratio:
        glass.facts[SLOPES] = sum_slopes(task.slopes, glass.remaining, glass.slopes)
        share = cheapest_share(terms, glass.slopes, glass.facts[SLOPES], prefix.excess, glass.facts[COVERED])
        prefix.bound = max(prefix.bound, share + terms.rule_cost * (prefix.depth + 1))
        if not improves(terms, prefix.bound, incumbent.cost[0]):
            return
    measure_rules(task, glass)
    if prefix.opened == 0:
        frontier.counts[EXPANSIONS] += 1
        if prefix.depth == 0 and terms.max_rules >= 1:
            try_last_rule(task, frontier, glass, incumbent, node)
        if prefix.depth + 2 <= terms.max_rules:
            try_last_two_rules(task, frontier, glass, incumbent, node)
    if prefix.depth + 3 <= terms.max_rules:
        postponed = _queue_children(task, frontier, glass, incumbent.cost[0], node, coverage_reward, step)
        if improves(terms, postponed, incumbent.cost[0]):
            prefix.opened, prefix.bound = 1, postponed
            push(frontier, node, postponed)


@inner
def _overtaken(terms: Terms, frontier: Frontier, node: int) -> bool:
    """Whether a prefix with the same captured set costs less."""
    prefix = frontier.nodes[node]
    seen = node_of(frontier.sets[find_set(frontier, prefix.low, prefix.high)])
    return seen >= 0 and seen != node and _no_worse(terms, frontier.nodes[seen], prefix, True)


@inner
def _no_worse(terms: Terms, one: Any, other: Any, strictly: bool) -> bool:
    cost, reference = _comparable_cost(terms, one), _comparable_cost(terms, other)
    cheaper = cost < reference if strictly else cost <= reference
    return cheaper and (not terms.limited or one.depth <= other.depth)


@inner
def _comparable_cost(terms: Terms, prefix: Any) -> float:
    return float(prefix.excess) if terms.ratio else prefix.excess + terms.rule_cost * prefix.depth


@inner
def _queue_children(
    task: Task, frontier: Frontier, glass: Glass, best: float, node: int, coverage_reward: float, step: float
) -> float:
    """Queue the children whose turn has come; the least bound of the others, infinite if there are none."""
    terms, facts, prefix, useful = task.terms, glass.facts, frontier.nodes[node], glass.facts[USEFUL]
    slack = best - terms.left_cost - prefix.excess - terms.rule_cost * prefix.depth
    slack -= cheapest_tail(terms, task.gain_cap, prefix.depth, 3, facts[GAIN_LEFT])
    postponed, turn = np.inf, prefix.bound + step
    if slack <= 0 and not terms.ratio:
        return postponed
    offers, need = glass.offers[:useful], terms.needed - facts[COVERED]
    cap_reach(offers, np.inf if terms.ratio or terms.default else slack, glass.reach, glass.amount, glass.order)
    for offer in offers:
        if terms.default and not worth_a_rule(terms, offer):
            continue
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
        if prefix.opened == 1 and bound < prefix.bound:
            continue
        bound = max(prefix.bound, bound)
        if bound > turn:
            postponed = min(postponed, bound)
        elif improves(terms, bound, best):
            low, high = hash_without(glass.remaining, task.rules[offer.rule])
            child = _add_unless_known(terms, frontier, node, offer.rule, excess, bound, low, high)
            if child >= 0:
                push(frontier, child, bound - coverage_reward * covered)
    return postponed


@inner
def _add_unless_known(
    terms: Terms, frontier: Frontier, parent: int, rule: int, excess: int, bound: float, low: np.uint64, high: np.uint64
) -> int:
    """Add a child, or -1 where an earlier prefix captures the same rows at no greater cost.

    Where the number of rules is limited, the earlier one must be no longer either.
    """
    slot = find_set(frontier, low, high)
    seen = node_of(frontier.sets[slot])
    child = add_node(frontier, parent, rule, excess, bound, low, high)
    if seen < 0:
        remember_set(frontier, slot, child)
    elif _no_worse(terms, frontier.nodes[seen], frontier.nodes[child], False):
        drop_last_node(frontier)
        return -1
    elif not terms.limited or _no_worse(terms, frontier.nodes[child], frontier.nodes[seen], False):
        remember_set(frontier, slot, child)
    return child
