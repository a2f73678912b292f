"""Labels and numbers as a learned policy spells them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from decisionflow.syntax.spelling import is_plain, quoted


def label_word(label: Any) -> str:
    """A label as policies read one from a model: truths in lower case, 1.0 as 1, all else as it prints."""
    if isinstance(label, bool | np.bool_):
        return "true" if label else "false"
    if isinstance(label, float | np.floating) and float(label).is_integer():
        return str(int(label))
    return str(label)


def label_text(label: Any, declared: frozenset[str] = frozenset()) -> str:
    """A label as a policy writes it: bare where a bare word can mean nothing else."""
    word = label_word(label)
    return word if is_plain(word) and word not in declared else quoted(word)


def number_text(number: float) -> str:
    """The shortest decimal that reads back as the same number."""
    value = float(number)
    if value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return repr(value)


def percent_text(share: float) -> str:
    """A share of so many millionths as a percentage."""
    return number_text(round(share * 100, 4)) + "%"


def shortest_decimal(low: float, high: float) -> float:
    """A decimal of the fewest digits in (low, high]: a cut that parts the same rows and reads well.

    Raises ValueError where the two are not in order.
    """
    if not low < high:
        raise ValueError(f"no number lies above {low} and up to {high}")
    largest = math.floor(math.log10(max(abs(low), abs(high), high - low))) + 1
    for digits in range(-largest, 18 - largest):
        candidate = float(np.round(math.floor(high * 10.0**digits) / 10.0**digits, max(digits, 0)))
        if low < candidate <= high:
            return candidate
    return high
