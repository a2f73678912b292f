"""The last rule and the last two rules of a list, found exactly without queueing anything."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from decisionflow.learn.prefix_search.bits import Integers, inner, totals_in_both
from decisionflow.learn.prefix_search.bounds import ROUNDING, excess_allowed, improves, list_cost
from decisionflow.learn.prefix_search.frontier import Frontier
from decisionflow.learn.prefix_search.node import COVERED, REST_0, REST_1, USEFUL, Glass, all_rows
from decisionflow.learn.prefix_search.task import GAIN_0, GAIN_1, LOSS_0, LOSS_1, Task, Terms


class Incumbent(NamedTuple):
    """The best list so far: `cost[0]` in rows, and the first `length[0]` of `rules`; -1 means none."""

    cost: NDArray[np.float64]
    rules: NDArray[np.int64]
    length: Integers


def no_incumbent(task: Task) -> Incumbent:
    """Nothing found so far."""
    return Incumbent(np.array([np.inf]), np.zeros(len(task.rules) + 2, dtype=np.int64), np.full(1, -1, dtype=np.int64))


@inner
def keep(nodes: NDArray[Any], incumbent: Incumbent, node: int, first: int, second: int, cost: float) -> None:
    """Make the prefix of `node`, then `first`, then `second` (unless -1) the incumbent."""
    depth = nodes[node].depth
    incumbent.cost[0] = cost
    incumbent.length[0] = depth + 1
    incumbent.rules[depth] = first
    if second >= 0:
        incumbent.rules[depth + 1] = second
        incumbent.length[0] = depth + 2
    while nodes[node].parent >= 0:
        depth -= 1
        incumbent.rules[depth] = nodes[node].rule
        node = nodes[node].parent


@inner
def try_last_rule(task: Task, frontier: Frontier, glass: Glass, incumbent: Incumbent, node: int) -> None:
    """Complete the prefix by every single rule."""
    terms, facts = task.terms, glass.facts
    excess, rules = frontier.nodes[node].excess, frontier.nodes[node].depth + 1
    for offer in glass.offers[: facts[USEFUL]]:
        reached = facts[COVERED] + offer.support
        if reached < terms.needed:
            break
        cost = list_cost(terms, excess + offer.excess, reached, rules)
        if terms.default:
            cost += min(facts[REST_0] - offer.excess_0, facts[REST_1] - offer.excess_1)
        if improves(terms, cost, incumbent.cost[0]):
            keep(frontier.nodes, incumbent, node, offer.rule, -1, cost)


@inner
def try_last_two_rules(task: Task, frontier: Frontier, glass: Glass, incumbent: Incumbent, node: int) -> None:
    """Complete the prefix by every ordered pair of rules.

    A pair is measured only if its coverage can suffice and its excess can improve.
    """
    terms, facts, offers, covered = task.terms, glass.facts, glass.offers[: glass.facts[USEFUL]], glass.facts[COVERED]
    excess, rules = frontier.nodes[node].excess, frontier.nodes[node].depth + 2
    largest_gain = 0
    for offer in offers:
        largest_gain = max(largest_gain, offer.gain_0, offer.gain_1)
    for first in offers:
        widest = covered + first.support + offers[0].support
        if widest < terms.needed:
            break
        allowed = excess_allowed(terms, incumbent.cost[0], min(terms.rows, widest), rules) - excess - first.excess
        if allowed < -largest_gain or (terms.default and not worth_a_rule(terms, first)):
            continue
        rest_0, rest_1 = facts[REST_0] - first.excess_0, facts[REST_1] - first.excess_1
        need = terms.needed - covered - first.support
        place = next_second(task, offers, first, 0, need, allowed, rest_0, rest_1)
        while place >= 0:
            _try_pair(task, frontier, glass, incumbent, node, first, offers[place])
            place = next_second(task, offers, first, place + 1, need, allowed, rest_0, rest_1)


@inner
def worth_a_rule(terms: Terms, offer: Any) -> bool:
    """Whether a list with a default label may want the rule.

    Without the rule its rows fall to later rules or to the default, at no more than the rule's excess under the label
    that it does not give. Where that is less than the price of a rule, the list without it is better.
    """
    return max(offer.excess_0, offer.excess_1) >= terms.rule_cost - ROUNDING


@inner
def next_second(
    task: Task, offers: NDArray[Any], first: Any, place: int, need: int, allowed: int, rest_0: int, rest_1: int
) -> int:
    """The next rule that may follow `first` and be the last, or -1: it captures enough at an excess that is allowed.

    What the second captures outside the first costs at least its excess less all that its rows inside the first can
    cost, and at least minus its gains. A default label costs `rest_0` or `rest_1` after the first rule, less the
    second's excess under it; a second rule with the label of the default changes nothing.
    """
    shared, default = task.shared, task.terms.default
    lost_0, lost_1 = first.excess_0 + first.gain_0, first.excess_1 + first.gain_1
    while place < len(offers) and offers[place].support >= need:
        second = offers[place]
        left_0 = rest_1 - second.excess_1 if default else 0
        left_1 = rest_0 - second.excess_0 if default else 0
        as_0 = max(second.excess_0 - lost_0, -second.gain_0)
        as_1 = max(second.excess_1 - lost_1, -second.gain_1)
        if min(as_0 + left_0, as_1 + left_1) <= allowed and second.rule != first.rule:
            as_0 = max(as_0, second.excess_0 - shared[0, first.rule, second.rule])
            as_1 = max(as_1, second.excess_1 - shared[1, first.rule, second.rule])
            if min(as_0 + left_0, as_1 + left_1) <= allowed:
                return place
        place += 1
    return -1


@inner
def _try_pair(
    task: Task, frontier: Frontier, glass: Glass, incumbent: Incumbent, node: int, first: Any, second: Any
) -> None:
    terms, facts, inside = task.terms, glass.facts, glass.sums
    totals_in_both(glass.live, task.rules[first.rule], task.rules[second.rule], inside)
    overlap = all_rows(inside)
    reached = facts[COVERED] + first.support + second.support - overlap
    if reached < terms.needed or overlap == second.support:
        return
    shared_0, shared_1 = inside[LOSS_0] - inside[GAIN_0], inside[LOSS_1] - inside[GAIN_1]
    tail = min(second.excess_0 - shared_0, second.excess_1 - shared_1)
    prefix = frontier.nodes[node]
    cost = list_cost(terms, prefix.excess + first.excess + tail, reached, prefix.depth + 2)
    if terms.default:
        rest_0 = facts[REST_0] - first.excess_0 - second.excess_0 + shared_0
        rest_1 = facts[REST_1] - first.excess_1 - second.excess_1 + shared_1
        cost += min(rest_0, rest_1)
    if improves(terms, cost, incumbent.cost[0]):
        keep(frontier.nodes, incumbent, node, first.rule, second.rule, cost)
