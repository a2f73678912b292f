"""Arithmetic on columns (law 1): exact integers of 64 bits, numbers whose lost sums are zero, errors as codes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from decisionflow.conditions import arithmetic
from decisionflow.conditions.arithmetic import NOTHING_WITHIN
from decisionflow.conditions.values import Failure, Value
from decisionflow.evaluate.failures import (
    BROKEN_POWER,
    CODE,
    DIVISION_BY_ZERO,
    INTEGER_OVERFLOW,
    NEGATIVE_ROOT,
    NUMBER_OVERFLOW,
    ZERO_TO_NEGATIVE,
    Codes,
    where_failed,
)
from decisionflow.types import INTEGER, NUMBER, Type

Array = NDArray[Any]
Answer = tuple[Array, Codes | None]
Types = Sequence[Type]
LOWEST = np.iinfo(np.int64).min
_PERHAPS_NOTHING = 1.1 * NOTHING_WITHIN
"""A sum is lost only where its terms are as large as one another, so that one of them tells where it may be."""

_SAFE_PRODUCT, _LOST_PRODUCT = 2.0**63 * (1 - 1e-12), 2.0**63 * (1 + 1e-12)


def as_real(values: Array) -> NDArray[np.float64]:
    """Integers as the numbers that they stand for."""
    return values.astype(np.float64, copy=False)


def finite(values: Array) -> Answer:
    """Numbers, in error where they are not finite."""
    if math.isfinite(values.sum()):
        return values, None
    good = np.isfinite(values)
    return values, None if good.all() else np.where(good, np.int32(0), np.int32(NUMBER_OVERFLOW))


def add_numbers(left: Array, right: Array, types: Types) -> Answer:
    """The sum of two numbers or integers."""
    if _whole(types):
        total = left + right
        return total, where_failed(((left ^ total) & (right ^ total)) < 0, INTEGER_OVERFLOW)
    return _add_real(as_real(left), as_real(right))


def total(*given: Any) -> Answer:
    """The sum of the terms, from the left to the right, and the first error met."""
    *terms, types = given
    found, codes = terms[0], None
    for term, kind in zip(terms[1:], types[1:], strict=True):
        found, failed = add_numbers(found, term, (types[0] if _whole(types) else NUMBER, kind))
        if failed is not None:
            codes = failed if codes is None else np.where(codes != 0, codes, failed)
    return found, codes


def subtract_numbers(left: Array, right: Array, types: Types) -> Answer:
    """The difference of two numbers or integers."""
    if _whole(types):
        rest = left - right
        return rest, where_failed(((left ^ right) & (left ^ rest)) < 0, INTEGER_OVERFLOW)
    return _add_real(as_real(left), -as_real(right))


def multiply(left: Array, right: Array, types: Types) -> Answer:
    """The product; where two integers come near 64 bits it is found exactly."""
    if not _whole(types):
        return finite(as_real(left) * as_real(right))
    size = np.abs(as_real(left) * as_real(right))
    product = left * right
    if (size < _SAFE_PRODUCT).all():
        return product, None
    overflow = size > _LOST_PRODUCT
    for place in np.flatnonzero((size >= _SAFE_PRODUCT) & ~overflow):
        first, second = (int(side[place if len(side) > 1 else 0]) for side in (left, right))
        overflow[place] = isinstance(arithmetic.multiply(first, second), Failure)
    return product, where_failed(overflow, INTEGER_OVERFLOW)


def divide(left: Array, right: Array, _types: Types) -> Answer:
    """The quotient, a number."""
    divisor = as_real(right)
    values, codes = finite(as_real(left) / divisor)
    zero = divisor == 0
    if not zero.any():
        return values, codes
    others = np.int32(0) if codes is None else codes
    return values, np.where(zero, np.int32(DIVISION_BY_ZERO), others)


def negate(values: Array, types: Types) -> Answer:
    """The opposite."""
    return -values, where_failed(values == LOWEST, INTEGER_OVERFLOW) if _whole(types) else None


def absolute(values: Array, types: Types) -> Answer:
    """The number without its sign."""
    return np.abs(values), where_failed(values == LOWEST, INTEGER_OVERFLOW) if _whole(types) else None


def smallest(*arguments: Array | Types) -> Answer:
    """The smallest of the arguments; the types come last."""
    return _extreme(np.minimum, arguments)


def largest(*arguments: Array | Types) -> Answer:
    """The largest of the arguments; the types come last."""
    return _extreme(np.maximum, arguments)


def power(left: Array, right: Array, _types: Types) -> Answer:
    """`left ^ right` by the same routine as for one value, so that no last digit differs."""
    bases, exponents = np.broadcast_arrays(as_real(left), as_real(right))
    undefined = (bases == 0) & (exponents < 0)
    broken = (bases < 0) & (exponents != np.floor(exponents))
    if undefined.any() or broken.any():
        bases = np.where(undefined | broken, 1.0, bases)
    values, codes = one_by_one(math.pow, arithmetic.power, bases, exponents)
    for failed, code in ((undefined, ZERO_TO_NEGATIVE), (broken, BROKEN_POWER)):
        if failed.any():
            codes = np.where(failed, np.int32(code), np.int32(0) if codes is None else codes)
    return values, codes


def square_root(values: Array, _types: Types) -> Answer:
    """The square root."""
    numbers = as_real(values)
    return np.sqrt(numbers), where_failed(numbers < 0, NEGATIVE_ROOT)


def exponential(values: Array, _types: Types) -> Answer:
    """e to the power of the values."""
    return one_by_one(math.exp, arithmetic.exponential, as_real(values))


def logarithm(values: Array, _types: Types) -> Answer:
    """The natural logarithm."""
    return one_by_one(math.log, arithmetic.logarithm, as_real(values))


def one_by_one(fast: Callable[..., float], meaning: Callable[..., Value], *arguments: Array) -> Answer:
    """A routine of Python's on every row; where one row fails, the scalar meaning says why."""
    rows = [argument.tolist() for argument in arguments]
    try:
        return finite(np.array(list(map(fast, *rows)), dtype=np.float64))
    except (ValueError, OverflowError):
        return from_meaning(list(map(meaning, *rows)), np.float64)


def from_meaning(found: Sequence[Value], kind: Any) -> Answer:
    """Values and codes from what a scalar meaning gave."""
    codes = np.array([CODE[each.reason] if isinstance(each, Failure) else 0 for each in found], dtype=np.int32)
    return np.array([0 if isinstance(each, Failure) else each for each in found], dtype=kind), codes


def _add_real(left: Array, right: Array) -> Answer:
    total = left + right
    size = np.abs(total)
    if (size < _PERHAPS_NOTHING * np.abs(left)).any():
        lost = size < NOTHING_WITHIN * np.maximum(np.abs(left), np.abs(right))
        total = np.where(lost, 0.0, total)
    return finite(total)


def _extreme(choose: Any, arguments: Sequence[Any]) -> Answer:
    *columns, types = arguments
    sides = columns if _whole(types) else [as_real(column) for column in columns]
    found = sides[0]
    for side in sides[1:]:
        found = choose(found, side)
    return found, None


def _whole(types: Types) -> bool:
    return all(kind == INTEGER for kind in types)
