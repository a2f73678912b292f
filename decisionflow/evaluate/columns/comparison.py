"""The six comparisons on columns, all from one equality (law 1)."""

from __future__ import annotations

import math
import struct
import sys
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from decisionflow.conditions.arithmetic import EQUAL_WITHIN, equal
from decisionflow.conditions.operators import Comparison

Array = NDArray[Any]
Truths = NDArray[np.bool_]


def compare_numbers(comparison: Comparison, left: Array, right: Array, tolerant: bool) -> Truths:
    """A comparison of numbers, with or without the tolerance of computed ones."""
    if not tolerant:
        return compare_exactly(comparison, left, right)
    same = (left == right) | (np.abs(left - right) <= EQUAL_WITHIN * np.maximum(np.abs(left), np.abs(right)))
    if not comparison.orders:
        return same if comparison.closed else ~same
    beyond = left > right if comparison.side > 0 else left < right
    return beyond | same if comparison.closed else beyond & ~same


def compare_exactly(comparison: Comparison, left: Array, right: Array) -> Truths:
    """A comparison without tolerance, of values that lie as they are ordered."""
    match comparison.spelling:
        case "=":
            return _truths(left == right)
        case "!=":
            return _truths(left != right)
        case "<":
            return _truths(left < right)
        case "<=":
            return _truths(left <= right)
        case ">":
            return _truths(left > right)
    return _truths(left >= right)


def compare_threshold(comparison: Comparison, left: Array, threshold: float, tolerant: bool) -> Truths:
    """A comparison with one number: the tolerance is moved into the threshold, so that it costs nothing."""
    low, high = equal_band(threshold) if tolerant else (threshold, threshold)
    match comparison.spelling:
        case "=":
            return _truths(left == low if low == high else (left >= low) & (left <= high))
        case "!=":
            return _truths(left != low if low == high else (left < low) | (left > high))
        case "<":
            return _truths(left < low)
        case "<=":
            return _truths(left <= high)
        case ">":
            return _truths(left > high)
    return _truths(left >= low)


@lru_cache(maxsize=65536)
def equal_band(threshold: float) -> tuple[float, float]:
    """The lowest and the highest number that a computed number may have to equal the threshold.

    The difference from the threshold grows faster than the tolerance, so the numbers between all equal it too.
    """
    return _farthest(threshold, -sys.float_info.max), _farthest(threshold, sys.float_info.max)


def _farthest(threshold: float, end: float) -> float:
    inside, outside = _place(threshold), _place(end)
    if equal(end, threshold, tolerant=True):
        return end
    while abs(outside - inside) > 1:
        middle = (inside + outside) // 2
        if equal(_number(middle), threshold, tolerant=True):
            inside = middle
        else:
            outside = middle
    return _number(inside)


def _place(number: float) -> int:
    """The place of a number in the order of all doubles; zero is at zero."""
    (bits,) = struct.unpack("<q", struct.pack("<d", math.fabs(number)))
    return int(bits) if number >= 0 else -int(bits)


def _number(place: int) -> float:
    (size,) = struct.unpack("<d", struct.pack("<q", abs(place)))
    return float(size) if place >= 0 else -float(size)


def _truths(found: Any) -> Truths:
    return np.asarray(found, dtype=np.bool_)
