"""One open prefix under the glass: what each further rule would capture, and what that would cost."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from decisionflow.learn.prefix_search.bits import (
    Amounts,
    Integers,
    Words,
    inner,
    order_descending,
    restrict,
    room_for,
    total,
    totals_by_rule,
)
from decisionflow.learn.prefix_search.frontier import Frontier
from decisionflow.learn.prefix_search.task import BOTH_GAINS, GAIN_0, GAIN_1, LOSS_0, LOSS_1, REST, Task

COVERED, GAIN_LEFT, USEFUL, REST_0, REST_1, SLOPES = range(6)
OFFER = np.dtype(
    [(name, "i8") for name in ("rule", "support", "excess_0", "excess_1", "excess", "gain_0", "gain_1", "gain")]
)


class Glass(NamedTuple):
    """Room for the prefix under examination.

    `remaining`: classes not captured; `live`: their amounts; `totals` (kinds, k): what each rule holds of them.
    `offers`: the rules that capture something, by support, largest first, with their excess per label, the smaller
    excess, and what they can gain. `reach[t]`: the most that t further rules can capture. `facts`: rows covered, gain
    left, number of offers, excess of the remaining rows under label 0 and 1, number of remaining classes in `slopes`
    (2, c + 1): rows and unavoidable errors of the remaining classes, cheapest first, summed up. `amount`, `order` (k,):
    room to sort rules by an amount; `sums` (kinds,): room for what a set holds.
    """

    remaining: Words
    live: Amounts
    totals: Integers
    offers: NDArray[Any]
    reach: Integers
    facts: Integers
    slopes: Integers
    amount: Integers
    order: Integers
    sums: Integers


def new_glass(task: Task) -> Glass:
    """Room for any prefix of the task."""
    count, classes = len(task.rules), task.slopes.shape[1]
    return Glass(
        remaining=task.everything.copy(),
        live=room_for(task.amounts),
        totals=np.zeros((6, count), dtype=np.int64),
        offers=np.zeros(count, dtype=OFFER),
        reach=np.zeros(count + 1, dtype=np.int64),
        facts=np.zeros(6, dtype=np.int64),
        slopes=np.zeros((2, classes + 1), dtype=np.int64),
        amount=np.zeros(count, dtype=np.int64),
        order=np.zeros(count, dtype=np.int64),
        sums=np.zeros(6, dtype=np.int64),
    )


@inner
def examine(task: Task, frontier: Frontier, node: int, glass: Glass) -> None:
    """Lay the prefix of `node` under the glass."""
    uncover(frontier.nodes, task.rules, task.everything, node, glass.remaining)
    restrict(task.amounts, glass.remaining, glass.live)
    sums = glass.sums
    for kind in range(len(sums)):
        sums[kind] = total(glass.live, kind)
    glass.facts[COVERED] = task.terms.rows - all_rows(sums)
    glass.facts[GAIN_LEFT] = sums[GAIN_0] + sums[GAIN_1] - sums[BOTH_GAINS]
    glass.facts[REST_0], glass.facts[REST_1] = sums[LOSS_0] - sums[GAIN_0], sums[LOSS_1] - sums[GAIN_1]


@inner
def all_rows(sums: Integers) -> int:
    """Rows, given the sum of every kind."""
    return sums[LOSS_0] + sums[LOSS_1] + sums[GAIN_0] + sums[GAIN_1] + sums[REST]


@inner
def uncover(nodes: NDArray[Any], rules: Words, everything: Words, node: int, remaining: Words) -> None:
    """Write into `remaining` the classes that no rule of the prefix captures."""
    for word in range(len(everything)):
        remaining[word] = everything[word]
    while nodes[node].parent >= 0:
        rule = rules[nodes[node].rule]
        for word in range(len(rule)):
            remaining[word] &= ~rule[word]
        node = nodes[node].parent


@inner
def measure_rules(task: Task, glass: Glass) -> None:
    """Support, excess and gains on the remaining classes of every rule that captures some, by support."""
    totals, support = glass.totals, glass.amount
    totals_by_rule(glass.live, task.rules_by_word, totals)
    for rule in range(len(support)):
        support[rule] = totals[REST, rule]
        for kind in range(BOTH_GAINS):
            support[rule] += totals[kind, rule]
    order_descending(support, glass.order)
    useful = 0
    while useful < len(support) and support[glass.order[useful]] > 0:
        _fill_offer(totals, support, glass.order[useful], glass.offers[useful])
        useful += 1
    glass.facts[USEFUL] = useful


@inner
def _fill_offer(totals: Integers, support: Integers, rule: int, offer: Any) -> None:
    offer.rule = rule
    offer.support = support[rule]
    offer.gain_0, offer.gain_1 = totals[GAIN_0, rule], totals[GAIN_1, rule]
    offer.gain = offer.gain_0 + offer.gain_1 - totals[BOTH_GAINS, rule]
    offer.excess_0 = totals[LOSS_0, rule] - totals[GAIN_0, rule]
    offer.excess_1 = totals[LOSS_1, rule] - totals[GAIN_1, rule]
    offer.excess = min(offer.excess_0, offer.excess_1)


@inner
def mix(low: np.uint64, high: np.uint64, word: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Two independent hashes of a sequence of words, one word further."""
    low = (low ^ word) * np.uint64(0xFF51AFD7ED558CCD)
    high = (high + word) * np.uint64(0xC4CEB9FE1A85EC53)
    return low ^ (low >> np.uint64(29)), high ^ (high >> np.uint64(32))


@inner
def hash_without(remaining: Words, rule: Words) -> tuple[np.uint64, np.uint64]:
    """128 bits that tell what is left of `remaining` after `rule` from other sets, beyond reasonable doubt."""
    low, high = np.uint64(1), np.uint64(2)
    for word in range(len(remaining)):
        low, high = mix(low, high, remaining[word] & ~rule[word])
    return low, high


@inner
def sum_slopes(classes: Integers, remaining: Words, sums: Integers) -> int:
    """Sum up rows and unavoidable errors of the remaining classes, cheapest share first; the number of classes."""
    used = 0
    for place in range(classes.shape[1]):
        index = classes[0, place]
        if (remaining[index >> 6] >> np.uint64(index & 63)) & np.uint64(1):
            sums[0, used + 1] = sums[0, used] + classes[1, place]
            sums[1, used + 1] = sums[1, used] + classes[2, place]
            used += 1
    return used
