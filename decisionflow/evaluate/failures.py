"""Error values in a column: each reason has a code, which stands in the column's states."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from decisionflow.conditions.calendar import OUT_OF_RANGE
from decisionflow.evaluate.vector import FIRST_ERROR
from decisionflow.program.program import Program

Codes = NDArray[np.int32]

REASONS: tuple[str, ...] = (
    "integer overflow",
    "number overflow",
    "division by zero",
    "zero to a negative power",
    "a negative number to a broken power",
    "square root of a negative number",
    "logarithm of a number that is not positive",
    OUT_OF_RANGE.reason,
    "a date and a duration that is not in whole days",
)
"""What the functions of the language can fail of, as their scalar meanings put it."""

CODE = {reason: FIRST_ERROR + place for place, reason in enumerate(REASONS)}
INTEGER_OVERFLOW, NUMBER_OVERFLOW, DIVISION_BY_ZERO, ZERO_TO_NEGATIVE, BROKEN_POWER = range(
    FIRST_ERROR, FIRST_ERROR + 5
)
NEGATIVE_ROOT, LOGARITHM, DATE_RANGE, BROKEN_DAY = range(FIRST_ERROR + 5, FIRST_ERROR + 9)
INVALID_FEATURE = FIRST_ERROR + len(REASONS)
OUTSIDE_DOMAIN = INVALID_FEATURE + 1
_FIRST_OF_PROGRAM = OUTSIDE_DOMAIN + 1


def where_failed(failed: NDArray[np.bool_], code: int) -> Codes | None:
    """The code where it failed, else 0; None where nothing did."""
    return np.where(failed, np.int32(code), np.int32(0)) if failed.any() else None


@dataclass(frozen=True)
class Failures:
    """Every reason that a program's values can fail of, by code; those of a model's run are kept by row elsewhere."""

    reasons: tuple[str, ...]
    codes: dict[tuple[str, str], int]

    def code(self, name: str, kind: str) -> int:
        """The code of what can be wrong with a name: a decision's status, a model's input or its run."""
        return self.codes[name, kind]

    def reason(self, code: int) -> str:
        """The reason behind a code."""
        return self.reasons[code - FIRST_ERROR]


def failures_of(program: Program) -> Failures:
    """The reasons that are the program's own, after those of the language."""
    own = tuple(_reasons_of(program))
    codes = {key: _FIRST_OF_PROGRAM + place for place, (key, _) in enumerate(own)}
    return Failures((*REASONS, "invalid value", "outside its domain", *(reason for _, reason in own)), codes)


def _reasons_of(program: Program) -> Iterable[tuple[tuple[str, str], str]]:
    for name in program.decisions:
        for status in ("invalid", "conflict"):
            yield (name, status), f"decision `{name}` is {status}"
    for name, model in program.models.items():
        yield (name, "run"), f"model `{name}` failed"
        for used in dict.fromkeys(used for used, _ in model.inputs):
            yield (name, f"input {used}"), f"model `{name}` does not take missing values, and `{used}` is missing"
