"""Excel workbooks (XLSX): the first sheet. A percent-formatted cell is a ratio, a date a date, as Excel stores them."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa

from decisionflow.errors import DataError
from decisionflow.tables.files.arrow_files import unreadable
from decisionflow.tables.files.byte_source import ByteSource
from decisionflow.tables.files.chunk import ROWS_OF_CHUNK, Chunk
from decisionflow.tables.files.column_kinds import KindsSeen
from decisionflow.tables.files.formats import Format
from decisionflow.tables.headers import refuse_twins
from decisionflow.tables.sheet import Sheet
from decisionflow.tables.workbook_reader import TooLarge, open_workbook

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
        header_line = next((line for line, row in rows.items() if row), None)
        if header_line is None:
            raise DataError(f"{self.name} is empty: its first sheet needs a row of headers and, below it, rows")
        width = max(rows[header_line])
        headers = tuple(str(rows[header_line].get(column, "")) for column in range(1, width + 1))
        refuse_twins(headers)
        last = max(line for line, row in rows.items() if row)
        body = [rows.get(line, {}) for line in range(header_line + 1, last + 1)]
        for line, row in enumerate(body, start=header_line + 1):
            if row and max(row) > width:
                raise DataError(f"{self.name}, row {line}: a cell stands to the right of the last header")
        columns = tuple([row.get(column) for row in body] for column in range(1, width + 1))
        return Sheet(headers, columns), header_line + 1

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


def _read_rows(source: ByteSource) -> dict[int, dict[int, Any]]:
    """The filled cells of the first sheet, by line and column."""
    try:
        with open_workbook(source.seekable(), LARGEST_CONTENT) as book:
            return {
                line: {column: value for column, value in row.items() if value != ""}
                for line, row in book.rows(next(iter(book.sheets)))
            }
    except TooLarge as error:
        raise DataError(f"{source.name} holds {error}: save it as CSV or Parquet") from None
    except (ValueError, OSError) as error:
        raise unreadable(source.name, "an XLSX workbook", error) from None
