"""Excel workbooks (XLSX): the first sheet. A percent-formatted cell is a ratio, a date a date, as Excel stores them."""

from __future__ import annotations

import warnings
from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from zipfile import BadZipFile, ZipFile

import openpyxl
import pyarrow as pa
from openpyxl.utils.exceptions import InvalidFileException

from decisionflow.errors import DataError
from decisionflow.tables.files.arrow_files import unreadable
from decisionflow.tables.files.byte_source import ByteSource
from decisionflow.tables.files.chunk import ROWS_OF_CHUNK, Chunk
from decisionflow.tables.files.column_kinds import KindsSeen
from decisionflow.tables.files.formats import Format
from decisionflow.tables.headers import refuse_twins
from decisionflow.tables.sheet import Sheet

LARGEST_CONTENT = 2 * 2**30
"""Bytes of a workbook when unpacked."""


@dataclass(frozen=True)
class WorkbookFile:
    """The first sheet of a workbook: headers in its first row that is not empty, then the rows.

    Empty rows at the end are left out. A cell that holds an error, such as #N/A, is that text. Raises DataError for a
    file that is no workbook, an empty sheet, a cell outside the columns that have a header.
    """

    source: ByteSource
    format: Format = "xlsx"

    @property
    def name(self) -> str:
        return self.source.name

    @cached_property
    def _content(self) -> tuple[Sheet, int]:
        """The sheet, and the line of its first row."""
        rows = _read_rows(self.source)
        header_line = next((line for line, row in enumerate(rows) if not _is_empty(row)), None)
        if header_line is None:
            raise DataError(f"{self.name} is empty: its first sheet needs a row of headers and, below it, rows")
        headers = _headers(rows[header_line])
        refuse_twins(headers)
        body = _without_empty_end(rows[header_line + 1 :])
        for line, row in enumerate(body, start=header_line + 2):
            if not _is_empty(row[len(headers) :]):
                raise DataError(f"{self.name}, row {line}: a cell stands to the right of the last header")
        columns = tuple([row[place] if place < len(row) else None for row in body] for place in range(len(headers)))
        return Sheet(headers, columns), header_line + 2

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return self._content[0].rows

    def own_schema(self) -> pa.Schema:
        """The sheet's columns, with types that hold all of their values."""
        sheet, _ = self._content
        seen = KindsSeen()
        for header, column in zip(sheet.headers, sheet.columns, strict=True):
            seen.add_column(header, column)
        return seen.schema()

    def chunks(self, rows: int = ROWS_OF_CHUNK, only: Container[str] | None = None) -> Iterator[Chunk]:  # noqa: ARG002
        """The rows in order, at most so many at a time; one empty chunk where there are none."""
        sheet, line = self._content
        for start in range(0, max(sheet.rows, 1), rows):
            part = Sheet(sheet.headers, tuple(column[start : start + rows] for column in sheet.columns))
            yield Chunk(start, part.rows, part, range(line + start, line + start + part.rows))


def _read_rows(source: ByteSource) -> list[tuple[Any, ...]]:
    try:
        _refuse_huge(source)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            book = openpyxl.load_workbook(source.seekable(), read_only=True, data_only=True)
            sheet = book.worksheets[0]
            sheet.reset_dimensions()
            return [tuple(row) for row in sheet.iter_rows(values_only=True)]
    except (BadZipFile, InvalidFileException, KeyError, IndexError, ValueError, OSError, SyntaxError) as error:
        raise unreadable(source.name, "an XLSX workbook", error) from None


def _refuse_huge(source: ByteSource) -> None:
    """A small archive may hold a huge sheet."""
    with ZipFile(source.seekable()) as archive:
        size = sum(member.file_size for member in archive.infolist())
    if size > LARGEST_CONTENT:
        raise DataError(f"{source.name} holds {size / 2**30:.1f} GiB when unpacked: save it as CSV or Parquet")


def _is_empty(row: tuple[Any, ...]) -> bool:
    return all(cell is None or cell == "" for cell in row)


def _headers(row: tuple[Any, ...]) -> tuple[str, ...]:
    width = max(place for place, cell in enumerate(row) if cell is not None and cell != "") + 1
    return tuple("" if cell is None else str(cell) for cell in row[:width])


def _without_empty_end(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    last = max((line for line, row in enumerate(rows) if not _is_empty(row)), default=-1)
    return rows[: last + 1]
