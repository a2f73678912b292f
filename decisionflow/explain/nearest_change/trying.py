"""Tries changes out where conditions cannot be opened: other places of one feature, of two, other rows, then nearer."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, product

import numpy as np

from decisionflow.conditions.intervals import Region
from decisionflow.conditions.linear import as_number
from decisionflow.conditions.values import MISSING, Failure, Value
from decisionflow.evaluate.answer import DECIDED
from decisionflow.evaluate.evaluator import evaluate
from decisionflow.explain.completion import Background
from decisionflow.explain.decision_function import equal_values
from decisionflow.explain.nearest_change.answer import Proposal
from decisionflow.explain.nearest_change.deciding import Deciding
from decisionflow.explain.nearest_change.movable import Movable, Places, neatly
from decisionflow.tables.scalars import from_scalars, scalar_at
from decisionflow.tables.table import Table

Place = float | str | bool
Change = dict[int, Place]
GRID = 16
MOST_PAIRS = 6_000
MOST_ROWS = 1_000
KEPT = 6
HALVINGS = 24
DIGITS, DUST = 12, 1e-6


@dataclass(frozen=True, slots=True)
class Trying:
    """The features of a row with the places to try, and the background whose rows are tried as well."""

    deciding: Deciding
    items: Sequence[Movable]
    places: Sequence[Places]
    background: Background | None
    most: int | None

    def best(self) -> Proposal | None:
        """The cheapest change that was found; None where none was."""
        tried = self._fitting(self._single())
        tried += self._fitting(self._pairs())
        tried += self._fitting(self._rows())
        nearest = sorted(tried, key=self.cost)[:KEPT]
        found = [self._nearer(change) for change in nearest]
        chosen = min(found, key=lambda change: (self.cost(change), len(change)), default=None)
        if chosen is None:
            return None
        values = self._values(chosen)
        return Proposal(values, self.cost(chosen), self.deciding.decide(values))

    def cost(self, change: Change) -> float:
        """What a change costs."""
        return math.fsum(self.items[at].cost(place) for at, place in change.items())

    # What is tried

    def _single(self) -> list[Change]:
        return [{at: place} for at in range(len(self.items)) for place in self._candidates(at)]

    def _pairs(self) -> list[Change]:
        if self.most == 1:
            return []
        pairs = (
            {first: one, second: other}
            for first, second in combinations(range(len(self.items)), 2)
            for one, other in product(self._some_candidates(first), self._some_candidates(second))
        )
        return list(islice(pairs, MOST_PAIRS))

    def _rows(self) -> list[Change]:
        """The rows of the background, as far as the features may move there."""
        if self.background is None:
            return []
        columns = [(self.background.table.columns.get(item.name), item) for item in self.items]
        found = []
        for row in range(min(self.background.rows, MOST_ROWS)):
            change: Change = {}
            for at, (column, item) in enumerate(columns):
                value = MISSING if column is None else scalar_at(column, row, item.type)
                if value is not MISSING and not isinstance(value, Failure):
                    place = as_number(value) if item.is_measured else value
                    if place != item.here and item.permitted.contains(place):
                        change[at] = place
            found.append(change)
        return [change for change in found if self.most is None or len(change) <= self.most]

    def _candidates(self, at: int) -> list[Place]:
        """The places that conditions speak of, and an even spread over what is permitted or seen."""
        item, places = self.items[at], self.places[at]
        known = [place for number, place in enumerate(places.values) if places.permitted >> number & 1]
        if isinstance(item.permitted, Region) and not item.is_fixed:
            known += [place for place in self._spread(item) if item.permitted.contains(place)]
        return [place for place in dict.fromkeys(known) if place != item.here]

    def _some_candidates(self, at: int) -> list[Place]:
        """Every label, and every other number."""
        found = self._candidates(at)
        return found[::2] if self.items[at].is_measured else found

    def _spread(self, item: Movable) -> Iterable[float]:
        here = float(item.here)
        low, high = here - 2 * item.scale, here + 2 * item.scale
        if isinstance(item.permitted, Region) and item.permitted.intervals:
            low = max(low, item.permitted.intervals[0].low)
            high = min(high, item.permitted.intervals[-1].high)
        return (self._stepped(item, low + (high - low) * share / GRID) for share in range(GRID + 1))

    @staticmethod
    def _stepped(item: Movable, place: float) -> float:
        """The nearest place in whole steps from where the feature is."""
        step = 1.0 if item.is_whole else item.step
        here = float(item.here)
        return neatly(here + round((place - here) / step) * step) if step else neatly(place)

    # How it is decided

    def _fitting(self, changes: Sequence[Change]) -> list[Change]:
        """Those of some changes that give what is wanted."""
        if not changes:
            return []
        deciding = self.deciding
        program, decision, row = deciding.row.program, deciding.decision, deciding.row
        number = {item.name: at for at, item in enumerate(self.items)}
        columns = {}
        for name in program.features_of([decision.name]):
            here = row.features[name]
            values = [self._value(change, number[name]) if name in number else here for change in changes]
            columns[name] = from_scalars(values, program.features[name].type)
        table = Table(len(changes), columns)
        answer = evaluate(program, deciding.models, table, row.settings, (decision.name,)).answers[decision.name]
        fits = answer.status == DECIDED
        if deciding.wanted.value is not None:
            same = equal_values(answer.values, deciding.wanted.value, decision.held)
            fits &= same != deciding.wanted.other
        return [changes[at] for at in np.flatnonzero(fits).tolist()]

    def _value(self, change: Change, at: int) -> Value:
        item = self.items[at]
        return item.value(change.get(at, item.here))

    def _values(self, change: Mapping[int, Place]) -> dict[str, Value]:
        return {self.items[at].name: self.items[at].value(place) for at, place in change.items()}

    # How it comes nearer

    def _nearer(self, change: Change) -> Change:
        """The change with each feature put back, or as near to where it was as still gives what is wanted."""
        found = dict(change)
        dearest = sorted(found, key=lambda at: -self.items[at].cost(found[at]))
        for at in dearest:
            without = {other: place for other, place in found.items() if other != at}
            found = without if self._fits(without) else found
        for at in dearest:
            if at in found and self.items[at].is_measured:
                found = self._closer(found, at)
        return found

    def _closer(self, change: Change, at: int) -> Change:
        """One feature moved towards where it was, by halves."""
        item = self.items[at]
        fails, fits = float(item.here), float(change[at])
        for _ in range(HALVINGS):
            middle = self._stepped(item, (fails + fits) / 2)
            if middle in (fails, fits):
                break
            if item.permitted.contains(middle) and self._fits({**change, at: middle}):
                fits = middle
            else:
                fails = middle
        return {**change, at: self._neat(change, at, fits)}

    def _neat(self, change: Change, at: int, place: float) -> float:
        """A shorter decimal that does as well, where halving left a long one."""
        item = self.items[at]
        if item.is_whole or item.step is not None:
            return place
        for digits in range(DIGITS):
            apart = 10.0**-digits
            for short in (round(place, digits), round(place - apart, digits), round(place + apart, digits)):
                near = abs(short - place) <= DUST * item.scale and item.permitted.contains(short)
                if near and self._fits({**change, at: short}):
                    return short
        return place

    def _fits(self, change: Change) -> bool:
        return self.deciding.satisfies(self.deciding.decide(self._values(change)))
