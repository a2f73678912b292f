"""Rounding on columns: by arithmetic where that is certain, else by the decimal itself."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from decisionflow.conditions import arithmetic
from decisionflow.evaluate.columns.arithmetic import Answer, Array, Types, as_real, from_meaning
from decisionflow.evaluate.failures import INTEGER_OVERFLOW, where_failed
from decisionflow.types import INTEGER

_SURE_DIGITS = 22
_SURE_SIZE = 1e14
_NEAR_HALF = 2e-14
_WHOLE_END = 2.0**63


def round_to(values: Array, *rest: Any) -> Answer:
    """Rounded to so many digits, halves of the shortest decimal away from zero; without digits an integer."""
    *digits, types = rest
    if not digits:
        return (values, None) if types[0] == INTEGER else _round_whole(values)
    if types[0] == INTEGER:
        return _round_integers(values, digits[0])
    numbers, places = np.broadcast_arrays(as_real(values), digits[0])
    return _by_digits(numbers, places)


def floor(values: Array, types: Types) -> Answer:
    """The largest integer not above the values."""
    return (values, None) if types[0] == INTEGER else _whole(np.floor(values))


def ceil(values: Array, types: Types) -> Answer:
    """The smallest integer not below the values."""
    return (values, None) if types[0] == INTEGER else _whole(np.ceil(values))


def _whole(values: Array) -> Answer:
    return values.astype(np.int64), where_failed(~((values >= -_WHOLE_END) & (values < _WHOLE_END)), INTEGER_OVERFLOW)


def _round_whole(values: Array) -> Answer:
    rounded, doubtful = _nearest(values, values)
    found, codes = _whole(rounded)
    if not doubtful.any():
        return found, codes
    exact, failed = from_meaning([arithmetic.round_whole(each) for each in values[doubtful].tolist()], np.int64)
    found[doubtful] = exact
    return found, _patched(codes, failed, doubtful)


def _round_integers(values: Array, digits: Array) -> Answer:
    if (digits >= 0).all():
        return values, None
    pairs = zip(*(side.tolist() for side in np.broadcast_arrays(values, digits)), strict=True)
    return from_meaning([arithmetic.round_to(*pair) for pair in pairs], np.int64)


def _by_digits(numbers: Array, places: Array) -> Answer:
    found, codes = np.zeros(len(numbers)), np.zeros(len(numbers), np.int32)
    for digits in np.unique(places).tolist():
        chosen = places == digits
        found[chosen], codes[chosen] = _round_real(numbers[chosen], int(digits))
    return found, codes if codes.any() else None


def _round_real(values: NDArray[np.float64], digits: int) -> tuple[Array, Array | int]:
    if abs(digits) > _SURE_DIGITS:
        return _exactly(values, digits)
    scale = 10.0 ** abs(digits)
    rounded, doubtful = _nearest(values * scale if digits >= 0 else values / scale, values)
    found = rounded / scale if digits >= 0 else rounded * scale
    if not doubtful.any():
        return found, 0
    codes = np.zeros(len(values), np.int32)
    found[doubtful], codes[doubtful] = _exactly(values[doubtful], digits)
    return found, codes


def _nearest(scaled: Array, values: Array) -> tuple[Array, Array]:
    """The nearest whole numbers to the scaled values, and where the decimal's last digits may decide between two."""
    size = np.abs(scaled)
    low = np.floor(size)
    near = np.abs(size - low - 0.5) <= _NEAR_HALF * size + _NEAR_HALF
    doubtful = (near | ~(size < _SURE_SIZE)) & np.isfinite(values)
    return np.copysign(np.floor(size + 0.5), scaled) + 0.0, doubtful


def _exactly(values: Array, digits: int) -> tuple[Array, Array]:
    distinct, places = np.unique(values, return_inverse=True)
    found, codes = from_meaning([arithmetic.round_to(each, digits) for each in distinct.tolist()], np.float64)
    return found[places], np.zeros(len(values), np.int32) if codes is None else codes[places]


def _patched(codes: Array | None, failed: Array | None, rows: Array) -> Array | None:
    patched = np.zeros(len(rows), np.int32) if codes is None else codes.copy()
    patched[rows] = 0 if failed is None else failed
    return patched if patched.any() else None
