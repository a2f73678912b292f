"""Where numbers are cut: quantile bins, or thresholds that were given."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from sklearn.preprocessing import KBinsDiscretizer

from decisionflow.learn.condition import InInterval
from decisionflow.learn.policy_words import shortest_decimal

Floats = NDArray[np.float64]


def quantile_cuts(values: Floats, weights: Floats, n_bins: int) -> tuple[float, ...]:
    """The inner edges of at most n_bins quantile bins of values `(n,)`, missing ones left out.

    The edges are KBinsDiscretizer's, moved to the decimal of fewest digits that parts the same rows.
    """
    present = ~np.isnan(values)
    distinct = np.unique(values[present])
    if len(distinct) < 2:
        return ()
    bins = KBinsDiscretizer(
        n_bins=n_bins, encode="ordinal", strategy="quantile", quantile_method="averaged_inverted_cdf", subsample=None
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # equal quantiles merge bins: expected on discrete data
        bins.fit(values[present, np.newaxis], sample_weight=weights[present])
    return _readable(bins.bin_edges_[0][1:-1], distinct)


def _readable(edges: Floats, distinct: Floats) -> tuple[float, ...]:
    places = np.unique(np.searchsorted(distinct, edges, side="left"))
    return tuple(
        shortest_decimal(float(distinct[place - 1]), float(distinct[place]))
        for place in places
        if 0 < place < len(distinct)
    )


def bins_between(feature: str, cuts: Sequence[float], values: Floats, whole: bool) -> tuple[InInterval, ...]:
    """One condition per bin between the cuts; whole numbers get closed bounds, a single one an equality."""
    ends = [-math.inf, *cuts, math.inf]
    bins = (InInterval(feature, low, high) for low, high in pairwise(ends))
    return tuple(_whole(interval, values) for interval in bins) if whole else tuple(bins)


def given_bins(feature: str, cuts: Sequence[float], values: Floats) -> tuple[InInterval, ...]:
    """One condition per bin between cuts that were given; among whole numbers a bin of one number is an equality.

    The bin below the first cut is one only where 0 is the smallest number, as counts begin there.
    """
    bins = bins_between(feature, cuts, values, whole=False)
    present = values[~np.isnan(values)]
    if not len(present) or (present != np.rint(present)).any():
        return bins
    return tuple(_single(interval, float(present.min())) for interval in bins)


def _single(interval: InInterval, smallest: float) -> InInterval:
    low = 0.0 if interval.low == -math.inf and smallest == 0 else interval.low
    if not (math.isfinite(low) and math.isfinite(interval.high)) or math.ceil(low) != math.ceil(interval.high) - 1:
        return interval
    return InInterval(interval.feature, math.ceil(low), math.ceil(low), high_closed=True)


def _whole(interval: InInterval, values: Floats) -> InInterval:
    low = math.ceil(interval.low) if math.isfinite(interval.low) else -math.inf
    high = math.ceil(interval.high) - 1 if math.isfinite(interval.high) else math.inf
    if low == -math.inf and values.min() == high:
        low = high
    return InInterval(interval.feature, float(low), float(high), high_closed=math.isfinite(high))
