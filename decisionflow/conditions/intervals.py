"""Sets of numbers as sorted intervals with open and closed ends: the geometry of a condition on one variable."""

from __future__ import annotations

import math
from collections.abc import Iterable

from decisionflow.conditions.arithmetic import equal
from decisionflow.frozen import frozen


@frozen
class Interval:
    """The numbers from `low` to `high`; an infinite end is open."""

    low: float = -math.inf
    high: float = math.inf
    low_closed: bool = False
    high_closed: bool = False

    @property
    def is_empty(self) -> bool:
        return self.low > self.high or (self.low == self.high and not (self.low_closed and self.high_closed))

    def contains(self, value: float, tolerant: bool = False) -> bool:
        """Whether a number lies in the interval, its ends compared as law 1 of the language says."""
        return self._above(value, tolerant) and self._below(value, tolerant)

    def _above(self, value: float, tolerant: bool) -> bool:
        return self.low_closed if _meets(value, self.low, tolerant) else value > self.low

    def _below(self, value: float, tolerant: bool) -> bool:
        return self.high_closed if _meets(value, self.high, tolerant) else value < self.high

    def intersect(self, other: Interval) -> Interval:
        """The numbers in both; possibly empty."""
        low, low_closed = max((self.low, not self.low_closed), (other.low, not other.low_closed))
        high, high_closed = min((self.high, self.high_closed), (other.high, other.high_closed))
        return Interval(low, high, not low_closed, high_closed)


def _meets(value: float, end: float, tolerant: bool) -> bool:
    """Whether a number is an end; beside an infinite end every tolerance would be infinite."""
    return math.isfinite(end) and equal(value, end, tolerant)


EVERYTHING = Interval()


@frozen
class Region:
    """A union of disjoint intervals, neither empty nor touching, lowest first."""

    intervals: tuple[Interval, ...] = (EVERYTHING,)

    @property
    def is_empty(self) -> bool:
        return not self.intervals

    def contains(self, value: float, tolerant: bool = False) -> bool:
        """Whether a number lies in the region."""
        return any(interval.contains(value, tolerant) for interval in self.intervals)

    def intersect(self, other: Region) -> Region:
        """The numbers in both."""
        return union(mine.intersect(theirs) for mine in self.intervals for theirs in other.intervals)

    def complement(self) -> Region:
        """The numbers outside."""
        gaps, low, closed = [], -math.inf, False
        for interval in self.intervals:
            gaps.append(Interval(low, interval.low, closed, not interval.low_closed and math.isfinite(interval.low)))
            low, closed = interval.high, not interval.high_closed
        gaps.append(Interval(low, math.inf, closed and math.isfinite(low), False))
        return union(gaps)

    def boundaries(self) -> tuple[float, ...]:
        """Every finite end, lowest first."""
        ends = (end for interval in self.intervals for end in (interval.low, interval.high))
        return tuple(end for end in ends if math.isfinite(end))

    def distance_to_boundary(self, value: float) -> float:
        """From a number outside, the distance to the region; inside, to the nearest finite end of its interval.

        Infinite where there is no such end.
        """
        return min((abs(value - end) for end in self.boundaries()), default=math.inf)


def union(intervals: Iterable[Interval]) -> Region:
    """The smallest region that holds all of the intervals; touching ones become one."""
    merged: list[Interval] = []
    for interval in sorted(
        (item for item in intervals if not item.is_empty),
        key=lambda item: (item.low, not item.low_closed),
    ):
        if merged and _touches(merged[-1], interval):
            merged[-1] = _joined(merged[-1], interval)
        else:
            merged.append(interval)
    return Region(tuple(merged))


def _touches(first: Interval, second: Interval) -> bool:
    return first.high > second.low or (first.high == second.low and (first.high_closed or second.low_closed))


def _joined(first: Interval, second: Interval) -> Interval:
    high, closed = max((first.high, first.high_closed), (second.high, second.high_closed))
    return Interval(first.low, high, first.low_closed, closed)
