"""The answer of a decision as a kernel gives it: the place of the rule that fired in each row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from decisionflow.conditions.expression import Constant
from decisionflow.evaluate.answer import DECIDED, NO_RULE, UNDECIDED, Answer
from decisionflow.evaluate.combining import as_type
from decisionflow.evaluate.constants import dtype_of, stored
from decisionflow.program.declarations import CompanionList, Decision, Formula

Rows = NDArray[np.intp]


@dataclass
class CodedAnswer:
    """The answer of one decision as the place of the rule that fired; the arrays of an Answer are made when asked for.

    `patch` holds the answers of the rows `left`, which the kernel did not decide.
    """

    decision: Decision
    hits: NDArray[Any]
    computed: NDArray[Any] | None
    left: Rows
    patch: Answer | None = None

    @cached_property
    def status(self) -> NDArray[np.int8]:
        found = np.full(self._size, DECIDED, np.int8)
        found[-1] = UNDECIDED
        return self._decoded(found, "status")

    @cached_property
    def rules(self) -> NDArray[np.int32]:
        named = not isinstance(self.decision.body, Formula)
        codes = np.arange(1, self._size + 1, dtype=np.int32) if named else np.zeros(self._size, np.int32)
        codes[-1] = 0
        return self._decoded(codes, "rules")

    @cached_property
    def agreeing(self) -> NDArray[np.int32]:
        return self.rules

    @cached_property
    def failure(self) -> NDArray[np.int32]:
        return self._decoded(np.zeros(self._size, np.int32), "failure")

    @cached_property
    def failed_rule(self) -> NDArray[np.int32]:
        return self._decoded(np.full(self._size, NO_RULE, np.int32), "failed_rule")

    @cached_property
    def values(self) -> NDArray[Any]:
        if self.computed is None:
            return self._decoded(self._constants(), "values")
        values = self.computed.copy()
        if self.patch is not None:
            values[self.left] = self.patch.values
        return values

    @property
    def _size(self) -> int:
        """The rules that may be hit, and none."""
        return len(self.decision.rules) + (2 if isinstance(self.decision.body, CompanionList | Formula) else 1)

    def _constants(self) -> NDArray[Any]:
        kind = self.decision.type
        outcomes = [rule.outcome for rule in self.decision.rules]
        if isinstance(self.decision.body, CompanionList):
            outcomes.append(self.decision.body.fallback)
        if isinstance(self.decision.body, Formula):
            outcomes.append(self.decision.body.expression)
        found = np.zeros(self._size, dtype_of(kind))
        for place, outcome in enumerate(outcomes):
            if isinstance(outcome, Constant):
                found[place] = stored(as_type(outcome.value, kind), kind)
        return found

    def _decoded(self, by_hit: NDArray[Any], name: str) -> NDArray[Any]:
        found = by_hit[np.minimum(self.hits, self._size - 1)] if len(self.left) else by_hit[self.hits]
        if self.patch is not None:
            found[self.left] = getattr(self.patch, name)
        return found


Answers = Mapping[str, Answer | CodedAnswer]
