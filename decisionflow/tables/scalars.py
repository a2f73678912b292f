"""Between typed columns and single values as `types` writes them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from decisionflow.conditions.values import MISSING, Failure, Value
from decisionflow.tables.table import ERROR_STATE, KNOWN, MISSING_STATE, Column
from decisionflow.types import Boolean, Date, Duration, Integer, Number, Timestamp, Type, Vocabulary

EPOCH_DAY = date(1970, 1, 1)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


def to_scalar(stored: Any, kind: Type) -> Value:
    """A stored known value as the language's value of its type."""
    match kind:
        case Number():
            return float(stored)
        case Integer():
            return int(stored)
        case Boolean():
            return bool(stored)
        case Vocabulary(labels=labels):
            return labels[int(stored)]
        case Date():
            return EPOCH_DAY + timedelta(days=int(stored))
        case Timestamp():
            return EPOCH + int(stored) * MICROSECOND
        case Duration():
            return int(stored) * MICROSECOND
    return stored


def to_stored(value: Value, kind: Type) -> Any:
    """A known value of the language as it lies in a column of its type."""
    match kind:
        case Vocabulary(labels=labels):
            return labels.index(value)
        case Date():
            return (value - EPOCH_DAY).days
        case Timestamp():
            return (value - EPOCH) // MICROSECOND
        case Duration():
            return value // MICROSECOND
    return value


def scalar_at(column: Column, row: int, kind: Type, reason: str = "invalid value") -> Value:
    """The value in one row: MISSING, a Failure with `reason`, or the known value."""
    state = KNOWN if column.states is None else column.states[row]
    if state == MISSING_STATE:
        return MISSING
    return Failure(reason) if state >= ERROR_STATE else to_scalar(column.values[row], kind)


def storage(kind: Type) -> Any:
    """The dtype of a column of this type."""
    match kind:
        case Number():
            return np.float64
        case Integer() | Date() | Timestamp() | Duration():
            return np.int64
        case Boolean():
            return np.bool_
        case Vocabulary():
            return np.int32
    return np.object_


def from_scalars(values: list[Value], kind: Type) -> Column:
    """A column of single values, MISSING and Failure among them."""
    if len(values) == 1 and isinstance(values[0], float) and isinstance(kind, Number):
        return Column(np.array(values))
    states = np.fromiter(
        (MISSING_STATE if v is MISSING else ERROR_STATE if isinstance(v, Failure) else KNOWN for v in values),
        np.uint8,
        len(values),
    )
    stored: NDArray[Any] = np.zeros(len(values), storage(kind))
    for row, value in enumerate(values):
        if states[row] == KNOWN:
            stored[row] = to_stored(value, kind)
    return Column(stored, states if states.any() else None)
