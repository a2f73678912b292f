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
"""Bytes of a workbook when unpacked: a policy is untrusted, and a small archive may hold a huge one."""


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
    workbook = _workbook(path)
    try:
        return list(workbook.sheetnames)
    finally:
        workbook.close()


def xlsx_rows(path: Path, shown: str, sheet: str) -> list[Row]:
    """The rows of a sheet down to the last with a value, formulas as last calculated; raises ValueError as above.

    Cells are named after `shown`, the sheet and their own name. A percent-formatted number is its ratio, as it is kept.
    """
    workbook = _workbook(path)
    try:
        cells = workbook[sheet]
        merged = {
            (row, column): str(area)
            for area in cells.merged_cells.ranges
            for row in range(area.min_row, area.max_row + 1)
            for column in range(area.min_col, area.max_col + 1)
        }
        rows = [
            tuple(_xlsx_cell(shown, sheet, cell, merged.get((cell.row, cell.column), "")) for cell in row)
            for row in cells.iter_rows()
        ]
    finally:
        workbook.close()
    return _trimmed(rows)


def _workbook(path: Path) -> Any:
    import zipfile

    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        with zipfile.ZipFile(path) as parts:
            unpacked = sum(part.file_size for part in parts.infolist())
    except zipfile.BadZipFile as fault:
        raise ValueError(str(fault)) from fault
    if unpacked > LARGEST_WORKBOOK:
        raise ValueError("the workbook is too large when unpacked")
    try:
        return load_workbook(path, data_only=True)
    except (InvalidFileException, zipfile.BadZipFile, KeyError, ValueError, TypeError, EOFError) as fault:
        raise ValueError(str(fault)) from fault


def _xlsx_cell(shown: str, sheet: str, cell: Any, merged: str) -> GridCell:
    value = cell.value.strip() if isinstance(cell.value, str) else cell.value
    value = None if value == "" else value
    name = f"{column_letters(cell.column)}{cell.row}"
    text = "" if value is None else str(value)
    return GridCell(name, value, Source(f"{shown}, sheet {sheet}, cell {name}", text), merged)


def _trimmed(rows: Sequence[Row]) -> list[Row]:
    """The rows without empty ones at the end and empty columns at the right."""
    last = max((number for number, row in enumerate(rows, 1) if any(_is_filled(cell) for cell in row)), default=0)
    width = max((number for row in rows[:last] for number, cell in enumerate(row, 1) if _is_filled(cell)), default=0)
    return [row[:width] for row in rows[:last]]


def _is_filled(cell: GridCell) -> bool:
    return cell.value is not None or bool(cell.merged)
