"""Values that are not there: missing ones and errors."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import Enum
from typing import Any

from decisionflow.types import CalendarStep


class Missing(Enum):
    """The one missing value; a condition that is missing is unknown."""

    MISSING = "missing"

    def __repr__(self) -> str:
        return "MISSING"

    def __bool__(self) -> bool:
        raise TypeError("a missing value is neither true nor false")


MISSING = Missing.MISSING


@dataclass(frozen=True, slots=True)
class Failure:
    """An error value, with the reason that a reader of the trace sees."""

    reason: str

    def __bool__(self) -> bool:
        raise TypeError("an error value is neither true nor false")


Scalar = float | int | bool | str | date | datetime | timedelta | CalendarStep
Value = Any
"""A Scalar, a dict of parts, a tuple, MISSING or a Failure; `types` says which for each type."""

INTEGER_LOW, INTEGER_HIGH = -(2**63), 2**63 - 1


def is_known(value: Value) -> bool:
    """Whether a value is neither missing nor an error."""
    return value is not MISSING and not isinstance(value, Failure)
