"""Sets of row classes as machine words, and sums over them as population counts."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray

Words = NDArray[np.uint64]
Integers = NDArray[np.int64]

inner = njit(cache=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""For kernels that only kernels call: what would unpack their many arrays from Python need not be compiled."""


@intrinsic
def popcount(typing_context: Any, word: Any) -> Any:  # noqa: ARG001
    """Number of set bits of a 64-bit word, by the machine's own instruction."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


class Amounts(NamedTuple):
    """Whole amounts per class, several kinds, written in binary: one mask per digit and non-empty word.

    Each bit of `mask[e]` stands for a class in word `word[e]` and counts `1 << shift[e]`; the entries of kind f are
    `first[f]` to `first[f + 1]`.
    """

    word: NDArray[np.int32]
    shift: NDArray[np.int32]
    mask: Words
    first: Integers


def pack(sets: NDArray[np.bool_]) -> Words:
    """Each row of `sets` (k, c) as little-endian bits of 64-bit words (k, ceil(c / 64))."""
    count, classes = sets.shape
    padded = np.zeros((count, (classes + 63) // 64 * 64), dtype=np.bool_)
    padded[:, :classes] = sets
    return np.packbits(padded, axis=1, bitorder="little").view(np.uint64).reshape(count, padded.shape[1] // 64)


def binary_amounts(kinds: list[Integers]) -> Amounts:
    """Amounts of every kind (c,) per class, none negative, as binary digits."""
    words: list[NDArray[Any]] = [np.zeros(0, dtype=np.int64)]
    shifts, masks, first = [words[0]], [np.zeros(0, dtype=np.uint64)], [0]
    for amounts in kinds:
        for shift in range(int(amounts.max(initial=0)).bit_length()):
            digits = pack(((amounts >> shift) & 1).astype(np.bool_)[None, :])[0]
            words.append(np.flatnonzero(digits))
            shifts.append(np.full(len(words[-1]), shift))
            masks.append(digits[words[-1]])
        first.append(sum(map(len, words)))
    return Amounts(
        word=np.concatenate(words).astype(np.int32),
        shift=np.concatenate(shifts).astype(np.int32),
        mask=np.concatenate(masks),
        first=np.array(first, dtype=np.int64),
    )


@njit(cache=True)
def room_for(amounts: Amounts) -> Amounts:
    """Room for `restrict` to write into."""
    return Amounts(amounts.word.copy(), amounts.shift.copy(), amounts.mask.copy(), amounts.first.copy())


@njit(cache=True)
def restrict(amounts: Amounts, kept: Words, live: Amounts) -> None:
    """Write into `live` the amounts of the classes in `kept` alone; words left empty are dropped."""
    free = 0
    for kind in range(len(amounts.first) - 1):
        live.first[kind] = free
        for entry in range(amounts.first[kind], amounts.first[kind + 1]):
            mask = amounts.mask[entry] & kept[amounts.word[entry]]
            if mask != 0:
                live.mask[free] = mask
                live.word[free] = amounts.word[entry]
                live.shift[free] = amounts.shift[entry]
                free += 1
    live.first[len(amounts.first) - 1] = free


@njit(cache=True)
def total(live: Amounts, kind: int) -> int:
    """Sum of one kind over all classes of `live`."""
    result = 0
    for entry in range(live.first[kind], live.first[kind + 1]):
        result += popcount(live.mask[entry]) << live.shift[entry]
    return result


@inner
def totals_in_both(live: Amounts, one: Words, other: Words, sums: Integers) -> None:
    """Fill `sums` (kinds,) with the sum of every kind over the classes of `live` that are in both sets."""
    for kind in range(len(sums)):
        sums[kind] = 0
        for entry in range(live.first[kind], live.first[kind + 1]):
            word = live.word[entry]
            sums[kind] += popcount(live.mask[entry] & one[word] & other[word]) << live.shift[entry]


@njit(cache=True)
def totals_by_rule(live: Amounts, rules_by_word: Words, totals: NDArray[np.int64]) -> None:
    """Fill `totals` (kinds, k) with the sum of every kind over the classes of `live` in each of k rules."""
    for kind in range(len(totals)):
        total_by_rule(live, kind, rules_by_word, totals[kind])


@inner
def total_by_rule(live: Amounts, kind: int, rules_by_word: Words, sums: Integers) -> None:
    """Fill `sums` (k,) with the sum of one kind over the classes of `live` in each of k rules.

    `rules_by_word` (words, k) lays the same word of all rules side by side, so that the inner loop fills vectors.
    """
    sums[:] = 0
    entry, end = live.first[kind], live.first[kind + 1]
    while entry < end:
        if entry + 4 <= end and live.shift[entry] == live.shift[entry + 3]:
            _add_four_counts(live.word, live.mask, entry, rules_by_word, live.shift[entry], sums)
            entry += 4
        else:
            _add_counts(rules_by_word[live.word[entry]], live.mask[entry], live.shift[entry], sums)
            entry += 1


@inner
def _add_counts(words: Words, mask: np.uint64, shift: int, sums: Integers) -> None:
    for rule in range(len(sums)):
        sums[rule] += popcount(words[rule] & mask) << shift


@inner
def _add_four_counts(
    word: NDArray[np.int32], masks: Words, entry: int, rules_by_word: Words, shift: int, sums: Integers
) -> None:
    """`_add_counts` of four entries of one digit: the sums are read and written once."""
    one, two = rules_by_word[word[entry]], rules_by_word[word[entry + 1]]
    three, four = rules_by_word[word[entry + 2]], rules_by_word[word[entry + 3]]
    mask_1, mask_2, mask_3, mask_4 = masks[entry], masks[entry + 1], masks[entry + 2], masks[entry + 3]
    for rule in range(len(sums)):
        pair = popcount(one[rule] & mask_1) + popcount(two[rule] & mask_2)
        other = popcount(three[rule] & mask_3) + popcount(four[rule] & mask_4)
        sums[rule] += (pair + other) << shift


@njit(cache=True)
def order_descending(keys: Integers, order: Integers) -> None:
    """Write the places of `keys` (k,) into `order`, largest key first and equal keys as they come; a shell sort.

    NumPy's sorts would be compiled anew in every kernel that calls them, which takes seconds.
    """
    for place in range(len(keys)):
        order[place] = place
    gap = len(keys)
    while gap > 1:
        gap = max(1, gap * 5 // 11)
        for end in range(gap, len(keys)):
            moved, place = order[end], end
            while place >= gap and _comes_first(keys, moved, order[place - gap]):
                order[place] = order[place - gap]
                place -= gap
            order[place] = moved


@inner
def _comes_first(keys: Integers, one: int, other: int) -> bool:
    return keys[one] > keys[other] or (keys[one] == keys[other] and one < other)
