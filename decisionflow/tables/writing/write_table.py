"""A table written a batch at a time, in any format."""

from __future__ import annotations

import codecs
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from typing import IO, Any, Protocol

import pyarrow as pa

from decisionflow.errors import DataError
from decisionflow.tables.files.chunk import Chunk
from decisionflow.tables.files.dialect import DEFAULT_DIALECT, Dialect
from decisionflow.tables.files.formats import Format
from decisionflow.tables.masking import plain_text
from decisionflow.tables.writing.csv_text import csv_header, csv_lines
from decisionflow.tables.writing.destination import destination
from decisionflow.tables.writing.own_columns import own_columns
from decisionflow.tables.writing.parquet_writer import ParquetWriter


class BatchWriter(Protocol):
    """Takes batches of one schema, in order; text may come as a dictionary."""

    def write(self, batch: pa.Table) -> None:
        """Write some rows."""

    def close(self) -> None:
        """Write what belongs after the last row."""


class TableWriter:
    """Writes the rows of a file with what was decided about them: the file's own columns first."""

    def __init__(self, writer: BatchWriter, own: pa.Schema | None) -> None:
        self._writer = writer
        self._own = own

    def write(self, decided: pa.RecordBatch | pa.Table, chunk: Chunk | None = None) -> None:
        """Write some rows: the columns of `chunk`, where own columns are wanted, then those of `decided` `(n, d)`."""
        table = pa.Table.from_batches([decided]) if isinstance(decided, pa.RecordBatch) else decided
        if self._own is None or chunk is None:
            self._writer.write(table)
        elif isinstance(self._writer, JSONLinesWriter) and isinstance(chunk.data, list):
            self._writer.write_records([*map(_joined, chunk.data, table.to_pylist())])
        else:
            self._writer.write(_beside(own_columns(chunk, self._own), table))


@contextmanager
def write_table(
    path: str,
    format: Format,
    decided: pa.Schema,
    own: pa.Schema | None = None,
    dialect: Dialect = DEFAULT_DIALECT,
    standard_output: IO[bytes] | None = None,
) -> Iterator[TableWriter]:
    """A writer of a file, `-` for standard output, that appears only when it is complete.

    `own` is the schema of the input's own columns, None where only decisions are wanted; from JSON lines to JSON lines
    an empty one will do, and spares reading the file twice. Raises DataError where the two
    have a column of one name, and where writing fails.
    """
    _refuse_twins(own.names if own is not None else (), decided.names)
    schema = pa.schema([*(own or []), *decided])
    with destination(path, standard_output) as stream:
        writer = _writer(format, stream, schema, dialect)
        try:
            yield TableWriter(writer, own)
            writer.close()
        except BaseException:
            if isinstance(writer, ParquetWriter):
                writer.abandon()
            raise


def _writer(format: Format, stream: IO[bytes], schema: pa.Schema, dialect: Dialect) -> BatchWriter:
    kinds: dict[Format, Callable[[IO[bytes], pa.Schema], BatchWriter]] = {
        "csv": partial(CSVWriter, dialect=dialect),
        "jsonl": JSONLinesWriter,
        "parquet": ParquetWriter,
        "feather": FeatherWriter,
        "xlsx": _workbook_writer,
    }
    if format not in kinds:
        raise DataError(f"{format} is no format: give {', '.join(kinds)}")
    return kinds[format](stream, schema)


def _workbook_writer(stream: IO[bytes], schema: pa.Schema) -> BatchWriter:
    from decisionflow.tables.writing.workbook_writer import WorkbookWriter

    return WorkbookWriter(stream, schema)


class CSVWriter:
    """CSV with a header."""

    def __init__(self, stream: IO[bytes], schema: pa.Schema, dialect: Dialect = DEFAULT_DIALECT) -> None:
        self._stream, self._dialect = stream, dialect
        self._encoder = codecs.getincrementalencoder(dialect.codec)()
        self._put(csv_header(schema.names, dialect))

    def write(self, batch: pa.Table) -> None:
        self._put(csv_lines(batch, self._dialect))

    def _put(self, text: bytes) -> None:
        if self._dialect.codec == "utf-8":
            self._stream.write(text)
            return
        try:
            self._stream.write(self._encoder.encode(text.decode()))
        except UnicodeEncodeError as error:
            letter = error.object[error.start]
            raise DataError(f"the output cannot hold {letter!r} in {error.encoding}: give --encoding utf-8") from None

    def close(self) -> None:
        self._stream.flush()


class JSONLinesWriter:
    """One object on each line; NaN is null, infinity a text, a date its literal."""

    def __init__(self, stream: IO[bytes], schema: pa.Schema) -> None:
        self._stream, self._schema = stream, schema

    def write(self, batch: pa.Table) -> None:
        self.write_records(batch.to_pylist())

    def write_records(self, records: Iterable[Mapping[str, Any]]) -> None:
        """Write objects as they are."""
        lines = map(_line, records)
        self._stream.write("".join(line + "\n" for line in lines).encode(errors="replace"))

    def close(self) -> None:
        self._stream.flush()


class FeatherWriter:
    """A Feather (Arrow IPC) file."""

    def __init__(self, stream: IO[bytes], schema: pa.Schema) -> None:
        self._schema = schema
        self._writer = pa.ipc.new_file(stream, schema, options=pa.ipc.IpcWriteOptions(unify_dictionaries=True))

    def write(self, batch: pa.Table) -> None:
        self._writer.write_table(batch.cast(self._schema))

    def close(self) -> None:
        self._writer.close()


def _beside(own: pa.Table, decided: pa.Table) -> pa.Table:
    return pa.table([*own.columns, *decided.columns], [*own.column_names, *decided.column_names])


def _refuse_twins(own: Iterable[str], decided: Iterable[str]) -> None:
    twins = sorted(set(own) & set(decided))
    if twins:
        raise DataError(
            f'the data has a column "{twins[0]}", which the result has too: rename it, or give --only-decisions'
        )


def _joined(record: Mapping[str, Any], decided: Mapping[str, Any]) -> dict[str, Any]:
    if not record.keys().isdisjoint(decided):
        _refuse_twins(record, decided)
    return {**record, **decided}


def _line(record: Mapping[str, Any]) -> str:
    """An object as JSON; one with a number that JSON lacks is made plain first, which takes longer than all else."""
    try:
        return _ENCODER.encode(record)
    except ValueError:
        return _ENCODER.encode(_plain(record))


def _plain(value: Any) -> Any:
    """A value that JSON can hold."""
    match value:
        case dict():
            return {str(key): _plain(item) for key, item in value.items()}
        case list() | tuple():
            return [_plain(item) for item in value]
        case float() if not math.isfinite(value):
            return None if math.isnan(value) else str(value)
        case datetime() | date():
            return plain_text(value)
        case None | bool() | int() | float() | str():
            return value
        case Decimal():
            return str(value)
    return str(value)


_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, default=_plain)
