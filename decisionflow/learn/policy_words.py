"""Names, labels and numbers as the policy language spells them."""

from __future__ import annotations

import math
import re
import unicodedata
from typing import Any

import numpy as np

_OPERATORS = ("and", "or", "not", "in", "is", "missing", "present", "if", "then", "else", "otherwise", "true", "false")
_BODIES = ("rule", "table", "companion", "given", "expect")
_DECLARATIONS = ("policy", "use", "background", "feature", "parameter", "derived", "model", "decision", "test")
RESERVED = frozenset((*_OPERATORS, *_BODIES, *_DECLARATIONS))
_NAME = re.compile(r"[^\W\d]\w*\Z")


def is_bare(word: str) -> bool:
    """Whether a word can stand without quotes or backquotes."""
    return bool(_NAME.match(word)) and word.lower() not in RESERVED and unicodedata.normalize("NFC", word) == word


def name_text(name: str) -> str:
    """A column's name as a policy writes it."""
    return name if is_bare(name) else "`" + name.replace("`", "``") + "`"


def quoted(text: str) -> str:
    """A text literal."""
    return '"' + text.replace('"', '""') + '"'


def label_text(label: Any, declared: frozenset[str] = frozenset()) -> str:
    """A label as a policy writes it: bare where a bare word can mean nothing else."""
    word = str(label)
    return word if is_bare(word) and word not in declared else quoted(word)


def number_text(number: float) -> str:
    """The shortest decimal that reads back as the same number."""
    value = float(number)
    if value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return repr(value)


def percent_text(share: float, digits: int) -> str:
    """A share as a percentage with at most so many decimals, rounded down, so that sums never grow."""
    scale = 10**digits
    return number_text(math.floor(share * 100 * scale + 1e-6) / scale) + "%"


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
