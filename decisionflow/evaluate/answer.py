"""What one decision says about many rows, as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from decisionflow.evaluate.constants import filler
from decisionflow.evaluate.failures import Failures
from decisionflow.evaluate.vector import KNOWN, MISSING, WAITING, Values, Vector, with_states
from decisionflow.types import Type

DECIDED, UNDECIDED, CONFLICT, INVALID, OPEN = range(5)
"""Codes of the statuses, in the order of `outcome.STATUSES`; an open row waits for a model."""

NO_RULE = -1
_RULE_ARRAYS = ("status", "rules", "agreeing", "failure", "failed_rule")


@dataclass(slots=True)
class Answer:
    """Arrays `(n,)` that are filled while a decision is made.

    `rules` and `agreeing` are codes of rule sets: the rules that results name, and those whose reasons they give.
    `failure` is the code of what made a row invalid, in the rule `failed_rule` or in none (-1). `values` holds a dict
    of arrays for a record, tuples for a list.
    """

    values: Values
    status: NDArray[np.int8]
    rules: NDArray[np.int32]
    agreeing: NDArray[np.int32]
    failure: NDArray[np.int32]
    failed_rule: NDArray[np.int32]

    def invalidate(self, rows: NDArray[np.bool_], codes: Any, rule: Any) -> None:
        """Some rows become invalid, with the code of the reason and the place of the rule it was met in."""
        self.status[rows] = INVALID
        self.rules[rows] = self.agreeing[rows] = 0
        np.copyto(self.failure, codes, where=rows, casting="same_kind")
        np.copyto(self.failed_rule, rule, where=rows, casting="same_kind")

    def as_read(self, name: str, failures: Failures) -> Vector:
        """What others read (law 8): an undecided decision is missing, an invalid or conflicting one an error."""
        if not self.status.any():
            return Vector(self.values)
        read = np.array(
            [KNOWN, MISSING, failures.code(name, "conflict"), failures.code(name, "invalid"), WAITING], np.int32
        )
        states = read[self.status]
        return with_states(self.values, states, {} if (self.status == OPEN).any() else None)

    def write(self, rows: Any, block: Answer) -> None:
        """The answers of a block of rows, at their places in the whole."""
        for name in _RULE_ARRAYS:
            getattr(self, name)[rows] = getattr(block, name)
        _write(self.values, rows, block.values)


def empty_answer(kind: Type, rows: int) -> Answer:
    """Nothing decided for n rows yet."""
    return Answer(
        values=filler(kind, rows),
        status=np.full(rows, UNDECIDED, np.int8),
        rules=np.zeros(rows, np.int32),
        agreeing=np.zeros(rows, np.int32),
        failure=np.zeros(rows, np.int32),
        failed_rule=np.full(rows, NO_RULE, np.int32),
    )


def _write(values: Values, rows: Any, block: Values) -> None:
    if not isinstance(values, dict):
        values[rows] = block
        return
    for part, inner in values.items():
        _write(inner, rows, block[part])
