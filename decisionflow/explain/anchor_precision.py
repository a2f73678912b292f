"""How precise conditions are: counted where the policy alone decides, sampled where a model stands behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from decisionflow.explain.share_bounds import clopper_pearson, kl_bounds

Conditions = tuple[int, ...]
Masks = NDArray[np.bool_]
Floats = NDArray[np.float64]
Draw = Callable[[Sequence[Conditions], int, np.random.Generator], list[Masks]]
"""Draws so many rows under each set of conditions, and says of each whether it is decided like the row explained."""
Under = Callable[[Sequence[Conditions]], list[Masks]]
"""Whether each background row, changed so that a set of conditions holds, is decided like the row explained."""


@dataclass(frozen=True, slots=True)
class AnchorSearch:
    """What an anchor must reach, and how hard it is searched.

    precision: the share of the rows under it that must be decided alike
    delta: the probability with which a sampled anchor may miss that precision
    beam: sets of conditions kept from one size to the next
    max_conditions: the largest set, or None for as many as there are candidates
    tolerance: how much worse than the best the kept sets may be, where precision is sampled (KL-LUCB's epsilon)
    batch, draws: rows drawn of a set at first, and at most in one test and in the choice for one size
    """

    precision: float = 0.95
    delta: float = 0.05
    beam: int = 4
    max_conditions: int | None = None
    tolerance: float = 0.15
    batch: int = 100
    draws: int = 10_000


@dataclass(frozen=True, slots=True)
class Precision:
    """The share of rows decided alike, between two bounds; `rows` were counted or drawn, `certain` if it is enough."""

    share: float
    low: float
    high: float
    rows: int
    certain: bool


def cover(masks: Masks, conditions: Conditions) -> Masks:
    """The rows that satisfy all of the conditions, every row for none."""
    return np.asarray(masks[list(conditions)].all(axis=0))


def coverage(masks: Masks, conditions: Conditions) -> float:
    """The share of the rows that satisfy all of the conditions."""
    return float(cover(masks, conditions).mean()) if masks.shape[1] else 0.0


@dataclass(frozen=True, slots=True)
class EnumeratedPrecision:
    """Precision over all background rows, each changed so that the conditions hold.

    A precision of exactly the one asked for is enough, up to 1e-12.
    """

    masks: Masks
    under: Under
    search: AnchorSearch
    exact: bool = True
    known: dict[Conditions, Precision] = field(default_factory=dict)

    def judge(self, sets: Sequence[Conditions]) -> list[Precision]:
        """The precision of each set."""
        new = [conditions for conditions in sets if conditions not in self.known]
        for conditions, agreed in zip(new, self.under(new), strict=True):
            share = float(np.mean(agreed)) if len(agreed) else 0.0
            enough = share >= self.search.precision - 1e-12
            self.known[conditions] = Precision(share, share, share, len(agreed), enough)
        return [self.known[conditions] for conditions in sets]

    def most_precise(self, sets: Sequence[Conditions], count: int) -> list[Conditions]:
        """The most precise sets, then those that cover more, then in the order of the candidates."""
        shares = {conditions: found.share for conditions, found in zip(sets, self.judge(sets), strict=True)}
        return sorted(sets, key=lambda one: (-shares[one], -coverage(self.masks, one), one))[:count]


@dataclass(slots=True)
class _Tally:
    """Rows drawn of one set of conditions, and how many of them agreed."""

    drawn: int = 0
    agreed: int = 0

    def add(self, agreed: Masks) -> None:
        self.drawn += len(agreed)
        self.agreed += int(np.count_nonzero(agreed))

    @property
    def share(self) -> float:
        return self.agreed / self.drawn


@dataclass(slots=True)
class SampledPrecision:
    """Precision of drawn rows. Many sets are drawn in one call, as a call of a model costs more than its rows."""

    draw: Draw
    search: AnchorSearch
    rng: np.random.Generator
    exact: bool = False
    tests: int = 0
    tallies: dict[Conditions, _Tally] = field(default_factory=dict)

    def judge(self, sets: Sequence[Conditions]) -> list[Precision]:
        """Test each set on fresh rows, twice as many each time, until they decide.

        The j-th test of a search may err with probability delta / (j (j + 1)), shared by its looks at the rows and by
        the two bounds; the sum over all tests is delta. The bounds are Clopper and Pearson's. The rows on which the set
        was chosen are not used again.
        """
        sizes = list(_doubling(self.search.batch, self.search.draws))
        tests = range(self.tests + 1, self.tests + len(sets) + 1)
        errors = [self.search.delta / (test * (test + 1)) / (2 * len(sizes)) for test in tests]
        self.tests += len(sets)
        tallies, found = [_Tally() for _ in sets], [Precision(0.0, 0.0, 1.0, 0, False) for _ in sets]
        open_tests, drawn = list(range(len(sets))), 0
        for size in sizes:
            for place, agreed in zip(open_tests, self._drawn([sets[p] for p in open_tests], size - drawn), strict=True):
                tallies[place].add(agreed)
                found[place] = self._tested(tallies[place], errors[place])
            open_tests, drawn = [p for p in open_tests if found[p].low < self.search.precision <= found[p].high], size
        return found

    def _tested(self, tally: _Tally, error: float) -> Precision:
        low, high = clopper_pearson(tally.agreed, tally.drawn, error)
        return Precision(tally.share, low, high, tally.drawn, low >= self.search.precision)

    def most_precise(self, sets: Sequence[Conditions], count: int) -> list[Conditions]:
        """The most precise sets, by KL-LUCB (Kaufmann and Kalyanakrishnan, 2013), most precise first.

        Rows go to the least certain of the sets kept and of those left, `count` of each at a time where the paper draws
        for one of each, until the two differ by the tolerance at most or the rows are used up; this choice proves
        nothing, `judge` does.
        """
        self._add([conditions for conditions in sets if conditions not in self.tallies])
        rounds = max(1, self.search.draws // (2 * count * self.search.batch))
        for time in range(1, rounds + 1):
            shares, low, high = self._bounds(sets, time)
            order = np.argsort(-shares, kind="stable")
            kept, left = order[:count], order[count:]
            if not len(left) or high[left].max() - low[kept].min() <= self.search.tolerance:
                break
            rivals = left[np.argsort(-high[left], kind="stable")[:count]]
            self._add([sets[place] for place in (*kept, *rivals)])
        return sorted(sets, key=lambda conditions: -self.tallies[conditions].share)[:count]

    def _bounds(self, sets: Sequence[Conditions], time: int) -> tuple[Floats, Floats, Floats]:
        """Share, lower and upper bound of each set."""
        drawn = np.array([self.tallies[conditions].drawn for conditions in sets])
        shares = np.array([self.tallies[conditions].share for conditions in sets])
        levels = _exploration(len(sets), time, self.search.delta) / drawn
        return shares, kl_bounds(shares, levels, -1), kl_bounds(shares, levels, +1)

    def _add(self, sets: Sequence[Conditions]) -> None:
        for conditions, agreed in zip(sets, self._drawn(sets, self.search.batch), strict=True):
            self.tallies.setdefault(conditions, _Tally()).add(agreed)

    def _drawn(self, sets: Sequence[Conditions], count: int) -> list[Masks]:
        return self.draw(sets, count, self.rng)


def _exploration(arms: int, time: int, delta: float) -> float:
    """KL-LUCB's exploration rate, with the constants of its Theorem 1: alpha = 1.1 and k1 = 405.5."""
    rate = float(np.log(405.5 * arms * time**1.1 / delta))
    return rate + float(np.log(rate))


def _doubling(first: int, last: int) -> Iterator[int]:
    size = first
    while size < last:
        yield size
        size *= 2
    yield last
