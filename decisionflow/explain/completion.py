"""Every value of a policy on given rows, models included, whether a decision needs them there or not."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from decisionflow.conditions.expression import Expression, Variable, variables
from decisionflow.evaluate.bound_model import BoundModel
from decisionflow.evaluate.evaluator import evaluate
from decisionflow.evaluate.settings import Settings
from decisionflow.program.declarations import Decision, Formula
from decisionflow.program.program import Program
from decisionflow.tables.table import KNOWN, Column, Table
from decisionflow.types import Duration, Timestamp

if TYPE_CHECKING:
    from decisionflow.explain.coded_rows import CodedBackground

MICROSECONDS_A_DAY = 86_400_000_000.0


def complete(
    program: Program, models: Mapping[str, BoundModel], table: Table, settings: Settings, wanted: Sequence[Expression]
) -> dict[Expression, Column]:
    """The value of each expression on each row; an invalid feature behind it makes it an error."""
    return Completion(program, models, settings, tuple(wanted)).columns(table)


@dataclass(frozen=True)
class Completion:
    """Some expressions of a policy, ready to be computed on any number of tables."""

    program: Program
    models: Mapping[str, BoundModel]
    settings: Settings
    wanted: tuple[Expression, ...]

    @cached_property
    def names(self) -> dict[str, Expression]:
        """Decisions of these names are added, each of which is one of the expressions."""
        return {f"value {place}": expression for place, expression in enumerate(self.wanted)}

    @cached_property
    def extended(self) -> Program:
        """The program with a decision for each expression, and of its own decisions those behind them."""
        read = {variable.name for expression in self.wanted for variable in variables(expression)} - {"today"}
        behind = read.union(*(self.program.ancestors(name) for name in read))
        decisions = {name: item for name, item in self.program.decisions.items() if name in behind}
        for name, expression in self.names.items():
            decisions[name] = Decision(name, expression.type, Formula(expression))
        return replace(self.program, decisions=decisions)

    def columns(self, table: Table) -> dict[Expression, Column]:
        """The value of each expression on each row."""
        result = evaluate(self.extended, self.models, table, self.settings)
        return {expression: result.column(name) for name, expression in self.names.items()}


@dataclass
class Background:
    """The rows that an explanation compares with, and what the policy computes on them; computed once, when asked for.

    `sha256` identifies the features' values. `coded` keeps them as codes, by the names asked for.
    """

    program: Program
    models: Mapping[str, BoundModel]
    table: Table
    settings: Settings
    _known: dict[Expression, Column] = field(default_factory=dict, repr=False)
    coded: dict[tuple[str, ...], CodedBackground] = field(default_factory=dict, repr=False)

    @property
    def rows(self) -> int:
        return self.table.rows

    def column(self, expression: Expression) -> Column:
        """The expression's value on every row."""
        if isinstance(expression, Variable) and expression.name in self.table.columns:
            return self.table.columns[expression.name]
        if expression not in self._known:
            self._known |= complete(self.program, self.models, self.table, self.settings, [expression])
        return self._known[expression]

    def prepare(self, expressions: Sequence[Expression]) -> None:
        """Compute several expressions in one run."""
        missing = [one for one in expressions if one not in self._known and not self._is_feature(one)]
        if missing:
            self._known |= complete(self.program, self.models, self.table, self.settings, missing)

    def sample(self, expression: Expression) -> NDArray[np.float64]:
        """The known values as numbers, dates and durations in days."""
        column = self.column(expression)
        values = in_days(column.values, expression)
        return values if column.states is None else values[column.states == KNOWN]

    @cached_property
    def sha256(self) -> str:
        """Hash of the features' names, values and states."""
        digest = hashlib.sha256()
        for name, column in sorted(self.table.columns.items()):
            digest.update(name.encode())
            texts = column.values.dtype == object
            digest.update(repr(column.values.tolist()).encode() if texts else column.values.tobytes())
            digest.update(column.state().tobytes())
        return digest.hexdigest()

    def _is_feature(self, expression: Expression) -> bool:
        return isinstance(expression, Variable) and expression.name in self.table.columns


def in_days(values: NDArray[np.generic], expression: Expression) -> NDArray[np.float64]:
    """Stored values as numbers; timestamps and durations, stored in microseconds, in days."""
    numbers = values.astype(np.float64)
    return numbers / MICROSECONDS_A_DAY if isinstance(expression.type, Timestamp | Duration) else numbers
