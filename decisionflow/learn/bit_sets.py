"""Sets of rows as 64-bit words, for compiled searches."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

Words = NDArray[np.uint64]


@intrinsic
def lowest_bit(typing_context: Any, word: Any) -> Any:  # noqa: ARG001
    """The place of the lowest bit that is set in a word."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


def packed_columns(matrix: NDArray[np.bool_]) -> Words:
    """Columns of matrix `(n, d)` as rows of words `(d, ceil(n / 64))`, row i being bit i % 64 of word i // 64."""
    padded = np.zeros((matrix.shape[1], -(-len(matrix) // 64) * 64), dtype=np.bool_)
    padded[:, : len(matrix)] = matrix.T
    return np.packbits(padded, axis=1, bitorder="little").view(np.uint64)


def merged_rows(
    covers: NDArray[np.bool_], weighted: NDArray[np.float64]
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Rows that the same candidates cover as one: distinct rows of covers `(n, d)`, and weighted `(n, k)` added up.

    The order of the result does not depend on the order of the rows.
    """
    keys = np.packbits(covers, axis=1)
    if keys.shape[1] == 0:
        return covers[:1], weighted.sum(axis=0, keepdims=True)
    _, first, place = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    sums = np.zeros((len(first), weighted.shape[1]))
    np.add.at(sums, place.ravel(), weighted)
    return covers[first], sums
