"""Signed closeness of values to the boundary of their allowed set (SMACE, Eq. 3, 4, Algorithm 2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from decisionflow.conditions.arithmetic import EQUAL_WITHIN
from decisionflow.conditions.intervals import Region


@dataclass(frozen=True, slots=True)
class RuleContribution:
    """The part of one variable in a rule.

    `closeness` in [0, 1] is one at the boundary and zero at a distance of `scale` or more; `margin` is the distance in
    the variable's own unit (days for dates and durations), infinite where the allowed set has no boundary.
    """

    sign: int
    closeness: float
    margin: float
    scale: float

    @property
    def value(self) -> float:
        """r_v, the signed closeness; zero has no sign."""
        return self.sign * self.closeness + 0.0

    @property
    def distance(self) -> float:
        """d_v, the distance in units of the scale."""
        return self.margin / self.scale


def contribution(sign: int, margin: float, scale: float) -> RuleContribution:
    """r_v = sign * max(0, 1 - d_v).

    Deviates from Eq. 4 in clipping at zero: as printed, it changes sign when a threshold lies outside the data's range.
    """
    return RuleContribution(sign, max(0.0, 1.0 - margin / scale), margin, scale)


def rule_contributions(
    allowed: Region, values: NDArray[np.float64], scale: float, tolerant: bool = False
) -> NDArray[np.float64]:
    """r_v of one variable for many rows at once, values `(n,)` to contributions `(n,)`; NaN where a value is missing.

    `tolerant` compares with the ends as computed values are compared (law 1 of the language).
    """
    inside = np.zeros(len(values), bool)
    margin = np.full(len(values), np.inf)
    for interval in allowed.intervals:
        above = _beyond(values, interval.low, interval.low_closed, tolerant, 1)
        inside |= above & _beyond(values, interval.high, interval.high_closed, tolerant, -1)
    for end in allowed.boundaries():
        np.minimum(margin, np.abs(values - end), out=margin)
    closeness = np.maximum(0.0, 1.0 - margin / scale)
    return np.where(np.isnan(values), np.nan, np.where(inside, closeness, -closeness))


def _beyond(values: NDArray[Any], end: float, closed: bool, tolerant: bool, side: int) -> NDArray[np.bool_]:
    if np.isinf(end):
        return np.ones(len(values), bool)
    equal = values == end
    if tolerant:
        equal |= np.abs(values - end) <= EQUAL_WITHIN * np.maximum(np.abs(values), abs(end))
    strictly = (values > end) if side > 0 else (values < end)
    return (strictly | equal) if closed else (strictly & ~equal)
