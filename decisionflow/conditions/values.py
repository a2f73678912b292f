"""Values that are not there: missing ones and errors."""

from __future__ import annotations

from enum import Enum
from typing import Any

from decisionflow.frozen import frozen


class Missing(Enum):
    """The one missing value; a condition that is missing is unknown."""

    MISSING = "missing"

    def __repr__(self) -> str:
        return "MISSING"

    def __bool__(self) -> bool:
        raise TypeError("a missing value is neither true nor false")


MISSING = Missing.MISSING


@frozen
class Failure:
    """An error value, with the reason that a reader of the trace sees."""

    reason: str

    def __bool__(self) -> bool:
        raise TypeError("an error value is neither true nor false")


Value = Any
"""One value as `types` writes it, a dict of parts, a tuple, MISSING or a Failure."""

INTEGER_LOW, INTEGER_HIGH = -(2**63), 2**63 - 1


def is_known(value: Value) -> bool:
    """Whether a value is neither missing nor an error."""
    return value is not MISSING and not isinstance(value, Failure)
