"""Large tables by one compiled loop; the rows that it cannot decide are left to the blocks of columns."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from decisionflow.conditions.expression import Constant
from decisionflow.evaluate.answer import DECIDED, NO_RULE, UNDECIDED, Answer
from decisionflow.evaluate.combining import as_type
from decisionflow.evaluate.constants import dtype_of, stored
from decisionflow.evaluate.kernel_source import KernelSource, kernel_source
from decisionflow.evaluate.kernel_text import NOTHING
from decisionflow.evaluate.settings import Settings
from decisionflow.program.declarations import CompanionList, Decision, Formula
from decisionflow.program.program import Program
from decisionflow.tables.scalars import EPOCH_DAY
from decisionflow.tables.table import Column, Table
from decisionflow.types import Boolean, Type

Rows = NDArray[np.intp]

MOST_ATOMS = 300
"""More than these, and compiling costs more than it saves."""

MOST_WHOLE = 2000
"""More than these, and the arrays of one block no longer stay in the cache."""

BLOCK_ROWS = 8192
"""Rows decided together: few enough that what is computed of them stays in the cache."""

_CLASSES = {"real_class": np.float64, "whole_class": np.int64, "code_class": np.int32, "flag_class": np.int8}
_NARROW, _WIDE = np.uint8, np.int32
_MOST_NARROW = 250


Form = Literal["compiled", "whole", "plain"]
"""A loop compiled to machine code, the same steps on whole arrays, or the loop as plain Python, to try it out."""


@dataclass(frozen=True)
class Kernel:
    """The generated function of some decisions; `block` is how many rows it is given at once."""

    program: Program
    source: KernelSource
    run: Callable[..., None]
    hits: Any
    block: int

    @property
    def slow(self) -> int:
        """The hit of a row that the evaluator has to decide."""
        return int(np.iinfo(self.hits).max)

    def decide(self, table: Table, settings: Settings) -> tuple[dict[str, CodedAnswer], Rows]:
        """What the decisions say about a table, and the rows that are left to the evaluator."""
        kinds = {name: self.program.features[name].type for name in self.source.columns}
        columns = [_plain(table.columns[name], kind) for name, kind in kinds.items()]
        known = np.zeros(table.rows, np.uint8)
        states = [known if (found := table.columns[name].states) is None else found for name in kinds]
        hits = [np.empty(table.rows, self.hits) for _ in self.source.decisions]
        values = {
            name: np.empty(table.rows, dtype_of(self.program.decisions[name].type)) for name in self.source.computed
        }
        today, arrays = (settings.today - EPOCH_DAY).days, [*columns, *states, *hits, *values.values()]
        with np.errstate(all="ignore"):
            for start in range(0, table.rows, self.block):
                rows = min(self.block, table.rows - start)
                self.run(rows, today, *(array[start : start + rows] for array in arrays))
        left = np.flatnonzero(hits[0] == self.slow)
        answers = {
            name: CodedAnswer(self.program.decisions[name], found, values.get(name), left)
            for name, found in zip(self.source.decisions, hits, strict=True)
        }
        return answers, left


def kernel_of(program: Program, decisions: tuple[str, ...], form: Form) -> Kernel | None:
    """The kernel of some decisions, compiled when it first runs; None where it would not pay or cannot be written."""
    source = kernel_source(program, decisions, form == "whole")
    if source is None or source.atoms > (MOST_WHOLE if form == "whole" else MOST_ATOMS) or not source.columns:
        return None
    most = max(len(program.decisions[name].rules) + 2 for name in source.decisions)
    hits = _NARROW if most < _MOST_NARROW else _WIDE
    scope: dict[str, Any] = {
        "np": np,
        "NOTHING": NOTHING,
        "SLOW": hits(np.iinfo(hits).max),
        "hit_class": hits,
        **_CLASSES,
    }
    exec(compile(source.text, f"<kernel of {program.name}>", "exec"), scope)  # noqa: S102
    function = scope["kernel"]
    if form != "compiled":
        return Kernel(program, source, function, hits, BLOCK_ROWS)
    import numba

    return Kernel(program, source, numba.njit(nogil=True, error_model="numpy")(function), hits, sys.maxsize)


def _plain(column: Column, kind: Type) -> NDArray[Any]:
    """A column's values as the kernel reads them, without a copy."""
    values = np.ascontiguousarray(column.values)
    return values.view(np.int8) if isinstance(kind, Boolean) else values


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
