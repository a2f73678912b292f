"""Which rules are kept: those that are not redundant, and productive, and significant.

All three compare a rule with the rules that have one condition less (Webb, "Discovering significant rules", 2006). For
a rule with one condition that is the empty rule: it covers every row, and its confidence is the class's share.
Confidence here is the plain share hits / covered, without the m-estimate. Shares are compared as products of integers.
"""

from __future__ import annotations

import math

import numpy as np
from numba.extending import register_jitable
from numpy.typing import NDArray

from decisionflow.explain.k_optimal.bit_sets import count_all_but, inner

REJECTED = 2.0
"""Stands for a p-value where a rule is redundant or not productive: larger than any probability."""

ROUNDING = 1e-9
"""Share of alpha by which a p-value may exceed it: 1/20, computed in floating point, is still at most 0.05."""


@register_jitable
def hypergeometric_tail(hits: int, rows: int, positives: int, draws: int) -> float:
    """P(X >= hits) for X hypergeometric: `draws` out of `rows` rows, `positives` of which are in the class.

    Fisher's exact test, one-sided. The first term comes from log-gamma, the others by their ratios.
    """
    term = math.exp(
        _log_choose(positives, hits) + _log_choose(rows - positives, draws - hits) - _log_choose(rows, draws)
    )
    total = 0.0
    for x in range(hits, min(draws, positives) + 1):
        total += term
        if term <= 1e-18 * total:
            break
        term *= (positives - x) * (draws - x) / ((x + 1.0) * (rows - positives - draws + x + 1.0))
    return min(1.0, total)


@register_jitable
def _log_choose(size: int, chosen: int) -> float:
    return math.lgamma(size + 1.0) - math.lgamma(chosen + 1.0) - math.lgamma(size - chosen + 1.0)


@inner
def p_value(
    sets: NDArray[np.uint64], conditions: NDArray[np.int64], covered: int, hits: int, class_words: int, alpha: float
) -> float:
    """The largest of a rule's p-values against the rules with one condition less, or REJECTED.

    `sets` is `(conditions in all, words)` and, as its last row, the set of all rows. Stops early, with a number above
    alpha, when the rule fails.
    """
    words = sets.shape[1]
    largest = 0.0
    for dropped in range(len(conditions)):
        shorter_hits = count_all_but(sets, conditions, dropped, 0, class_words)
        shorter_covered = shorter_hits + count_all_but(sets, conditions, dropped, class_words, words)
        redundant = shorter_covered == covered
        productive = hits * shorter_covered > shorter_hits * covered
        if redundant or not productive:
            return REJECTED
        largest = max(largest, hypergeometric_tail(hits, shorter_covered, shorter_hits, covered))
        if largest > alpha * (1 + ROUNDING):
            return largest
    return largest
