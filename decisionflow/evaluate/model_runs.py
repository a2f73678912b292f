"""The outputs of models during a run: each model is given the rows that some decision needs it for, once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from decisionflow.conditions.values import Failure
from decisionflow.errors import ModelError
from decisionflow.evaluate.block import Block
from decisionflow.evaluate.bound_model import BoundModel
from decisionflow.evaluate.constants import filler, stored
from decisionflow.evaluate.failures import Failures
from decisionflow.evaluate.interpreter import checked_output
from decisionflow.evaluate.model_calls import ModelCall, watched
from decisionflow.evaluate.vector import FIRST_ERROR, KNOWN, MISSING, PENDING, Mask, Values, Vector, spread, with_states
from decisionflow.program.declarations import Feature
from decisionflow.program.program import Program
from decisionflow.tables.frame import model_frame
from decisionflow.tables.masking import shown
from decisionflow.tables.scalars import to_scalar
from decisionflow.tables.table import MISSING_STATE, Column

Rows = NDArray[np.intp]


@dataclass(slots=True)
class ModelRun:
    """What is known of one model's output for each of n rows; `problems` says why a row has none.

    `waiting` holds the rows that are to be given to it next, with the columns of its inputs; `slow` its slow calls.
    """

    bound: BoundModel
    values: Values
    states: NDArray[np.int32]
    first_row: int = 0
    problems: dict[int, str] = field(default_factory=dict)
    waiting: list[tuple[Rows, dict[str, Column]]] = field(default_factory=list)
    slow: list[ModelCall] = field(default_factory=list)


def begin(bound: BoundModel, rows: int, first_row: int = 0) -> ModelRun:
    """Nothing is known of the model's output for n rows yet; messages count them from `first_row`."""
    return ModelRun(bound, filler(bound.declaration.type, rows), np.full(rows, PENDING, np.int32), first_row)


def output_vector(block: Block, run: ModelRun, rows: Any) -> Vector:
    """The model's output as a block of rows knows it: an input that is not usable makes it an error (law 8)."""
    name = run.bound.declaration.name
    states = run.states[rows]
    for used, column in reversed(run.bound.declaration.inputs):
        given = block.variables[used]
        if given.states is None:
            continue
        states = np.where(given.states >= FIRST_ERROR, given.states, states)
        if not run.bound.takes_missing(column):
            code = np.int32(block.failures.code(name, f"input {used}"))
            states = np.where(given.states == MISSING, code, states)
    pending = states == PENDING
    return with_states(run.values[rows], states, {name: pending} if pending.any() else None)


def gather(block: Block, run: ModelRun, rows: Rows) -> None:
    """Keep the inputs of the rows that need the model; an input that waits asks for its own model first."""
    asked = block.requests.get(run.bound.declaration.name)
    if asked is None or not asked.any():
        return
    inputs = {column: block.variables[used] for used, column in run.bound.declaration.inputs}
    ready: Mask = asked.copy()
    for given in inputs.values():
        unready = asked & given.undetermined
        if unready.any():
            block.ask(given.needs or {}, unready)
            ready &= ~unready
    chosen = np.flatnonzero(ready)
    if len(chosen):
        columns = {column: _column(given, block.rows, chosen) for column, given in inputs.items()}
        run.waiting.append((rows[chosen], columns))


def run_model(program: Program, run: ModelRun, failures: Failures, stop: bool) -> None:
    """Give the model all rows that wait for it, in one call; raises ModelError for a failing row if it is to stop."""
    rows = np.concatenate([chosen for chosen, _ in run.waiting])
    order = np.argsort(rows, kind="stable")
    columns = {name: _joined([given[name] for _, given in run.waiting]).take(order) for name in run.bound.kinds}
    rows = rows[order]
    run.waiting.clear()
    frame = model_frame(columns, run.bound.kinds)
    name, first = run.bound.declaration.name, run.first_row + int(rows[0])
    with watched(lambda: ModelCall(name, len(rows), first, _inputs(program, run, columns, 0)), run.slow):
        scored = run.bound.model.score(frame, run.bound.declaration.output)
    problems = {place: str(error) for place, error in scored.failures.items()}
    values, states = _checked(run.bound, scored.values, problems)
    code = failures.code(name, "run")
    for place, problem in sorted(problems.items()):
        states[place] = code
        text = f"{problem} (row {run.first_row + rows[place]}: {_inputs(program, run, columns, place)})"
        if stop:
            raise ModelError(text)
        run.problems[int(rows[place])] = text
    run.values[rows], run.states[rows] = values, states


def _checked(bound: BoundModel, raw: Any, problems: dict[int, str]) -> tuple[Values, NDArray[np.int32]]:
    """Outputs as their declared type holds them; what is not of it is added to the problems."""
    kind = bound.declaration.type
    values, states = filler(kind, len(raw)), np.full(len(raw), KNOWN, np.int32)
    known: dict[Any, Any] = {}
    for place, each in enumerate(raw.tolist()):
        if place in problems:
            continue
        if each not in known:
            known[each] = checked_output(bound.declaration, each)
        if isinstance(known[each], Failure):
            problems[place] = known[each].reason
        else:
            values[place] = stored(known[each], kind)
    return values, states


def _column(given: Vector, rows: int, chosen: Rows) -> Column:
    values = spread(given.values, rows)[chosen]
    if given.states is None:
        return Column(values)
    states = np.where(spread(given.states, rows)[chosen] == MISSING, MISSING_STATE, KNOWN).astype(np.uint8)
    return Column(values, states if states.any() else None)


def _joined(columns: Sequence[Column]) -> Column:
    values = np.concatenate([column.values for column in columns])
    if all(column.states is None for column in columns):
        return Column(values)
    return Column(values, np.concatenate([column.state() for column in columns]))


def _inputs(program: Program, run: ModelRun, columns: Mapping[str, Column], place: int) -> str:
    """The inputs of one row for a reader, sensitive ones masked."""
    found = []
    for used, column in run.bound.declaration.inputs:
        node, given = program.node(used), columns[column]
        if given.states is not None and given.states[place] != KNOWN:
            text = "missing"
        else:
            value = to_scalar(given.values[place], run.bound.kinds[column])
            text = shown(node, value) if isinstance(node, Feature) else str(value)
        found.append(f"{used} = {text}")
    return ", ".join(found)
