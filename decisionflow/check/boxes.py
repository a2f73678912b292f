"""Boxes: for every dimension the values that it may take, and whether it may be missing.

What a condition is true of is a union of boxes; so is what it is false of. Where it is neither it is unknown.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from decisionflow.conditions.intervals import Interval, Region, union
from decisionflow.frozen import frozen

MOST_PIECES, MOST_STEPS = 2_000, 200_000
"""Beyond so many pieces, or subtractions, a question is out of reach and is not answered."""

Key = Any
"""What a dimension is known by: the expression that it stands for."""


class OutOfReach(Exception):
    """A question would take more pieces than are worth their search."""


@frozen
class Slice:
    """The known values that a dimension may take, coded as numbers, and whether it may be missing."""

    region: Region
    missing: bool = False

    @property
    def is_empty(self) -> bool:
        return self.region.is_empty and not self.missing

    def is_apart_from(self, other: Slice) -> bool:
        """Whether one lies wholly beyond the other: a quick look that is right where it says yes."""
        if self.missing and other.missing:
            return False
        mine, theirs = self.region.intervals, other.region.intervals
        return not mine or not theirs or mine[-1].high < theirs[0].low or theirs[-1].high < mine[0].low


Box = Mapping[Key, Slice]
"""A dimension that a box does not name is left open."""


@dataclass(frozen=True)
class Space:
    """All that the dimensions may be; `whole` names those whose values are whole numbers (labels, days, integers)."""

    slices: Mapping[Key, Slice]
    whole: frozenset[Key]

    def slice_of(self, box: Box, key: Key) -> Slice:
        """What a box allows of a dimension."""
        return box.get(key, self.slices[key])

    def cut(self, key: Key, region: Region, missing: bool = False) -> Slice:
        """A slice kept inside the space."""
        inside = region.intersect(self.slices[key].region)
        kept = tight(inside) if key in self.whole else inside
        return Slice(kept, missing and self.slices[key].missing)

    def intersect(self, first: Box, second: Box) -> Box | None:
        """What lies in both boxes, None where nothing does."""
        if any(key in first and first[key].is_apart_from(other) for key, other in second.items()):
            return None
        found = dict(first)
        for key, other in second.items():
            mine = found.get(key)
            both = other if mine is None else self._common(key, mine, other)
            if both.is_empty:
                return None
            found[key] = both
        return found

    def _common(self, key: Key, mine: Slice, other: Slice) -> Slice:
        region = mine.region.intersect(other.region)
        return Slice(tight(region) if key in self.whole else region, mine.missing and other.missing)

    def subtract(self, box: Box, taken: Box) -> list[Box]:
        """What is left of a box, as disjoint boxes."""
        if self.intersect(box, taken) is None:
            return [box]
        left: list[Box] = []
        rest = dict(box)
        for key, other in taken.items():
            mine = self.slice_of(rest, key)
            outside = self.cut(key, mine.region.intersect(other.region.complement()))
            outside = Slice(outside.region, mine.missing and not other.missing)
            if not outside.is_empty:
                left.append({**rest, key: outside})
            rest[key] = self.cut(key, mine.region.intersect(other.region), mine.missing and other.missing)
        return left

    def remainder(self, boxes: Iterable[Box], taken: Iterable[Box]) -> list[Box]:
        """What is left of boxes after others are taken away; raises OutOfReach."""
        left, steps = list(boxes), 0
        for other in taken:
            steps += len(left)
            left = [piece for box in left for piece in self.subtract(box, other)]
            if len(left) > MOST_PIECES or steps > MOST_STEPS:
                raise OutOfReach
            if not left:
                break
        return left

    def product(self, groups: Sequence[Sequence[Box]]) -> list[Box]:
        """The boxes that lie in one of each group; raises OutOfReach."""
        found: list[Box] = [{}]
        for group in groups:
            pairs = (self.intersect(first, second) for first in found for second in group)
            found = [box for box in pairs if box is not None]
            if len(found) > MOST_PIECES:
                raise OutOfReach
        return found


def tight(region: Region) -> Region:
    """The whole numbers of a region, every finite end closed."""
    return union(_tight(interval) for interval in region.intervals)


def _tight(interval: Interval) -> Interval:
    low, high = interval.low, interval.high
    if math.isfinite(low):
        whole = math.ceil(low)
        low = whole + 1 if whole == low and not interval.low_closed else whole
    if math.isfinite(high):
        whole = math.floor(high)
        high = whole - 1 if whole == high and not interval.high_closed else whole
    return Interval(low, high, math.isfinite(low), math.isfinite(high))


def point(value: float) -> Region:
    """One number."""
    return Region((Interval(value, value, True, True),))
