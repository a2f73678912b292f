"""Numbers as an analyst wrote them: equality, sums and rounding of double-precision values (law 1 of the language)."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal

from decisionflow.conditions.values import INTEGER_HIGH, INTEGER_LOW, Failure, Value

EQUAL_WITHIN = 1e-12
"""Share of the larger magnitude by which two computed numbers may differ and still be equal."""

NOTHING_WITHIN = 1e-14
"""Share of the larger term under which a sum or difference is zero."""


def equal(left: float, right: float, tolerant: bool) -> bool:
    """Whether two numbers are equal; `tolerant` where either is computed rather than written or read."""
    if left == right:
        return True
    return tolerant and abs(left - right) <= EQUAL_WITHIN * max(abs(left), abs(right))


def whole(value: int) -> Value:
    """An integer of 64 bits, or the error that it does not fit."""
    return value if INTEGER_LOW <= value <= INTEGER_HIGH else Failure("integer overflow")


def real(value: float) -> Value:
    """A finite number, or the error that it is none."""
    return value if math.isfinite(value) else Failure("number overflow")


def add(left: float, right: float) -> Value:
    """The sum; exact for two integers, else zero when it is lost in the terms' last digits."""
    if isinstance(left, int) and isinstance(right, int):
        return whole(left + right)
    total = float(left) + float(right)
    lost = abs(total) < NOTHING_WITHIN * max(abs(left), abs(right))
    return 0.0 if lost else real(total)


def subtract(left: float, right: float) -> Value:
    """The difference, with the same care as the sum."""
    return add(left, -right)


def multiply(left: float, right: float) -> Value:
    """The product; exact for two integers."""
    if isinstance(left, int) and isinstance(right, int):
        return whole(left * right)
    return real(float(left) * float(right))


def divide(left: float, right: float) -> Value:
    """The quotient, a number also for two integers."""
    return Failure("division by zero") if right == 0 else real(float(left) / float(right))


def power(left: float, right: float) -> Value:
    """`left ^ right`, a number."""
    base, exponent = float(left), float(right)
    if base < 0 and not exponent.is_integer():
        return Failure("a negative number to a broken power")
    try:
        return real(base**exponent)
    except ZeroDivisionError:
        return Failure("zero to a negative power")
    except OverflowError:
        return Failure("number overflow")


def round_to(value: float, digits: int = 0) -> Value:
    """Round the shortest decimal of at most 15 digits, halves away from zero: `round(2.675, 2)` is 2.68."""
    if isinstance(value, int):
        return whole(int(_halves_away(Decimal(value), digits))) if digits < 0 else value
    if digits > 330:
        return value
    return real(float(_halves_away(Decimal(format(value, ".15g")), digits)))


def round_whole(value: float) -> Value:
    """Round to an integer, halves away from zero."""
    return value if isinstance(value, int) else whole(int(_halves_away(Decimal(format(value, ".15g")), 0)))


def _halves_away(value: Decimal, digits: int) -> int | Decimal:
    """Whole numbers come back as int where `digits` is negative or zero, so that integers stay exact."""
    if digits < -330:
        return 0
    shifted = (value.scaleb(digits)).to_integral_value(rounding=ROUND_HALF_UP)
    rounded = shifted.scaleb(-digits)
    return int(rounded) if digits <= 0 else rounded


def floor_whole(value: float) -> Value:
    """The largest integer not above the value."""
    return value if isinstance(value, int) else whole(math.floor(value))


def ceil_whole(value: float) -> Value:
    """The smallest integer not below the value."""
    return value if isinstance(value, int) else whole(math.ceil(value))


def guarded(function: Callable[[float], float], reason: str) -> Callable[[float], Value]:
    """A function of one number whose domain error becomes the error value `reason`."""

    def meaning(value: float) -> Value:
        try:
            return real(function(float(value)))
        except ValueError:
            return Failure(reason)
        except OverflowError:
            return Failure("number overflow")

    return meaning


square_root = guarded(math.sqrt, "square root of a negative number")
logarithm = guarded(math.log, "logarithm of a number that is not positive")
exponential = guarded(math.exp, "number overflow")
