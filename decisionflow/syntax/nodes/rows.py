"""Inline tables: bars and cells to heads and rows.

Line breaks are free, except that a `|` at the start of a line begins a row when the row before it is finished.
"""

# ruff: noqa: ARG001 -- every maker takes the same arguments
from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import Any, cast

from decisionflow.frozen import frozen
from decisionflow.source import Span
from decisionflow.syntax import messages, tree
from decisionflow.syntax.nodes.building import Building, Make
from decisionflow.syntax.tokens import Token

CONDITIONS = (tree.Chain, tree.In, tree.Presence, tree.Negation, tree.Every, tree.Some, tree.Count, tree.Choice)


@frozen
class Piece:
    """A bar and what follows it up to the next: a cell, a reason, the word `rule` of a head, or nothing."""

    bar: Token
    content: Any
    span: Span


@frozen
class Line:
    """The cells of a row as written: what stands before `||`, what after it."""

    before: tuple[Any, ...]
    after: tuple[Any, ...]
    reason: tree.Reason | None
    span: Span
    is_broken: bool

    @property
    def cells(self) -> tuple[Any, ...]:
        return self.before + self.after


def piece(build: Building, parts: list[Any], span: Span) -> Piece:
    return Piece(parts[0], parts[1] if len(parts) > 1 else None, span)


def any_value(build: Building, parts: list[Any], span: Span) -> tree.AnyValue:
    return tree.AnyValue(span)


def head_rule(build: Building, parts: list[Any], span: Span) -> tree.Tests:
    return tree.Tests((build.name(parts[0]),), False, span)


def tests(build: Building, parts: list[Any], span: Span) -> tree.Tests:
    return tree.Tests(tuple(parts), False, span)


def none_of(build: Building, parts: list[Any], span: Span) -> tree.Tests:
    return tree.Tests(tuple(parts), True, span)


def cell_comparison(build: Building, parts: list[Any], span: Span) -> tree.CellComparison:
    return tree.CellComparison(parts[0].text, parts[1], span)


def cell_missing(build: Building, parts: list[Any], span: Span) -> tree.CellMissing:
    return tree.CellMissing(span)


ROWS: dict[str, Make] = {
    "table_part": piece,
    "any_value": any_value,
    "head_rule": head_rule,
    "tests": tests,
    "none_of": none_of,
    "cell_comparison": cell_comparison,
    "cell_missing": cell_missing,
}


def inline_table(build: Building, pieces: list[Piece], otherwise: tree.Otherwise | None, span: Span) -> tree.Table:
    """The table that bars and cells spell; wrong rows are reported and left out."""
    lines = _lines(build, pieces)
    head = next(lines)
    if not head.after and not head.is_broken:
        build.report(messages.table_without_outcome(head.span))
    heads = [_head(build, cell) for cell in head.before]
    named = bool(heads) and _names_rows(heads[0])
    outputs = tuple(_output(build, cell) for cell in head.after)
    rows = [
        row
        for number, line in enumerate(lines, 1)
        if (row := _row(build, line, (len(head.before), len(head.after)), named, number)) is not None
    ]
    if len(rows) > build.limits.table_rows:
        build.report(messages.too_many_rows(span, len(rows), build.limits.table_rows))
    return tree.Table(tuple(heads[named:]), outputs, tuple(rows), otherwise, span)


def _lines(build: Building, pieces: list[Piece]) -> Iterator[Line]:
    """The rows, the heads first."""
    row: list[Piece] = []
    width = 0
    for piece in pieces:
        if row and _begins_row(build, row, piece, width):
            yield (line := _line(build, row, piece))
            width = width or len(line.cells)
            row = []
        row.append(piece)
    yield _line(build, row, None)


def _begins_row(build: Building, row: list[Piece], piece: Piece, width: int) -> bool:
    """Whether a bar begins the next row: the row is closed, and a line break or the number of its cells says so."""
    last = row[-1]
    if piece.bar.kind == "DOUBLE_BAR" and row[0].bar.kind == "BAR":
        return False
    closed = last.content is None or isinstance(last.content, tree.Reason)
    filled = sum(item.content is not None and not isinstance(item.content, tree.Reason) for item in row)
    full = filled >= width if width else any(item.bar.kind == "DOUBLE_BAR" for item in row)
    if "\n" not in build.source.text[last.span.end : piece.bar.start]:
        return isinstance(last.content, tree.Reason) or (closed and full and len(row) > 1)
    return closed or full or _is_broken(build, last.span.start, piece.bar.start)


