"""How precise conditions are: counted where all rows that matter can be named, sampled elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from decisionflow.explain.share_bounds import clopper_pearson, kl_bound

Conditions = tuple[int, ...]
Masks = NDArray[np.bool_]
Floats = NDArray[np.float64]
Draw = Callable[[Conditions, int, np.random.Generator], Masks]
"""Draws so many rows under which the conditions hold, and says of each whether it is decided like the row explained."""
Under = Callable[[Conditions], Masks]
"""Whether each background row, changed so that the conditions hold, is decided like the row explained, shape `(n,)`."""


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


def coverage(masks: Masks, weights: Floats, conditions: Conditions) -> float:
    """The share, by weight, of the rows that satisfy all of the conditions."""
    total = float(weights.sum())
    return float(weights[cover(masks, conditions)].sum()) / total if total else 0.0


@dataclass(frozen=True, slots=True)
class CountedPrecision:
    """Precision over the named rows that satisfy the conditions."""

    masks: Masks
    agrees: Masks
    weights: Floats
    search: AnchorSearch
    exact: bool = True

    def judge(self, conditions: Conditions) -> Precision:
        covered = cover(self.masks, conditions)
        total = float(self.weights[covered].sum())
        share = float(self.weights[covered & self.agrees].sum()) / total if total else 0.0
        return _counted(share, int(np.count_nonzero(covered)), self.search)

    def most_precise(self, sets: Sequence[Conditions], count: int) -> list[Conditions]:
        return _most_precise(self.judge, self.masks, self.weights, sets, count)

    def matters(self, conditions: Conditions, candidate: int) -> bool:
        """Whether one more condition takes away any row: else it changes nothing."""
        return bool((cover(self.masks, conditions) & ~self.masks[candidate]).any())


@dataclass(frozen=True, slots=True)
class EnumeratedPrecision:
    """Precision over all background rows, each changed so that the conditions hold."""

    masks: Masks
    under: Under
    search: AnchorSearch
    exact: bool = True
    known: dict[Conditions, Precision] = field(default_factory=dict)

    def judge(self, conditions: Conditions) -> Precision:
        if conditions not in self.known:
            agreed = self.under(conditions)
            self.known[conditions] = _counted(float(np.mean(agreed)), len(agreed), self.search)
        return self.known[conditions]

    def most_precise(self, sets: Sequence[Conditions], count: int) -> list[Conditions]:
        return _most_precise(self.judge, self.masks, np.ones(self.masks.shape[1]), sets, count)

    def matters(self, conditions: Conditions, candidate: int) -> bool:  # noqa: ARG002
        """Whether one more condition changes any row; taken as so, as it takes the rows to know."""
        return True


def _counted(share: float, rows: int, search: AnchorSearch) -> Precision:
    return Precision(share, share, share, rows, rows > 0 and share >= search.precision - 1e-12)


def _most_precise(
    judge: Callable[[Conditions], Precision], masks: Masks, weights: Floats, sets: Sequence[Conditions], count: int
) -> list[Conditions]:
    """The most precise sets, then those that cover more, then in the order of the candidates."""

    def rank(conditions: Conditions) -> tuple[float, float, Conditions]:
        return (-judge(conditions).share, -coverage(masks, weights, conditions), conditions)

    return sorted(sets, key=rank)[:count]


@dataclass(slots=True)
class _Tally:
    """Rows drawn of one set of conditions, and how many of them agreed."""

    drawn: int = 0
    agreed: int = 0

    @property
    def share(self) -> float:
        return self.agreed / self.drawn


@dataclass(slots=True)
class SampledPrecision:
    """Precision of drawn rows."""

    draw: Draw
    search: AnchorSearch
    rng: np.random.Generator
    exact: bool = False
    tests: int = 0
    tallies: dict[Conditions, _Tally] = field(default_factory=dict)

    def judge(self, conditions: Conditions) -> Precision:
        """Test one set on fresh rows, twice as many each time, until they decide.

        The j-th test of a search may err with probability delta / (j (j + 1)), shared by its looks at the rows and by
        the two bounds; the sum over all tests is delta. The bounds are Clopper and Pearson's. The rows on which the set
        was chosen are not used again.
        """
        self.tests += 1
        sizes = list(_doubling(self.search.batch, self.search.draws))
        error = self.search.delta / (self.tests * (self.tests + 1)) / (2 * len(sizes))
        tally = _Tally()
        for size in sizes:
            self._draw(conditions, size - tally.drawn, tally)
            low, high = clopper_pearson(tally.agreed, tally.drawn, error)
            if low >= self.search.precision or high < self.search.precision:
                break
        return Precision(tally.share, low, high, tally.drawn, low >= self.search.precision)

    def most_precise(self, sets: Sequence[Conditions], count: int) -> list[Conditions]:
        """The most precise sets, by KL-LUCB (Kaufmann and Kalyanakrishnan, 2013), most precise first.

        Rows go to the least certain of the sets kept and of those left, until the two differ by the tolerance at most
        or the rows are used up; this choice proves nothing, `judge` does.
        """
        for conditions in sets:
            if conditions not in self.tallies:
                self._draw(conditions, self.search.batch, self.tallies.setdefault(conditions, _Tally()))
        rounds = max(1, self.search.draws // (2 * self.search.batch))
        for time in range(1, rounds + 1):
            ordered = sorted(sets, key=lambda conditions: -self.tallies[conditions].share)
            kept, left = ordered[:count], ordered[count:]
            if not left:
                break
            threshold = _exploration(len(sets), time, self.search.delta)
            weakest = min(kept, key=lambda conditions: self._bound(conditions, threshold, -1))
            rival = max(left, key=lambda conditions: self._bound(conditions, threshold, +1))
            gap = self._bound(rival, threshold, +1) - self._bound(weakest, threshold, -1)
            if gap <= self.search.tolerance:
                break
            for conditions in (weakest, rival):
                self._draw(conditions, self.search.batch, self.tallies[conditions])
        return sorted(sets, key=lambda conditions: -self.tallies[conditions].share)[:count]

    def matters(self, conditions: Conditions, candidate: int) -> bool:  # noqa: ARG002
        """Whether one more condition changes the rows drawn; taken as so, as nothing is known of them."""
        return True

    def _bound(self, conditions: Conditions, threshold: float, side: int) -> float:
        tally = self.tallies[conditions]
        return kl_bound(tally.share, threshold / tally.drawn, side)

    def _draw(self, conditions: Conditions, count: int, tally: _Tally) -> None:
        agreed = self.draw(conditions, count, self.rng)
        tally.drawn += len(agreed)
        tally.agreed += int(np.count_nonzero(agreed))


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
