"""One row in microseconds: a program as a generated Python function from a dict to answers.

The function decides what is plain: valid values, no error on the way, no model to run. Whatever else turns up raises
`NotPlain` (or what Python raises where `validate` is off and the promise was broken), and the row is left to the
evaluator of columns, which means the same; so there is never a second answer, only a slower one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any

from decisionflow.evaluate.row_answer import RowAnswer
from decisionflow.evaluate.row_plain import NotPlain
from decisionflow.evaluate.row_source import row_source
from decisionflow.program.program import Program

Record = Mapping[str, Any]
RowFunction = Callable[[Record, date | None], dict[str, RowAnswer]]

ROWS_BEFORE, RULES_A_ROW = 8, 8
"""Records that are decided by columns before the function is written, which takes about as long as they do: so many,
or of long policies one for so many rules."""

_LARGEST_SOURCE = 4_000_000
_LEAVING = (NotPlain, TypeError, ValueError, KeyError, AttributeError, OverflowError)


def row_function(program: Program, decisions: tuple[str, ...] = (), validate: bool = True) -> RowFunction | None:
    """The function that answers some decisions, all where none is named; None where none can be written.

    Without `validate` the labels and domains of values are believed.
    """
    source = row_source(program, decisions or tuple(program.decisions), validate)
    if source is None or len(source.text) > _LARGEST_SOURCE:
        return None
    scope = dict(source.constants)
    try:
        exec(compile(source.text, f"<policy {program.name}>", "exec"), scope)  # noqa: S102
    except (RecursionError, MemoryError, SyntaxError):
        return None
    function: RowFunction = scope["decide"]
    return function


@dataclass
class RowFunctions:
    """The functions of one program, written once enough records have come; threads may write one twice, to no harm."""

    program: Program
    decisions: tuple[str, ...] = ()
    seen: int = 0
    written: dict[bool, RowFunction | None] = field(default_factory=dict)

    @cached_property
    def reads_today(self) -> bool:
        """Whether any decision depends on the date of the run."""
        program = self.program
        written = [item.expression for item in program.derived.values()]
        written += [part for decision in program.decisions.values() for part in decision.expressions]
        return any("today" in program.names_in(expression) for expression in written)

    def answers(self, record: Record, today: date | None, validate: bool) -> dict[str, RowAnswer] | None:
        """The answers of the decisions, all where none is named; None for a record that the evaluator has to decide.

        `today` may be left out where no decision reads it.
        """
        try:
            decide = self.written[validate]
        except KeyError:
            decide = self._write(validate)
        if decide is None:
            return None
        try:
            return decide(record, today)
        except _LEAVING:
            return None

    def prepare(self, validate: bool = True) -> None:
        """Write the function now."""
        self.written[validate] = row_function(self.program, self.decisions, validate)

    def _write(self, validate: bool) -> RowFunction | None:
        self.seen += 1
        rules = sum(len(decision.rules) for decision in self.program.decisions.values())
        if self.seen <= max(ROWS_BEFORE, rules // RULES_A_ROW):
            return None
        self.prepare(validate)
        return self.written[validate]
