"""A formula put on the places of one row: what a search walks through."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from decisionflow.conditions.intervals import Interval, Region
from decisionflow.explain.allowed import Labels
from decisionflow.explain.nearest_change.formula import (
    All,
    Formula,
    HalfSpace,
    OnFeature,
    Some,
    Threshold,
    Tried,
    literals,
)
from decisionflow.explain.nearest_change.movable import Movable, Places, places_of

Hard = HalfSpace | Threshold | Tried
Point = tuple[int, ...]
"""One place of every feature, by its number."""


@dataclass(frozen=True, slots=True, eq=False)
class Bit:
    """A feature is at one of some places."""

    feature: int
    mask: int


@dataclass(frozen=True, slots=True, eq=False)
class Every:
    """All of the parts hold."""

    parts: tuple[Placed, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Several:
    """At least `number` of the parts hold."""

    parts: tuple[Placed, ...]
    number: int


@dataclass(frozen=True, slots=True, eq=False)
class HardPart:
    """A condition over several features, or one that has to be tried."""

    hard: Hard


Placed = Bit | Every | Several | HardPart


@dataclass
class Problem:
    """Features with their places, and what has to hold of a point."""

    places: tuple[Places, ...]
    root: Placed
    ends: tuple[tuple[float, ...], ...]

    def cost(self, point: Sequence[int]) -> float:
        """What it costs to be there."""
        return sum(each.costs[at] for each, at in zip(self.places, point, strict=True))

    def cell(self, feature: int, value: float) -> int | None:
        """A place in the same cell as a number: no condition on this feature alone tells them apart; None if none."""
        places = self.places[feature]
        exact = bisect_left(places.values, value)
        if exact < len(places.values) and places.values[exact] == value:
            return exact
        ends = self.ends[feature]
        after = bisect_left(ends, value)
        low = ends[after - 1] if after else float("-inf")
        high = ends[after] if after < len(ends) else float("inf")
        found = places.mask(Region((Interval(low, high),)))
        return places.nearest(found) if found else None


def problem_of(
    items: Sequence[Movable], formula: Formula, domain_units: Sequence[Mapping[float, float]], fine: bool
) -> Problem:
    """The formula on the places of the items, which it numbers in their order; see `places_of` for `fine`."""
    allowed: list[list[Region | Labels]] = [[] for _ in items]
    units = [dict(known) for known in domain_units]
    for literal in literals(formula):
        for feature, region, own in _asked(literal):
            allowed[feature].append(region)
            for end, unit in own.items():
                units[feature][end] = min(unit, units[feature].get(end, unit))
    places = tuple(
        places_of(item, asked, known, fine) for item, asked, known in zip(items, allowed, units, strict=True)
    )
    ends = tuple(
        tuple(sorted({end for each in (item.permitted, *asked) for end in _ends(each)}))
        for item, asked in zip(items, allowed, strict=True)
    )
    return Problem(places, _Placing(places).place(formula), ends)


def _ends(allowed: Region | Labels) -> tuple[float, ...]:
    return allowed.boundaries() if isinstance(allowed, Region) else ()


def _asked(literal: Formula) -> list[tuple[int, Region | Labels, Mapping[float, float]]]:
    if isinstance(literal, OnFeature):
        return [(literal.feature, literal.allowed, literal.units)]
    return []


@dataclass
class _Placing:
    """Puts formulas on places, each object once."""

    places: tuple[Places, ...]
    done: dict[int, tuple[Formula, Placed]] = field(default_factory=dict)

    def place(self, formula: Formula) -> Placed:
        known = self.done.get(id(formula))
        if known is None:
            known = formula, self._place(formula)
            self.done[id(formula)] = known
        return known[1]

    def _place(self, formula: Formula) -> Placed:
        match formula:
            case OnFeature(feature=feature, allowed=allowed):
                return Bit(feature, self.places[feature].mask(allowed) & self.places[feature].permitted)
            case All(parts=parts):
                return Every(tuple(self.place(part) for part in parts))
            case Some(parts=parts, number=number):
                return Several(tuple(self.place(part) for part in parts), number)
        return HardPart(formula)
