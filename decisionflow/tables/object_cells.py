"""Cells of Python values: records, and columns of dtype object."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from decisionflow.conditions.values import MISSING
from decisionflow.tables.arrow_cells import FEW
from decisionflow.tables.cells import Cells, Mask, Numbers, Objects, Texts, Truths

_NOTHING = {type(None), type(MISSING)}


def object_cells(values: Sequence[Any]) -> Cells:
    """The cells of Python values; those of one plain kind become an array, all others stay as they are."""
    if len(values) < FEW:
        return Objects(values)
    kinds = set(map(type, values)) - _NOTHING
    if kinds == {str}:
        return _strings(values)
    if kinds == {float}:
        return Numbers(np.array([math.nan if _absent(value) else value for value in values], np.float64))
    if kinds == {bool}:
        return Truths(np.array([value is True for value in values]), _missing(values))
    return _integers(values) if kinds == {int} else Objects(values)


def _missing(values: Sequence[Any]) -> Mask | None:
    missing = np.array([_absent(value) for value in values], np.bool_)
    return missing if missing.any() else None


def _integers(values: Sequence[Any]) -> Cells:
    try:
        return Numbers(np.array([0 if _absent(value) else value for value in values], np.int64), _missing(values))
    except OverflowError:
        return Objects(values)


def _strings(values: Sequence[Any]) -> Cells:
    try:
        return Texts(pa.array([None if _absent(value) else value for value in values], pa.string()))
    except (UnicodeEncodeError, pa.ArrowInvalid, pa.ArrowCapacityError):
        return Objects(values)


def _absent(value: Any) -> bool:
    return value is None or value is MISSING
