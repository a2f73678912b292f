"""Arrow batches as an Excel workbook."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import suppress
from datetime import date, datetime
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile

import openpyxl
import pyarrow as pa
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.writer.excel import ExcelWriter

from decisionflow.errors import DataError
from decisionflow.tables.files.column_kinds import as_text

MOST_ROWS = 1_048_575
MOST_CHARACTERS = 32_767
MOST_DIGITS = 10**15
MOST_BYTES_IN_MEMORY = 64 * 2**20


class WorkbookWriter:
    """A workbook with one sheet.

    An integer of more than 15 digits, which Excel would round, and a moment with a zone, which Excel does not have, are
    written as texts; a number keeps 16 digits, and a text never becomes a formula. Raises DataError for more rows or
    longer texts than a sheet holds.
    """

    def __init__(self, stream: IO[bytes], schema: pa.Schema) -> None:
        self._stream = stream
        self._names = schema.names
        self._batches: list[pa.Table] = []
        self._rows = 0

    def write(self, batch: pa.Table) -> None:
        self._rows += batch.num_rows
        if self._rows > MOST_ROWS:
            raise DataError(f"an XLSX sheet holds at most {MOST_ROWS:,} rows: write CSV or Parquet instead")
        self._batches.append(batch)

    def close(self) -> None:
        """Build the workbook aside, so that a stream that fails meets no half-written archive."""
        with tempfile.SpooledTemporaryFile(MOST_BYTES_IN_MEMORY) as whole:
            archive = ZipFile(whole, "w", ZIP_DEFLATED)
            try:
                ExcelWriter(_book(self._names, self._batches), archive).save()
            except BaseException:
                # Left open, it would write to the file once more when it is collected, and complain aloud.
                with suppress(OSError):
                    archive.close()
                raise
            whole.seek(0)
            shutil.copyfileobj(whole, self._stream)


def _book(names: list[str], batches: list[pa.Table]) -> openpyxl.Workbook:
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("decisions")
    try:
        sheet.append([_cell(sheet, name) for name in names])
        for batch in batches:
            for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                sheet.append([_cell(sheet, value) for value in row])
    except DataError:
        sheet.close()
        raise
    return book


def _cell(sheet: Any, value: Any) -> Any:
    if value is None or value != value:  # noqa: PLR0124 -- NaN differs from itself
        return None
    if _is_native(value):
        return value
    text = ILLEGAL_CHARACTERS_RE.sub("\N{REPLACEMENT CHARACTER}", as_text(value))
    if len(text) > MOST_CHARACTERS:
        raise DataError(f"an XLSX cell holds at most {MOST_CHARACTERS:,} characters: write CSV or Parquet instead")
    cell = WriteOnlyCell(sheet, text)
    cell.data_type = "s"
    return cell


def _is_native(value: Any) -> bool:
    """Whether Excel holds the value as it is."""
    if isinstance(value, datetime):
        return value.tzinfo is None and value.year >= 1900
    if isinstance(value, date):
        return value.year >= 1900
    if isinstance(value, int):
        return abs(value) < MOST_DIGITS
    return isinstance(value, float) and abs(value) != float("inf")
