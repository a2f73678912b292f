"""Sets of row classes as machine words, and sums over them as population counts."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray

Words = NDArray[np.uint64]
Integers = NDArray[np.int64]


@intrinsic
def popcount(typing_context: Any, word: Any) -> Any:
    """Number of set bits of a 64-bit word, by the machine's own instruction."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


class Amounts(NamedTuple):
    """Whole amounts per class, several kinds, written in binary: one mask per digit and non-empty word.

    The entries `start[p]` to `start[p + 1]` are the words of plane p, whose bits count `1 << shift[p]` each; the planes
    of kind f are `first[f]` to `first[f + 1]`.
    """

    word: NDArray[np.int32]
    mask: Words
    start: Integers
    shift: Integers
    first: Integers


def pack(sets: NDArray[np.bool_]) -> Words:
    """Each row of `sets` (k, c) as little-endian bits of 64-bit words (k, ceil(c / 64))."""
    count, classes = sets.shape
    padded = np.zeros((count, (classes + 63) // 64 * 64), dtype=np.bool_)
    padded[:, :classes] = sets
    return np.packbits(padded, axis=1, bitorder="little").view(np.uint64).reshape(count, -1)


def binary_amounts(kinds: list[Integers]) -> Amounts:
    """Amounts of every kind (c,) per class, none negative, as binary planes."""
    words, masks, starts, shifts, firsts = [], [], [0], [], [0]
    for amounts in kinds:
        for shift in range(int(amounts.max(initial=0)).bit_length()):
            plane = pack(((amounts >> shift) & 1).astype(np.bool_)[None, :])[0]
            occupied = np.flatnonzero(plane)
            if len(occupied):
                words.append(occupied)
                masks.append(plane[occupied])
                starts.append(starts[-1] + len(occupied))
                shifts.append(shift)
        firsts.append(len(shifts))
    return Amounts(
        word=np.concatenate([np.zeros(0, dtype=np.int32), *words]).astype(np.int32),
        mask=np.concatenate([np.zeros(0, dtype=np.uint64), *masks]).astype(np.uint64),
        start=np.array(starts, dtype=np.int64),
        shift=np.array(shifts, dtype=np.int64),
        first=np.array(firsts, dtype=np.int64),
    )


def empty_like(amounts: Amounts) -> Amounts:
    """Room for `restrict`."""
    return Amounts(*(np.zeros_like(part) for part in amounts))


@njit(cache=True)
def restrict(amounts: Amounts, remaining: Words, live: Amounts) -> None:
    """Write into `live` the amounts of the classes in `remaining` alone; words left empty are dropped."""
    live.first[:] = amounts.first
    live.shift[:] = amounts.shift
    free = 0
    for plane in range(len(amounts.shift)):
        live.start[plane] = free
        for entry in range(amounts.start[plane], amounts.start[plane + 1]):
            mask = amounts.mask[entry] & remaining[amounts.word[entry]]
            if mask != 0:
                live.mask[free] = mask
                live.word[free] = amounts.word[entry]
                free += 1
    live.start[len(amounts.shift)] = free


@njit(cache=True)
def total(live: Amounts, kind: int) -> int:
    """Sum of one kind over all classes of `live`."""
    result = 0
    for plane in range(live.first[kind], live.first[kind + 1]):
        count = 0
        for entry in range(live.start[plane], live.start[plane + 1]):
            count += popcount(live.mask[entry])
        result += count << live.shift[plane]
    return result


@njit(cache=True)
def total_in(live: Amounts, kind: int, rule: Words) -> int:
    """Sum of one kind over the classes of `live` that are in `rule`."""
    result = 0
    for plane in range(live.first[kind], live.first[kind + 1]):
        count = 0
        for entry in range(live.start[plane], live.start[plane + 1]):
            count += popcount(live.mask[entry] & rule[live.word[entry]])
        result += count << live.shift[plane]
    return result


@njit(cache=True)
def total_in_both(live: Amounts, kind: int, rule: Words, other: Words) -> int:
    """Sum of one kind over the classes of `live` that are in `rule` and in `other`."""
    result = 0
    for plane in range(live.first[kind], live.first[kind + 1]):
        count = 0
        for entry in range(live.start[plane], live.start[plane + 1]):
            word = live.word[entry]
            count += popcount(live.mask[entry] & rule[word] & other[word])
        result += count << live.shift[plane]
    return result
