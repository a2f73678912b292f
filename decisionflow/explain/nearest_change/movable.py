"""What may be changed of a row: the places where each feature may go, and what going there costs."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import Any

from decisionflow.conditions.intervals import Interval, Region
from decisionflow.conditions.linear import as_number
from decisionflow.conditions.values import Value
from decisionflow.explain.allowed import Labels
from decisionflow.explain.nearest_change.spelling import value_unit
from decisionflow.program.declarations import Domain, Feature
from decisionflow.types import BOOLEAN, Boolean, Date, Integer, Text, Timestamp, Type, Vocabulary

SECOND = 1 / 86_400
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
EPOCH_DAY = date(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class Movable:
    """One feature of the row: where it is, where it may go, and what a change costs.

    `here` is a number for what is measured (days for dates and instants), else the label, text or truth value.
    """

    name: str
    type: Type
    here: float | str | bool
    permitted: Region | Labels
    scale: float = 1.0
    weight: float = 1.0
    step: float | None = None

    @property
    def is_measured(self) -> bool:
        return isinstance(self.permitted, Region)

    @property
    def is_fixed(self) -> bool:
        """Whether it can only stay."""
        if isinstance(self.permitted, Region):
            return all(each.low == each.high for each in self.permitted.intervals)
        return not self.permitted.others and len(self.permitted.named) < 2

    @property
    def is_whole(self) -> bool:
        """Whether only whole numbers make sense: integers, and days."""
        return isinstance(self.type, Integer | Date)

    def cost(self, place: float | str | bool) -> float:
        """What it costs to be there instead."""
        if place == self.here:
            return 0.0
        if self.is_measured:
            return self.weight * abs(float(place) - float(self.here)) / self.scale
        return self.weight

    def value(self, place: float | str | bool) -> Value:
        """The place as a value of the feature's type."""
        match self.type:
            case Integer():
                return int(place)
            case Date():
                return EPOCH_DAY + timedelta(days=int(place))
            case Timestamp():
                return EPOCH + timedelta(seconds=round(float(place) / SECOND, 6))
        return place


class Places:
    """The places of one feature that a search has to consider, in ascending order; labels in that of declaration.

    They are the row's own, every end of a condition or of the domain, and what passes an excluded end by one step.
    Sets of places are whole numbers with a bit for each.
    """

    def __init__(self, item: Movable, values: Sequence[float | str | bool]) -> None:
        self.item, self.values = item, tuple(values)
        self.costs = tuple(item.cost(value) for value in self.values)
        self.here = self.values.index(item.here)
        self.full = (1 << len(self.values)) - 1
        self.permitted = self.mask(item.permitted) | 1 << self.here

    def mask(self, allowed: Region | Labels) -> int:
        """The places that are allowed."""
        if isinstance(allowed, Labels):
            return sum(1 << at for at, label in enumerate(self.values) if allowed.contains(label))
        found = 0
        for interval in allowed.intervals:
            first, last = span_of(self.values, interval)
            if last > first:
                found |= (1 << last) - (1 << first)
        return found

    def nearest(self, mask: int) -> int:
        """The cheapest of some places, at least one; of two as cheap the first."""
        here = self.here
        if mask >> here & 1:
            return here
        if not self.item.is_measured:
            return (mask & -mask).bit_length() - 1
        below, above = mask & ((1 << here) - 1), mask >> here
        if not above:
            return below.bit_length() - 1
        up = here + (above & -above).bit_length() - 1
        if not below:
            return up
        down = below.bit_length() - 1
        return down if self.costs[down] <= self.costs[up] else up


def movable(feature: Feature, value: Value, scale: float, weight: float) -> Movable:
    """A feature at a row that has a value for it; an immutable one may only stay."""
    kind, change = feature.type, feature.change
    if isinstance(kind, Vocabulary | Boolean | Text):
        permitted = Labels(frozenset([value])) if change.immutable else _labels(feature, value)
        return Movable(feature.name, kind, value, permitted, 1.0, weight)
    here = as_number(value)
    step = None if change.step is None else as_number(change.step)
    region = Region((Interval(here, here, True, True),)) if change.immutable else domain_region(feature.domain)
    if not change.may_increase:
        region = region.intersect(Region((Interval(-math.inf, here, False, True),)))
    if not change.may_decrease:
        region = region.intersect(Region((Interval(here, math.inf, True, False),)))
    return Movable(feature.name, kind, here, region, scale, weight, step)


def freed(feature: Feature, item: Movable) -> Movable:
    """The feature as if it could change in any direction."""
    named = not item.is_measured
    free = replace(feature, change=replace(feature.change, immutable=False, may_increase=True, may_decrease=True))
    return replace(item, permitted=_labels(free, item.here) if named else domain_region(feature.domain))


@dataclass(frozen=True, slots=True)
class Spots:
    """What conditions and the domain say about one feature, whatever the row: their ends, in order, and the places at
    and one step around them; of texts, those that are named."""

    ends: tuple[float, ...] = ()
    around: tuple[float, ...] = ()
    named: frozenset[Value] = frozenset()


