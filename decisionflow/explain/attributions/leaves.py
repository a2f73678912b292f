"""The leaves of a sum of trees as boxes: each leaf is a conjunction of one condition a feature."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from decisionflow.explain.attributions.tree_decoding import DecisionTree, TreeSum

MOST_CONDITIONS = 64


@dataclass(frozen=True, slots=True)
class Leaves:
    """L leaves with C conditions `low < x[feature] <= high` (or missing, where `missing` allows it), leaf after leaf.

    Leaf l has the conditions `starts[l]` up to `starts[l] + counts[l]`, the i-th of which is bit i of a mask; `full` is
    the mask of a row inside the leaf. Leaves without conditions are summed up in `constant`.
    """

    feature: NDArray[np.intp]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    missing: NDArray[np.bool_]
    starts: NDArray[np.intp]
    counts: NDArray[np.intp]
    value: NDArray[np.float64]
    full: NDArray[np.uint64]
    constant: float
    single: bool
    tolerance: float

    def rounded(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """The rows as the trees compare them."""
        return rows.astype(np.float32).astype(np.float64) if self.single else rows

    def holds(self, rows: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which conditions hold for which row: (n, C)."""
        values = self.rounded(rows)[:, self.feature]
        return ((values > self.low) & (values <= self.high)) | (np.isnan(values) & self.missing)

    def masks(self, holds: NDArray[np.bool_]) -> NDArray[np.uint64]:
        """The mask of each row in each leaf: (n, L)."""
        position = np.arange(len(self.feature)) - np.repeat(self.starts, self.counts)
        bits = np.where(holds, np.uint64(1) << position.astype(np.uint64), np.uint64(0))
        return np.bitwise_or.reduceat(bits, self.starts, axis=1)


def leaves_of(trees: TreeSum) -> Leaves | None:
    """The boxes of all leaves; None where a leaf has more conditions than a mask has bits."""
    boxes = [each for tree in trees.trees for each in _boxes(tree)]
    if any(len(box) > MOST_CONDITIONS for box, _ in boxes):
        return None
    constant = sum(value for box, value in boxes if not box)
    boxes = [each for each in boxes if each[0]]
    counts = np.array([len(box) for box, _ in boxes], dtype=np.intp)
    conditions = [(feature, *interval) for box, _ in boxes for feature, interval in box.items()]
    feature, low, high, missing = zip(*conditions, strict=True) if conditions else ((), (), (), ())
    return Leaves(
        feature=np.array(feature, dtype=np.intp),
        low=np.array(low, dtype=np.float64),
        high=np.array(high, dtype=np.float64),
        missing=np.array(missing, dtype=bool),
        starts=(np.cumsum(counts) - counts).astype(np.intp),
        counts=counts,
        value=np.array([value for _, value in boxes], dtype=np.float64),
        full=np.array([2 ** int(count) - 1 for count in counts], dtype=np.uint64),
        constant=float(constant),
        single=trees.single,
        tolerance=trees.tolerance,
    )


Box = dict[int, tuple[float, float, bool]]


def _boxes(tree: DecisionTree) -> list[tuple[Box, float]]:
    """Each leaf's merged conditions and its value, from left to right; leaves that no value reaches are left out."""
    found, stack = [], [(0, Box())]
    while stack:
        node, box = stack.pop()
        if tree.left[node] < 0:
            found.append((box, float(tree.value[node])))
            continue
        feature, threshold, missing = (
            int(tree.feature[node]),
            float(tree.threshold[node]),
            bool(tree.missing_left[node]),
        )
        low, high, allowed = box.get(feature, (-np.inf, np.inf, True))
        stack.append((int(tree.right[node]), {**box, feature: (max(low, threshold), high, allowed and not missing)}))
        stack.append((int(tree.left[node]), {**box, feature: (low, min(high, threshold), allowed and missing)}))
    return found
