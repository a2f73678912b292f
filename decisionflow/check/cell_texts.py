"""The cells of a table file as the tree would have them: texts read, real values taken as they are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, time
from typing import Literal

from decisionflow.check.expressions import typed_expression
from decisionflow.check.messages import tables as messages
from decisionflow.check.messages.types import described
from decisionflow.check.report import Report
from decisionflow.check.scope import Context
from decisionflow.frozen import frozen
from decisionflow.syntax import tree
from decisionflow.syntax.cells import parse_cell, parse_outcome
from decisionflow.syntax.limits import Limits
from decisionflow.syntax.parse import parse_expression
from decisionflow.tables.grids import GridCell
from decisionflow.types import TEXT, TIMESTAMP, Type, Vocabulary

Role = Literal["name", "input", "output"]
_PLAIN_NUMBER = re.compile(r"-?[0-9]{1,300}(\.[0-9]{1,300})?")
_EXACT = 2**53


@frozen
class Column:
    """A column of a table file: what it is for, where it stands, its head, the type of its cells (None: unknown)."""

    role: Role
    place: int
    cell: GridCell
    type: Type | None
    head: tree.Expression
    decimal: str = "."

    @property
    def holds_words(self) -> bool:
        """Whether labels and texts stand in its cells without quotes."""
        return self.type == TEXT or isinstance(self.type, Vocabulary)


def head_of(cell: GridCell, place: int, decimal: str, context: Context) -> Column:
    """An input column: a declared name, the header that a feature is read from, or an expression."""
    scope, text = context.scope, cell.text
    by_header = [
        declared.name
        for declared in scope.declared.values()
        if isinstance(declared.node, tree.Feature) and _column_of(declared.node) == text
    ]
    if text in scope.declared or by_header:
        head: tree.Expression = tree.Name(text if text in scope.declared else by_header[0], True, cell.span)
    else:
        parsed = parse_expression(cell.source)
        if not isinstance(parsed, tree.Expression):
            context.report.found += parsed
            return Column("input", place, cell, None, tree.Name(text, True, cell.span), decimal)
        head = parsed
    quiet = Context(scope, Report())
    found = typed_expression(head, quiet)
    return Column("input", place, cell, None if found is None else found.type, head, decimal)


def _column_of(node: tree.Feature) -> str | None:
    for option in node.options:
        if option.words == "from column" and isinstance(option.value, tree.Text):
            return option.value.value
    return None


def input_cell(cell: GridCell, column: Column, context: Context, limits: Limits) -> tree.Cell:
    """A cell of conditions; an EmptyCell after a message."""
    if cell.value is None:
        context.report.add(messages.empty_cell(cell))
        return tree.EmptyCell(cell.span)
    if not isinstance(cell.value, str):
        value = real_value(cell, column, context)
        return tree.EmptyCell(cell.span) if value is None else tree.Tests((value,), False, cell.span)
    number = _plain_number(cell, column)
    if number is not None:
        return tree.Tests((number,), False, cell.span)
    found = parse_cell(cell.source, column.decimal, column.holds_words, limits)
    if isinstance(found, Sequence):
        context.report.found += found
        return tree.EmptyCell(cell.span)
    return found


def outcome(cell: GridCell, column: Column, context: Context, limits: Limits) -> tree.Expression | tree.EmptyCell:
    """A cell of outcomes; an EmptyCell after a message."""
    if cell.value is None:
        context.report.add(messages.empty_outcome(cell))
        return tree.EmptyCell(cell.span)
    if not isinstance(cell.value, str):
        return real_value(cell, column, context) or tree.EmptyCell(cell.span)
    found = _plain_number(cell, column) or parse_outcome(cell.source, column.decimal, column.holds_words, limits)
    if isinstance(found, Sequence):
        context.report.found += found
        return tree.EmptyCell(cell.span)
    return found


def real_value(cell: GridCell, column: Column, context: Context) -> tree.Expression | None:
    """A number, truth or date that a spreadsheet holds, None after a message."""
    value = cell.value
    if isinstance(value, bool):
        return tree.Truth(value, cell.span)
    if isinstance(value, int | float):
        whole = int(value) if float(value).is_integer() and abs(value) < _EXACT else value
        return tree.Number(whole, cell.text, cell.span)
    if isinstance(value, datetime) and value.time() == time() and column.type != TIMESTAMP:
        return tree.Moment(value.date().isoformat(), "date", cell.span)
    if isinstance(value, date) and not isinstance(value, datetime):
        return tree.Moment(value.isoformat(), "date", cell.span)
    expected = "a value" if column.type is None else described(column.type)
    context.report.add(messages.value_unsuited(cell.span, cell.text, expected))
    return None


def _plain_number(cell: GridCell, column: Column) -> tree.Number | None:
    """A cell that is one plain number, without the grammar: most cells of most tables are."""
    if column.holds_words or not _PLAIN_NUMBER.fullmatch(cell.text):
        return None
    value = float(cell.text) if "." in cell.text else int(cell.text)
    if isinstance(value, float) and column.decimal == ",":
        return None
    return tree.Number(value, cell.text, cell.span)