@dataclass(slots=True)
class Ends:
    """What is known of the ends of conditions on one feature: the last decimal written in them, where nobody wrote
    them, and what places a model's split has beside them."""

    units: dict[float, float]
    computed: set[float] = field(default_factory=set)
    beside: dict[float, tuple[float, ...]] = field(default_factory=dict)

    def around(self, item: Movable, end: float) -> tuple[float, ...]:
        """An end, and the places one step before and after it."""
        if item.is_whole:
            low, high = float(math.floor(end)), float(math.ceil(end))
            return (low, low - 1, low + 1) if low == high else (low, high)
        if item.step is not None and (end in self.beside or end in self.computed):
            steps = end / item.step
            near = {math.floor(steps), math.ceil(steps), round(steps)}
            return tuple(neatly(count * item.step) for at in near for count in (at - 1, at, at + 1))
        if end in self.beside:
            return self.beside[end]
        step = item.step or (SECOND if isinstance(item.type, Timestamp) else self.units.get(end, value_unit(end)))
        return end, neatly(end - step, end), neatly(end + step, end)


def spots_of(item: Movable, feature: Feature, allowed: Iterable[Region | Labels], known: Ends) -> Spots:
    """The spots of a feature about which conditions say so much."""
    if not item.is_measured:
        return Spots(named=frozenset(label for each in allowed if isinstance(each, Labels) for label in each.named))
    regions = (domain_region(feature.domain), *(each for each in allowed if isinstance(each, Region)))
    ends = tuple(sorted({end for region in regions for end in region.boundaries()}))
    return Spots(ends, tuple(sorted({place for end in ends for place in known.around(item, end)})))


def places_of(item: Movable, spots: Spots, fine: bool) -> Places:
    """The places of a feature at a row.

    Where two ends are so near that no step falls between them, only `fine` looks there.
    """
    if isinstance(item.type, Vocabulary):
        return Places(item, item.type.labels)
    if item.type == BOOLEAN:
        return Places(item, (True, False))
    if not isinstance(item.permitted, Region):
        return Places(item, _texts({*spots.named, item.here}))
    found = {float(item.here)}
    for interval in item.permitted.intervals:
        first, last = span_of(spots.around, interval)
        found.update(spots.around[first:last])
    if fine:
        found.update(end for end in item.permitted.boundaries() if item.permitted.contains(end))
    if fine and not item.is_whole:
        between = _between(item, sorted({*spots.ends, *item.permitted.boundaries()}), sorted(found))
        found.update(place for place in between if item.permitted.contains(place))
    return Places(item, sorted(found))


def span_of(values: Sequence[Any], interval: Interval) -> tuple[int, int]:
    """Which of some ascending numbers lie in an interval: from the first on, up to but not the last."""
    first = (bisect_left if interval.low_closed else bisect_right)(values, interval.low)
    last = (bisect_right if interval.high_closed else bisect_left)(values, interval.high)
    return first, last


def _texts(named: set[Value]) -> list[str]:
    """The texts that conditions name, and one that none names."""
    other = "other"
    while other in named:
        other += "_"
    return [*sorted(named), other]


def _between(item: Movable, ends: Sequence[float], places: Sequence[float]) -> list[float]:
    """A place for every cell between neighbouring ends that has none yet: steps from the row's own, or the middle."""
    found = []
    for low, high in pairwise(ends):
        if bisect_left(places, high) > bisect_right(places, low):
            continue
        if item.step is None:
            found.append(neatly((low + high) / 2, low))
            continue
        here = float(item.here)
        first = neatly(here + (math.floor((low - here) / item.step) + 1) * item.step, low)
        last = neatly(here + (math.ceil((high - here) / item.step) - 1) * item.step, high)
        found += [place for place in (first, last) if low < place < high]
    return found


def neatly(place: float, end: float | None = None) -> float:
    """A sum without the dust of binary fractions: 0.4 + 0.1 is 0.5; never the end itself."""
    short = round(place, 12)
    return short if short != end else place


def domain_region(domain: Domain | None) -> Region:
    """A declared domain as a region."""
    if domain is None:
        return Region()
    low = -math.inf if domain.low is None else as_number(domain.low)
    high = math.inf if domain.high is None else as_number(domain.high)
    low_closed, high_closed = domain.low_closed and math.isfinite(low), domain.high_closed and math.isfinite(high)
    return Region((Interval(low, high, low_closed, high_closed),))


def _labels(feature: Feature, value: Value) -> Labels:
    """The labels that a feature may go to; an ordered one that may not rise or fall stays on its side."""
    if isinstance(feature.type, Boolean):
        return Labels(frozenset([True, False]))
    if not isinstance(feature.type, Vocabulary):
        return Labels(frozenset(), others=True)
    if not feature.type.ordered:
        return Labels(frozenset(feature.type.labels))
    here, change = feature.type.labels.index(value), feature.change
    return Labels(
        frozenset(
            label
            for rank, label in enumerate(feature.type.labels)
            if rank == here or (change.may_increase if rank > here else change.may_decrease)
        )
    )
