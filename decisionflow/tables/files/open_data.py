"""A data file of any format."""

from __future__ import annotations

from collections.abc import Container, Iterator
from pathlib import PurePath
from typing import IO, Protocol

import pyarrow as pa

from decisionflow.errors import DataError
from decisionflow.tables.files.byte_source import ByteSource
from decisionflow.tables.files.chunk import ROWS_OF_CHUNK, Chunk, joined
from decisionflow.tables.files.csv_file import CSVFile
from decisionflow.tables.files.dialect import DEFAULT_DIALECT, Dialect
from decisionflow.tables.files.formats import FORMAT_OF_ENDING, Format
from decisionflow.tables.files.json_lines import JSONLinesFile


class DataFile(Protocol):
    """Rows of a file, in order, a chunk at a time."""

    @property
    def name(self) -> str:
        """The file's name for messages."""

    @property
    def format(self) -> Format:
        """The format in which the file is written."""

    @property
    def rows(self) -> int | None:
        """How many rows there are, None where that is known only after reading them."""

    def own_schema(self) -> pa.Schema:
        """The file's own columns as a typed output holds them; may read the whole file."""

    def chunks(self, rows: int = ROWS_OF_CHUNK, only: Container[str] | None = None) -> Iterator[Chunk]:
        """The rows in order, at most so many at a time; one empty chunk where there are none.

        Columns that are not among `only` may be left out where that saves work.
        """


def every_row(file: DataFile, only: Container[str] | None = None) -> Chunk:
    """All rows of a file, which has to fit into memory."""
    return joined(file.chunks(only=only))


def open_data(
    path: str,
    dialect: Dialect = DEFAULT_DIALECT,
    *,
    format: Format | None = None,
    standard_input: IO[bytes] | None = None,
) -> DataFile:
    """The data file at a path; `-` is standard input.

    The format is the one given, else the one that the path's ending or, failing that, the file's beginning says. Raises
    DataError for a file that cannot be read, that is empty, or that is not what it seems to be.
    """
    source = ByteSource(path, standard_input)
    match format or FORMAT_OF_ENDING.get(PurePath(path).suffix.lower()) or _format_of(source.beginning):
        case "jsonl":
            return JSONLinesFile(source)
        case "parquet":
            from decisionflow.tables.files.arrow_files import ParquetFile

            return ParquetFile(source)
        case "feather":
            from decisionflow.tables.files.arrow_files import FeatherFile

            return FeatherFile(source)
        case "xlsx":
            from decisionflow.tables.files.workbook import WorkbookFile

            return WorkbookFile(source)
        case "csv":
            return CSVFile(source, dialect)
    raise DataError(f"{format} is no format: give csv, jsonl, parquet, feather or xlsx")


def _format_of(beginning: bytes) -> Format:
    """The format that the first bytes of a file speak for; CSV where they speak for no other."""
    if beginning.startswith(b"PAR1"):
        return "parquet"
    if beginning.startswith((b"ARROW1", b"FEA1")):
        return "feather"
    if beginning.startswith(b"PK\x03\x04"):
        return "xlsx"
    return "jsonl" if beginning.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[")) else "csv"
