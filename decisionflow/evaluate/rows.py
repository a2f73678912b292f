"""A row of a table as the interpreter reads it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from decisionflow.conditions.values import MISSING, Failure, Value
from decisionflow.errors import ModelError, UnknownNameError
from decisionflow.evaluate.bound_model import BoundModel
from decisionflow.evaluate.interpreter import Row, RowModel
from decisionflow.evaluate.settings import Settings
from decisionflow.program.program import Program
from decisionflow.tables.frame import model_frame
from decisionflow.tables.scalars import from_scalars, scalar_at
from decisionflow.tables.table import Table

if TYPE_CHECKING:
    from decisionflow.evaluate.result import Result


def row_of(program: Program, models: Mapping[str, BoundModel], table: Table, place: int, settings: Settings) -> Row:
    """One row of a table, ready to be decided and traced; an invalid feature is a Failure with its problem."""
    row_models = {name: row_model(bound, settings) for name, bound in models.items()}
    return Row(program, features_at(program, table, place), row_models, settings)


def decided_row(result: Result, place: int) -> Row:
    """A row of a result; what its models gave is remembered, not asked again.

    A model that no decision needed for the row was not run: whatever it gave would change nothing, so it counts as
    missing. Raises UnknownNameError where there is no such row.
    """
    if not 0 <= place < len(result):
        raise UnknownNameError(f"there is no row {place}: the data has {len(result)} rows, counted from 0")
    models = {name: _remembered(run.bound, result.model_value(name, place)) for name, run in result.models.items()}
    return Row(result.program, features_at(result.program, result.table, place), models, result.settings)


def _remembered(bound: BoundModel, value: Value) -> RowModel:
    known = MISSING if value is None else value
    return RowModel(lambda _: known, missing_inputs=_accepted(bound))


def features_at(program: Program, table: Table, place: int) -> dict[str, Value]:
    """Every feature's value in one row; one that was not read, because nothing needs it, is missing."""
    found: dict[str, Value] = dict.fromkeys(program.features, MISSING)
    for name, column in table.columns.items():
        problem = table.problems.get(name, {}).get(place, f"{name} is invalid")
        found[name] = scalar_at(column, place, program.features[name].type, problem)
    return found


def row_model(bound: BoundModel, settings: Settings) -> RowModel:
    """A bound model for single rows; what it raises becomes the error value that names it."""

    def output(inputs: Mapping[str, Value]) -> Value:
        columns = {column: from_scalars([value], bound.kinds[column]) for column, value in inputs.items()}
        try:
            value = bound.model.column(model_frame(columns, bound.kinds), bound.declaration.output)[0]
        except ModelError as error:
            if settings.on_model_error == "stop":
                raise
            return Failure(str(error))
        return value.item() if hasattr(value, "item") else value

    return RowModel(output, missing_inputs=_accepted(bound))


def _accepted(bound: BoundModel) -> frozenset[str]:
    return frozenset(column for column in bound.kinds if bound.takes_missing(column))
