"""Where a column of numbers is cut for local rules.

At the policy's own thresholds and tree splits near the row, else in three bins of equal size (LoRMIkA, section 4.2).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from decisionflow.conditions.intervals import Interval

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, order=True)
class Cut:
    """A point that parts the numbers: it belongs to the lower part (`x <= 3`, `x > 3`) or to the upper one.

    A scikit-learn split keeps its point below (`x <= t` goes left), an XGBoost split above (`x < t` goes left).
    """

    point: float
    below: bool = False

    def parts_off(self, values: Floats) -> NDArray[np.bool_]:
        """Whether each number lies in the lower part; a missing one does not."""
        lower: NDArray[np.bool_] = values <= self.point if self.below else values < self.point
        return lower


def cuts_of(interval: Interval) -> tuple[Cut, ...]:
    """The cuts at the finite ends of a condition's allowed interval; `x = 3` has two, below and above 3."""
    ends = ((interval.low, not interval.low_closed), (interval.high, interval.high_closed))
    return tuple(Cut(end, below) for end, below in ends if np.isfinite(end))


def choose_cuts(
    value: float, thresholds: Iterable[Cut], values: Floats, each_side: int = 2, bins: int = 3
) -> tuple[Cut, ...]:
    """The cuts of one column for one row, lowest first.

    `values` `(n,)` are the column's in the neighbourhood. A threshold counts as near the row where it parts these
    values; of those the `each_side` nearest above the row's `value` are taken, and as many below. Where none is near,
    or the row's value is missing, the cuts are those of `quantile_cuts`.
    """
    near = [cut for cut in sorted(set(thresholds)) if _parts(cut, values)]
    above = [cut for cut in near if cut.parts_off(np.array(value))]
    below = [cut for cut in near if not cut.parts_off(np.array(value))]
    chosen = (*below[max(0, len(below) - each_side) :], *above[:each_side])
    return chosen if chosen and not np.isnan(value) else quantile_cuts(values, bins)


def quantile_cuts(values: Floats, bins: int = 3) -> tuple[Cut, ...]:
    """The cuts of `bins` bins of about equally many values, fewer where values repeat; at values of the column.

    A cut begins its upper bin. A missing value is in no bin.
    """
    present = np.sort(values[~np.isnan(values)])
    places = [-(-len(present) * number // bins) for number in range(1, bins)]
    points = {float(present[place]) for place in places if 0 < place < len(present)}
    return tuple(Cut(point) for point in sorted(points) if point > present[0])


def shortened(cut: Cut, values: Floats) -> Cut:
    """The cut that parts these values `(n,)` alike and is written with the fewest digits."""
    lower = values[cut.parts_off(values)]
    if cut.below or not len(lower) or not len(values[values >= cut.point]):
        return cut
    least, most = float(lower.max()), float(values[values >= cut.point].min())
    for digits in range(1, 17):
        point = float(f"{most:.{digits}g}")
        if least < point <= most:
            return Cut(point)
    return cut


def bins_between(cuts: Iterable[Cut]) -> tuple[Interval, ...]:
    """The disjoint intervals between cuts, lowest first; together they hold every number."""
    lowest = Interval()
    if not (ordered := sorted(set(cuts))):
        return (lowest,)
    inner = (
        Interval(low.point, high.point, low_closed=not low.below, high_closed=high.below)
        for low, high in pairwise(ordered)
    )
    first, last = ordered[0], ordered[-1]
    return (
        Interval(high=first.point, high_closed=first.below),
        *inner,
        Interval(low=last.point, low_closed=not last.below),
    )


def _parts(cut: Cut, values: Floats) -> bool:
    lower = cut.parts_off(values)
    return bool(lower.any() and (~lower & ~np.isnan(values)).any())
