"""Rows that no candidate tells apart, merged into classes that weigh what their rows weigh."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Booleans = NDArray[np.bool_]
Integers = NDArray[np.int64]

LARGEST_SCALED_WEIGHT = 1 << 20
LARGEST_DENOMINATOR = 1000


@dataclass(frozen=True, slots=True)
class RowClasses:
    """Classes of equal rows.

    `covers` (c, k): which of the k distinct, non-empty candidates cover the class; `kept` (k,): their indices among
    all candidates; `zeros`, `ones`, `black_box_errors` (c,): weight of the class' rows with label 0, with label 1, and
    misjudged by the black box.
    """

    covers: Booleans
    kept: Integers
    zeros: Integers
    ones: Integers
    black_box_errors: Integers

    @property
    def sizes(self) -> Integers:
        return self.zeros + self.ones

    @property
    def minorities(self) -> Integers:
        return np.minimum(self.zeros, self.ones)

    def reordered(self, order: Integers) -> RowClasses:
        """The same classes in another order."""
        return RowClasses(
            self.covers[order], self.kept, self.zeros[order], self.ones[order], self.black_box_errors[order]
        )


def merge_equal_rows(candidates: Booleans, labels: Integers, wrong: Booleans, weights: Integers) -> RowClasses:
    """Classes of the rows of `candidates` (n, m) that weigh something; `wrong` (n,) marks the black box's errors."""
    heavy = weights > 0
    candidates, labels, wrong, weights = candidates[heavy], labels[heavy], wrong[heavy], weights[heavy]
    first, members = _distinct(candidates)
    count = len(first)
    zeros = _sum_by_class(members, weights * (labels == 0), count)
    ones = _sum_by_class(members, weights * (labels == 1), count)
    errors = _sum_by_class(members, weights * wrong, count)
    covers, kept = _distinct_columns(candidates[first])
    return RowClasses(covers, kept, zeros, ones, errors)


def whole_weights(sample_weight: NDArray[Any] | None, rows: int) -> Integers:
    """Weights as whole numbers (n,), proportional to those given; whole weights stay as they are.

    Weights that are whole multiples of a thousandth or more of the smallest one are scaled exactly; others are rounded
    to the largest divided by 2^20, and the search is exact for the rounded ones.
    """
    if sample_weight is None:
        return np.ones(rows, dtype=np.int64)
    weights = np.asarray(sample_weight, dtype=np.float64)
    if np.array_equal(weights, np.rint(weights)) and weights.sum() < 2**53:
        return weights.astype(np.int64)
    relative = weights / weights[weights > 0].min()
    for denominator in range(1, LARGEST_DENOMINATOR + 1):
        scaled = relative * denominator
        if scaled.max() < LARGEST_SCALED_WEIGHT and np.allclose(scaled, np.rint(scaled), rtol=0, atol=1e-9):
            return np.rint(scaled).astype(np.int64)
    return np.rint(weights * (LARGEST_SCALED_WEIGHT / weights.max())).astype(np.int64)


def _distinct(table: Booleans) -> tuple[Integers, Integers]:
    """Index of the first row of each class (c,), and the class of every row (n,)."""
    if table.shape[1] == 0:
        return np.zeros(min(1, len(table)), dtype=np.int64), np.zeros(len(table), dtype=np.int64)
    packed = np.ascontiguousarray(np.packbits(table, axis=1))
    keys = packed.view(np.dtype((np.void, packed.shape[1]))).ravel()
    _, first, members = np.unique(keys, return_index=True, return_inverse=True)
    return first.astype(np.int64), members.astype(np.int64)


def _distinct_columns(covers: Booleans) -> tuple[Booleans, Integers]:
    first, _ = _distinct(np.ascontiguousarray(covers.T))
    kept = np.sort(first)
    kept = kept[covers[:, kept].any(axis=0)]
    return covers[:, kept], kept


def _sum_by_class(members: Integers, amounts: Integers, count: int) -> Integers:
    sums = np.zeros(count, dtype=np.int64)
    np.add.at(sums, members, amounts)
    return sums
