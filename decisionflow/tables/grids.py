"""Decision tables kept in CSV and XLSX files: every cell with its name, its value and its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from decisionflow.source import Source, Span


@dataclass(frozen=True)
class CellSource(Source):
    """The text of one cell that knows where it lies in a CSV file, so that messages can show the whole line."""

    first_line: int = 1
    first_column: int = 1
    whole_line: str = field(default="", repr=False)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column in the file."""
        return self.first_line, self.first_column + offset

    def line(self, number: int) -> str:  # noqa: ARG002
        """The file's line that the cell begins on, whichever is asked for."""
        return self.whole_line


@dataclass(frozen=True)
class SheetCell(Source):
    """The text of one cell of a workbook, whose name says where it lies."""

    workbook: str = ""
    cell: str = ""

    @property
    def file(self) -> str:
        """The workbook."""
        return self.workbook

    def place(self, offset: int) -> str:  # noqa: ARG002
        """The cell."""
        return self.name


@dataclass(frozen=True, slots=True)
class GridCell:
    """One cell: its name as spreadsheets give it (`B3`), what it holds (None where it is empty), and its text.

    A CSV cell holds text; one of XLSX may hold a number, truth or date. `merged` is the range that it is merged into.
    """

    name: str
    value: Any
    source: Source
    merged: str = ""

    @property
    def text(self) -> str:
        return self.source.text

    @property
    def span(self) -> Span:
        return Span(self.source, 0, len(self.text))


Row = tuple[GridCell, ...]
LARGEST_WORKBOOK = 256 * 1024 * 1024
"""Bytes of a workbook when unpacked."""
MOST_EMPTY_CELLS = 1_000_000
"""Cells without a value inside the table; one stray cell at the far end of a sheet would make millions."""


class UnclosedQuotes(ValueError):
    """A CSV cell whose quotes do not end; `span` is where they begin."""

    def __init__(self, span: Span) -> None:
        self.span = span
        super().__init__("the quotes of this cell do not end")


def column_letters(number: int) -> str:
    """The letters of a spreadsheet's column, counted from one: A, B, …, Z, AA."""
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def csv_rows(source: Source, delimiter: str = ",") -> Iterator[Row]:
    """The lines of a CSV file, those without any text left out; raises UnclosedQuotes."""
    starts_at, line, row = 0, 1, 1
    while starts_at < len(source.text):
        cells, ends_at = _csv_line(source, starts_at, line, row, delimiter)
        if any(cell.text for cell in cells):
            yield tuple(cells)
        line += source.text.count("\n", starts_at, ends_at)
        row, starts_at = row + 1, ends_at


@cache
def _csv_cell(delimiter: str) -> re.Pattern[str]:
    mark = re.escape(delimiter)
    return re.compile(rf'[ \t]*(?:"(?P<quoted>(?:[^"]|"")*)(?P<closing>"?)[^\r\n{mark}]*|(?P<bare>[^\r\n{mark}]*))')


def _csv_line(source: Source, at: int, line: int, row: int, delimiter: str) -> tuple[list[GridCell], int]:
    cells: list[GridCell] = []
    text, begins = source.text, at
    end = text.find("\n", at)
    whole = text[at : len(text) if end < 0 else end].rstrip("\r")
    while True:
        found = _csv_cell(delimiter).match(text, at)
        if found is None:
            raise ValueError("a cell matches any text")
        quoted = found["quoted"] is not None
        inner, place = (found["quoted"], found.start("quoted")) if quoted else (found["bare"], found.start("bare"))
        value = inner.replace('""', '"').strip() if quoted else inner.strip()
        place += len(inner) - len(inner.lstrip())
        here = CellSource(source.name, value, line, max(1, place - begins + 1), whole)
        if quoted and not found["closing"]:
            raise UnclosedQuotes(Span(here, 0, 1))
        cells.append(GridCell(f"{column_letters(len(cells) + 1)}{row}", value or None, here))
        at = found.end()
        if text[at : at + 1] != delimiter:
            break
        at += 1
    return cells, at + (2 if text[at : at + 2] == "\r\n" else 1)


def sheet_names(path: Path) -> list[str]:
    """The names of a workbook's sheets; raises ValueError where the file is no workbook."""
    from decisionflow.tables.workbook_reader import open_workbook

    with open_workbook(path, LARGEST_WORKBOOK) as workbook:
        return list(workbook.sheets)


def xlsx_rows(path: Path, shown: str, sheet: str) -> list[Row]:
    """The rows of a sheet down to the last with a value; raises ValueError as above, and where cells lie far apart.

    Cells are named after `shown`, the sheet and their own name.
    """
    from decisionflow.tables.workbook_reader import open_workbook

    with open_workbook(path, LARGEST_WORKBOOK) as workbook:
        values = {
            (row, column): value.strip() if isinstance(value, str) else value
            for row, cells in workbook.rows(sheet)
            for column, value in cells.items()
        }
        areas = [_Area.named(name) for name in workbook.merged(sheet)]
    filled = [place for place, value in values.items() if value != ""]
    ends = [*filled, *((area.bottom, area.right) for area in areas)]
    height, width = max((row for row, _ in ends), default=0), max((column for _, column in ends), default=0)
    if height * width - len(filled) > MOST_EMPTY_CELLS:
        raise ValueError("the cells of the sheet lie too far apart")
    return [
        tuple(
            _xlsx_cell(shown, sheet, (row, column), values.get((row, column)), areas) for column in range(1, width + 1)
        )
        for row in range(1, height + 1)
    ]


@dataclass(frozen=True, slots=True)
class _Area:
    """Merged cells, and the range that names them."""

    name: str
    top: int
    left: int
    bottom: int
    right: int

    @classmethod
    def named(cls, name: str) -> _Area:
        from decisionflow.tables.workbook_reader import cell_place

        first, _, last = name.partition(":")
        return cls(name, *cell_place(first), *cell_place(last or first))

    def holds(self, place: tuple[int, int]) -> bool:
        return self.top <= place[0] <= self.bottom and self.left <= place[1] <= self.right


def _xlsx_cell(shown: str, sheet: str, place: tuple[int, int], value: Any, areas: Sequence[_Area]) -> GridCell:
    name = f"{column_letters(place[1])}{place[0]}"
    value = None if value == "" else value
    text = "" if value is None else str(value)
    source = SheetCell(f"{shown}, sheet {sheet}, cell {name}", text, shown, f"{sheet}!{name}")
    merged = next((area.name for area in areas if area.holds(place)), "")
    return GridCell(name, value, source, merged)
