"""A formula put on the places of one row: what a search walks through."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
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
from decisionflow.explain.nearest_change.movable import Ends, Movable, Places, Spots, places_of, spots_of
from decisionflow.explain.nearest_change.spelling import domain_units
from decisionflow.program.declarations import Feature

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


@dataclass(frozen=True, slots=True)
class Survey:
    """A formula, and what it says about each feature."""

    formula: Formula
    spots: tuple[Spots, ...]


def survey(formula: Formula, items: Sequence[Movable], features: Sequence[Feature]) -> Survey:
    """What a formula says about the features, which it numbers in their order."""
    allowed: list[list[Region | Labels]] = [[] for _ in items]
    known = [Ends(domain_units(feature)) for feature in features]
    for literal in literals(formula):
        if isinstance(literal, Threshold):
            for split in literal.scored.splits:
                allowed[split.feature].append(split.left)
            for at, beside in literal.scored.around.items():
                known[at].beside.update(beside)
        elif isinstance(literal, OnFeature):
            allowed[literal.feature].append(literal.allowed)
            _learn(known[literal.feature], literal)
    return Survey(formula, tuple(map(spots_of, items, features, allowed, known)))


def _learn(known: Ends, literal: OnFeature) -> None:
    for end, unit in literal.units.items():
        known.units[end] = min(unit, known.units.get(end, unit))
    if literal.computed and isinstance(literal.allowed, Region):
        known.computed.update(literal.allowed.boundaries())


def problem_of(items: Sequence[Movable], surveyed: Survey, fine: bool) -> Problem:
    """The formula on the places of the items; see `places_of` for `fine`."""
    places = tuple(places_of(item, spots, fine) for item, spots in zip(items, surveyed.spots, strict=True))
    ends = tuple(spots.ends for spots in surveyed.spots)
    return Problem(places, _Placing(places).place(surveyed.formula), ends)


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
