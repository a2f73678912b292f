"""How good a rule is, and how good any rule with more conditions can become.

A rule is counted by `covered` (rows that satisfy its conditions) and `hits` (those of them in the class), out of `rows`
of which `positives` are in the class. The five measures are Definitions 2 to 6 of LoRMIkA (Rajapaksha, Bergmeir and
Buntine, 2020) with the m-estimate of Dzeroski, Cestnik and Bratko (1993) in confidence and lift. Each is one quotient
of sums and products of counts, so that rules which tie as fractions tie as floating-point numbers too (for whole m).

The functions are plain scalar Python, which the search compiles into itself.
"""

from __future__ import annotations

from numba.extending import register_jitable

MEASURES = ("coverage", "support", "confidence", "lift", "leverage")

COVERAGE, SUPPORT, CONFIDENCE, LIFT, LEVERAGE = range(5)


@register_jitable
def value(measure: int, covered: int, hits: int, rows: int, positives: int, m: float) -> float:
    """The measure of one rule, given as its place in MEASURES; needs `rows`, `positives` and `covered` above zero."""
    if measure == COVERAGE:
        return covered / rows
    if measure == SUPPORT:
        return hits / rows
    if measure == CONFIDENCE:
        return (rows * hits + m * positives) / (rows * (covered + m))
    if measure == LIFT:
        return (rows * hits + m * positives) / (positives * (covered + m))
    return (rows * hits - covered * positives) / (rows * rows)


@register_jitable
def bound(measure: int, covered: int, hits: int, rows: int, positives: int, m: float) -> float:
    """The largest value that this rule, or one with further conditions, can have; needs `hits` above zero.

    Further conditions only take rows away, at best all those outside the class and none in it. Coverage alone rewards
    rows outside the class, and is its own bound.
    """
    if measure == COVERAGE:
        return covered / rows
    return value(measure, hits, hits, rows, positives, m)
