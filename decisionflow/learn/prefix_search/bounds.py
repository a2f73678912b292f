"""What a list costs, and what nothing below a prefix can cost less than; in units of one row."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from decisionflow.learn.prefix_search.bits import Integers, inner, order_descending
from decisionflow.learn.prefix_search.task import Terms

ROUNDING = 1e-6


@inner
def list_cost(terms: Terms, excess: int, covered: int, rules: int) -> float:
    """N times the objective (Eq. 10, 11, 15) of a list; for lists with a default label its errors come on top."""
    fixed = terms.rule_cost * rules + terms.beta * (terms.rows - covered)
    if terms.ratio:
        return fixed + (terms.rows * excess / covered if covered else 0.0)
    return fixed + terms.left_cost + excess


@inner
def excess_allowed(terms: Terms, cost: float, covered: int, rules: int) -> int:
    """The largest excess with which a list that covers `covered` rows or fewer can cost less than `cost`."""
    fixed = terms.rule_cost * rules + terms.beta * (terms.rows - covered)
    allowed = (cost - fixed) * covered / terms.rows if terms.ratio else cost - fixed - terms.left_cost
    return math.floor(min(allowed + ROUNDING, 2.0**62))


@inner
def improves(terms: Terms, cost: float, best: float) -> bool:
    """Whether a cost is below the best by more than rounding."""
    return cost < best - 1e-12 * terms.rows


@njit(cache=True)
def cheapest_tail(terms: Terms, gain_cap: NDArray[np.float64], depth: int, shortest: int, gain_left: int) -> float:
    """Least that `shortest` or more rules after the first `depth` add: their price less what they can gain.

    A tail of t rules gains at most the gain that is left, and at most what positions depth+1 to depth+t can gain.
    """
    best = np.inf
    for length in range(shortest, terms.max_rules - depth + 1):
        gained = min(float(gain_left), gain_cap[depth + length] - gain_cap[depth])
        best = min(best, terms.rule_cost * length - gained)
        if gained >= gain_left:
            break
    return best


@inner
def cap_reach(offers: NDArray[Any], slack: float, reach: Integers, capped: Integers, order: Integers) -> None:
    """Fill `reach[t]`, the most rows that t further rules of an improving tail can capture.

    In such a tail every rule's excess is less than `slack`, so a rule whose excess on all its rows is larger must have
    lost one row or more per unit of the difference to earlier rules. `capped`, `order` (k,): room.
    """
    for place in range(len(offers)):
        capped[place] = offers[place].support
        if offers[place].excess > slack + ROUNDING:
            capped[place] -= math.ceil(offers[place].excess - slack - ROUNDING)
    order_descending(capped[: len(offers)], order)
    reach[0] = 0
    for place in range(len(offers)):
        reach[place + 1] = reach[place] + max(0, capped[order[place]])


@inner
def fewest_rules(reach: Integers, useful: int, need: int) -> int:
    """Fewest further rules, two at least, that can capture `need` rows; more than `useful` if none can."""
    length = 2
    while length <= useful and reach[length] < need:
        length += 1
    return length


@inner
def cheapest_share(terms: Terms, sums: Integers, classes: int, excess: int, covered: int) -> float:
    """N times the least share of errors among the covered rows that any extension can reach (after Eq. 16).

    The extension takes the remaining classes in order of their share of unavoidable errors, the last one in part where
    only the coverage that is needed forces it. Unlike Eq. 16 it takes none that makes the share worse beyond that need.
    """
    low, high = 0, classes
    while low < high:
        middle = (low + high) >> 1
        size, errors = sums[0, middle + 1] - sums[0, middle], sums[1, middle + 1] - sums[1, middle]
        if errors * (covered + sums[0, middle]) < (excess + sums[1, middle]) * size:
            low = middle + 1
        else:
            high = middle
    rows, cost = float(covered + sums[0, low]), float(excess + sums[1, low])
    while rows < terms.needed and low < classes:
        size = sums[0, low + 1] - sums[0, low]
        part = min(1.0, (terms.needed - rows) / size)
        rows += part * size
        cost += part * (sums[1, low + 1] - sums[1, low])
        low += 1
    return terms.rows * cost / rows if rows > 0 else 0.0
