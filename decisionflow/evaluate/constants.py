"""Values of the policy as they lie in columns, and columns of one type as those of another."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from decisionflow.conditions.values import MISSING as MISSING_VALUE
from decisionflow.conditions.values import Failure, Value
from decisionflow.evaluate import vector
from decisionflow.evaluate.columns.moments import DAY
from decisionflow.evaluate.failures import CODE, INVALID_FEATURE
from decisionflow.evaluate.vector import Values, Vector
from decisionflow.tables.scalars import storage, to_stored
from decisionflow.types import Calendar, Duration, Integer, Number, Record, Text, Type, Vocabulary

_LONGEST_DAYS = 50_000_000
"""Days that fit in 64 bits of microseconds, and more than lie between any two dates."""


def dtype_of(kind: Type) -> Any:
    """How values of a type lie in an array; calendar steps as whole months."""
    return np.int64 if isinstance(kind, Calendar) else storage(kind)


def filler(kind: Type, rows: int) -> Values:
    """Values `(n,)` that mean nothing, a dict of them for a record."""
    if isinstance(kind, Record):
        return {name: filler(part, rows) for name, part in kind.parts}
    return np.zeros(rows, dtype_of(kind))


def constant(value: Value, kind: Type) -> Vector:
    """One value for all rows."""
    if value is MISSING_VALUE or isinstance(value, Failure):
        state = vector.MISSING if value is MISSING_VALUE else CODE.get(value.reason, INVALID_FEATURE)
        return Vector(filler(kind, 1), np.full(1, state, np.int32))
    return Vector(_single(value, kind))


def stored(value: Value, kind: Type) -> Any:
    """A known value as it lies in a column."""
    if isinstance(kind, Calendar):
        return value.months
    if isinstance(kind, Duration):
        days = max(-_LONGEST_DAYS, min(value.days, _LONGEST_DAYS))
        return days * DAY + value.seconds * 1_000_000 + value.microseconds
    return float(value) if isinstance(kind, Number) else to_stored(value, kind)


def converted(values: Values, given: Type, wanted: Type) -> Values:
    """Values of one type where another stands: integers as numbers, labels by the other vocabulary."""
    if given == wanted:
        return values
    if isinstance(given, Record) and isinstance(wanted, Record):
        kinds = dict(given.parts)
        return {name: converted(values[name], kinds[name], part) for name, part in wanted.parts}
    if isinstance(wanted, Number) and isinstance(given, Integer):
        return values.astype(np.float64)
    if isinstance(given, Vocabulary) and isinstance(wanted, Vocabulary):
        return relabelled(values, given, wanted)
    if isinstance(given, Vocabulary) and isinstance(wanted, Text):
        return np.array(given.labels, dtype=object)[values]
    return values


def relabelled(codes: NDArray[np.int32], given: Vocabulary, wanted: Vocabulary) -> NDArray[np.int32]:
    """Codes of one vocabulary as those of another, -1 for a label that it does not have."""
    if given.labels == wanted.labels:
        return codes
    places = {label: place for place, label in enumerate(wanted.labels)}
    return np.array([places.get(label, -1) for label in given.labels], np.int32)[codes]


def _single(value: Value, kind: Type) -> Values:
    if isinstance(kind, Record):
        return {name: _single(value[name], part) for name, part in kind.parts}
    single: NDArray[Any] = np.empty(1, dtype_of(kind))
    single[0] = stored(value, kind)
    return single
