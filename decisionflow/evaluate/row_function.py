"""One row in microseconds: a program as a generated Python function from a dict to outcomes.

The function decides what is plain: known values of the declared types, no error on the way. Whatever else turns up (a
text to be read as a number, a division by zero, a model to run) raises `NotPlain`, and the row is decided by the
evaluator, which means the same; so there is never a second answer, only a slower one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from decisionflow.evaluate.outcome import Outcome
from decisionflow.evaluate.row_plain import NotPlain
from decisionflow.evaluate.row_source import row_source
from decisionflow.program.program import Program

Record = Mapping[str, Any]
Outcomes = dict[str, Outcome]

_LARGEST_SOURCE = 4_000_000


@dataclass(frozen=True)
class RowFunction:
    """Decides one record: `fast` where that is plain, else `slow`; with `validate` off, values are taken as declared.

    `fast` is None for a program that has no plain form: one with models, or under hit policies that meet every rule.
    """

    fast: Callable[[Record, date], Outcomes] | None
    slow: Callable[[Record, date], Outcomes]

    def __call__(self, record: Record, today: date) -> Outcomes:
        """The outcome of every decision."""
        if self.fast is None:
            return self.slow(record, today)
        try:
            return self.fast(record, today)
        except NotPlain:
            return self.slow(record, today)


def row_function(
    program: Program, slow: Callable[[Record, date], Outcomes], decisions: tuple[str, ...] = (), validate: bool = True
) -> RowFunction:
    """The function of a program for one record; `decisions` are those to decide, all where none is named."""
    return RowFunction(_compiled(program, decisions or tuple(program.decisions), validate), slow)


def _compiled(
    program: Program, decisions: tuple[str, ...], validate: bool
) -> Callable[[Record, date], Outcomes] | None:
    source = row_source(program, decisions, validate)
    if source is None or len(source.text) > _LARGEST_SOURCE:
        return None
    scope = dict(source.constants)
    try:
        exec(compile(source.text, f"<policy {program.name}>", "exec"), scope)  # noqa: S102
    except (RecursionError, MemoryError, SyntaxError):
        return None
    function: Callable[[Record, date], Outcomes] = scope["decide"]
    return function
