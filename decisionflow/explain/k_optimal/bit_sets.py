"""Sets of rows as 64-bit words, with the rows of the class first.

Because the class fills the first words of every set, one pass of popcounts gives both the rows that a rule covers and
the rows of the class among them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray

WORD = 64

inner = njit(no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""For functions that compiled code alone calls (Python must not): leaving the way in from Python out halves the time
that the whole takes to compile."""


class Layout(NamedTuple):
    """Where each row stands: `places` (n,) in a set of `words` words, the first `class_words` of them the class's."""

    places: NDArray[np.int64]
    words: int
    class_words: int


def layout(in_class: NDArray[np.bool_]) -> Layout:
    """Place the rows of the class first, then, from the next whole word on, the others."""
    positives = int(np.count_nonzero(in_class))
    class_words = -(-positives // WORD)
    places = np.empty(len(in_class), dtype=np.int64)
    places[in_class] = np.arange(positives)
    places[~in_class] = class_words * WORD + np.arange(len(in_class) - positives)
    words = class_words - (-(len(in_class) - positives) // WORD)
    return Layout(places, words, class_words)


def pack(rows: NDArray[np.int64], order: Layout) -> NDArray[np.uint64]:
    """The set of the given row numbers, shape `(words,)`."""
    bits = np.zeros(order.words * WORD, dtype=np.uint8)
    bits[order.places[rows]] = 1
    return np.packbits(bits).view(np.uint64)


@intrinsic
def _popcount(_context: Any, _word: Any) -> Any:
    """The bits set in one word, by the processor's own instruction."""

    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


@inner
def count_common(left: NDArray[np.uint64], right: NDArray[np.uint64], start: int, stop: int) -> int:
    """Rows in both sets in the words from `start` to `stop`."""
    total = 0
    for word in range(start, stop):
        total += _popcount(left[word] & right[word])
    return total


@inner
def count_all_but(sets: NDArray[np.uint64], chosen: NDArray[np.int64], dropped: int, start: int, stop: int) -> int:
    """Rows in all chosen sets but one, and in the last of `sets`, in the words from `start` to `stop`."""
    total = 0
    for word in range(start, stop):
        common = sets[len(sets) - 1, word]
        for place in range(len(chosen)):
            if place != dropped:
                common &= sets[chosen[place], word]
        total += _popcount(common)
    return total