def _line(build: Building, row: list[Piece], following: Piece | None) -> Line:
    reason = row[-1].content if isinstance(row[-1].content, tree.Reason) else None
    closed = len(row) > 1 and (reason is not None or row[-1].content is None)
    filled = row[:-1] if closed else row
    cells = [item.content or tree.EmptyCell(_gap(build, row, place)) for place, item in enumerate(filled)]
    split = next((place for place, item in enumerate(filled) if item.bar.kind == "DOUBLE_BAR"), len(cells))
    span = Span(build.source, row[0].span.start, row[-1].span.end)
    end = following.bar.start if following else _end_of_line(build.source.text, span.end)
    return Line(tuple(cells[:split]), tuple(cells[split:]), reason, span, _is_broken(build, span.start, end))


def _end_of_line(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) + 1 if end < 0 else end


def _gap(build: Building, row: list[Piece], place: int) -> Span:
    """The place of an empty cell: the blanks after its bar."""
    start = row[place].bar.end
    end = row[place + 1].bar.start if place + 1 < len(row) else start
    return Span(build.source, start, max(start + 1, end))


def _is_broken(build: Building, start: int, end: int) -> bool:
    place = bisect_left(build.broken, start)
    return place < len(build.broken) and build.broken[place] < end


def _row(build: Building, line: Line, expected: tuple[int, int], named: bool, number: int) -> tree.Row | None:
    if line.is_broken:
        return None
    if (len(line.before), len(line.after)) != expected:
        build.report(messages.wrong_number_of_cells(line.span, number, expected, (len(line.before), len(line.after))))
        return None
    name = _row_name(build, line.before[0]) if named else None
    cells = tuple(input_cell(build, cell) for cell in line.before[named:])
    outcomes = tuple(outcome_cell(build, cell) for cell in line.after)
    return tree.Row(name, cells, outcomes, line.reason, number, line.span)


def _names_rows(head: tree.Expression) -> bool:
    return isinstance(head, tree.Name) and not head.backquoted and head.name.lower() in ("rule", "row")


def _head(build: Building, cell: Any) -> tree.Expression:
    if isinstance(cell, tree.Tests) and len(cell.tests) == 1 and not cell.negated:
        test = cell.tests[0]
        if not isinstance(test, tree.CellComparison | tree.Range | tree.CellMissing):
            return test
    build.report(messages.wrong_head(cell.span))
    return tree.Name("", True, cell.span)


def _output(build: Building, cell: Any) -> tree.Name:
    head = _head(build, cell)
    if not isinstance(head, tree.Name):
        build.report(messages.wrong_head(cell.span))
        return tree.Name("", True, cell.span)
    return head


def _row_name(build: Building, cell: Any) -> tree.Name | None:
    test = cell.tests[0] if isinstance(cell, tree.Tests) and len(cell.tests) == 1 and not cell.negated else None
    if isinstance(test, tree.Name):
        return test
    if isinstance(test, tree.Text):
        return tree.Name(test.value, True, test.span)
    if isinstance(test, tree.Number):
        return tree.Name(test.spelling, True, test.span)
    build.report(messages.wrong_row_name(cell.span))
    return None


def input_cell(build: Building, cell: Any) -> tree.Cell:
    """A condition's cell, a leading `not` taken to negate all of its tests."""
    if isinstance(cell, tree.EmptyCell):
        build.report(messages.empty_cell(cell.span))
    if not isinstance(cell, tree.Tests):
        return cast(tree.Cell, cell)
    first, *others = cell.tests
    if isinstance(first, tree.Negation):
        cell = tree.Tests((first.operand, *others), True, cell.span)
    for test in cell.tests:
        if isinstance(test, CONDITIONS):
            build.report(messages.no_test(test.span))
    _decimal_comma(build, cell)
    return cell


def _decimal_comma(build: Building, cell: tree.Tests) -> None:
    """`< 0,4` would ask for less than 0 or equal to 4: a number glued to the comma is meant as one number."""
    text = build.source.text
    for first, second in zip(cell.tests, cell.tests[1:], strict=False):
        if isinstance(first, tree.CellComparison) and isinstance(second, tree.Number):
            glued = text[first.span.end : second.span.start] == ","
            if glued and isinstance(first.bound, tree.Number):
                build.report(messages.decimal_comma(first.bound.span.to(second.span)))


def outcome_cell(build: Building, cell: Any) -> tree.Expression | tree.EmptyCell:
    """An outcome's cell: one expression."""
    if isinstance(cell, tree.EmptyCell):
        build.report(messages.empty_outcome(cell.span))
        return cell
    if isinstance(cell, tree.Tests) and len(cell.tests) == 1 and not cell.negated:
        test = cell.tests[0]
        if not isinstance(test, tree.CellComparison | tree.Range | tree.CellMissing):
            return test
    build.report(messages.no_outcome(cell.span))
    return tree.EmptyCell(cell.span)
