"""The loops of `trees.py` compiled, for work so large that compiling them pays; the answers are the same."""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray


@numba.njit(cache=True)
def condition_masks(
    columns: NDArray[np.float64],
    feature: NDArray[np.intp],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    missing: NDArray[np.bool_],
    starts: NDArray[np.intp],
    counts: NDArray[np.intp],
) -> NDArray[np.uint64]:
    """The mask of each row in each leaf, (L, n), the rows being given column by column: (d, n)."""
    masks = np.zeros((len(starts), columns.shape[1]), dtype=np.uint64)
    for leaf in range(len(starts)):
        for place in range(counts[leaf]):
            condition = starts[leaf] + place
            bit = np.uint64(1) << np.uint64(place)
            values, above, below, absent = (
                columns[feature[condition]],
                low[condition],
                high[condition],
                missing[condition],
            )
            for row in range(len(values)):
                if (above < values[row] <= below) or (absent and np.isnan(values[row])):
                    masks[leaf, row] |= bit
    return masks


@numba.njit(cache=True)
def tree_shapley_rows(
    rows: NDArray[np.float64],
    feature: NDArray[np.intp],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    missing: NDArray[np.bool_],
    starts: NDArray[np.intp],
    counts: NDArray[np.intp],
    value: NDArray[np.float64],
    first_pattern: NDArray[np.intp],
    pattern: NDArray[np.uint64],
    share: NDArray[np.float64],
    gain: NDArray[np.float64],
    loss: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Interventional Shapley values (n, d) of the sum of trees at each row (n, d).

    The patterns of leaf l are `first_pattern[l]` up to `first_pattern[l + 1]`. A pattern counts only where it has every
    condition that the row fails; these are then N, whatever the pattern.
    """
    phi = np.zeros(rows.shape)
    gains = np.zeros(64)
    for row in range(len(rows)):
        for leaf in range(len(starts)):
            mask, lacking, behind = np.uint64(0), np.uint64(0), np.int64(0)
            for place in range(counts[leaf]):
                condition = starts[leaf] + place
                cell = rows[row, feature[condition]]
                bit = np.uint64(1) << np.uint64(place)
                if (low[condition] < cell <= high[condition]) or (missing[condition] and np.isnan(cell)):
                    mask |= bit
                else:
                    lacking |= bit
                    behind += 1
            gains[: counts[leaf]] = 0.0
            losses = 0.0
            for each in range(first_pattern[leaf], first_pattern[leaf + 1]):
                if pattern[each] & lacking != lacking:
                    continue
                only_row = mask & ~pattern[each]
                ahead = np.int64(0)
                for place in range(counts[leaf]):
                    ahead += np.int64((only_row >> np.uint64(place)) & np.uint64(1))
                losses += loss[ahead, behind] * share[each]
                if ahead > 0:
                    gained = gain[ahead, behind] * share[each]
                    for place in range(counts[leaf]):
                        if (only_row >> np.uint64(place)) & np.uint64(1):
                            gains[place] += gained
            for place in range(counts[leaf]):
                moved = gains[place] if (mask >> np.uint64(place)) & np.uint64(1) else losses
                phi[row, feature[starts[leaf] + place]] += value[leaf] * moved
    return phi
