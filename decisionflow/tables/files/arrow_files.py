"""Parquet and Feather files."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from decisionflow.errors import DataError
from decisionflow.tables.files.byte_source import ByteSource
from decisionflow.tables.files.chunk import ROWS_OF_CHUNK, Chunk
from decisionflow.tables.files.formats import Format
from decisionflow.tables.headers import refuse_twins


@dataclass(frozen=True)
class ParquetFile:
    """A Parquet file; its row groups are read a part at a time. DataError where it is none, or damaged."""

    source: ByteSource
    format: Format = "parquet"

    @property
    def name(self) -> str:
        return self.source.name

    @cached_property
    def _file(self) -> Any:
        try:
            return pq.ParquetFile(self.source.native())
        except (pa.ArrowInvalid, OSError) as error:
            raise unreadable(self.name, "Parquet", error) from None

    @cached_property
    def _decoded(self) -> Any:
        """The same file; text of few distinct values is handed over as the dictionary that it is stored as."""
        coded = _coded_texts(self._file)
        # With `pre_buffer`, everything that has been read is kept until the end.
        return pq.ParquetFile(
            self.source.native(), metadata=self._file.metadata, read_dictionary=coded, pre_buffer=False
        )

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return self._file.metadata.num_rows

    def own_schema(self) -> pa.Schema:
        """The file's own columns."""
        schema = self._file.schema_arrow
        refuse_twins(schema.names)
        return schema.remove_metadata()

    def chunks(self, rows: int = ROWS_OF_CHUNK, only: Container[str] | None = None) -> Iterator[Chunk]:
        """The rows in order, at most so many at a time; one empty chunk where there are none."""
        try:
            names = _wanted(self.own_schema(), only)
            yield from _chunks(self._decoded.iter_batches(rows, columns=names), self.own_schema(), rows)
        except (pa.ArrowInvalid, OSError) as error:
            raise unreadable(self.name, "Parquet", error) from None


MOST_BYTES_OF_CODE = 2.0
"""Bytes a value, on average over a file, of text whose dictionary is small: codes of up to 16 bits."""


def _coded_texts(file: Any) -> list[str]:
    """The text columns that a Parquet file stores as a small dictionary and codes."""
    metadata, texts = file.metadata, {field.name for field in file.schema_arrow if pa.types.is_string(field.type)}
    groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    found = []
    for place in range(metadata.num_columns if groups else 0):
        parts = [group.column(place) for group in groups]
        size, values = sum(part.total_uncompressed_size for part in parts), sum(part.num_values for part in parts)
        if parts[0].path_in_schema in texts and size <= MOST_BYTES_OF_CODE * values:
            found.append(parts[0].path_in_schema)
    return found


@dataclass(frozen=True)
class FeatherFile:
    """A Feather (Arrow IPC) file; its batches are read one at a time. DataError where it is none, or damaged."""

    source: ByteSource
    format: Format = "feather"

    @property
    def name(self) -> str:
        return self.source.name

    @cached_property
    def _file(self) -> Any:
        try:
            return pa.ipc.open_file(self.source.native())
        except (pa.ArrowInvalid, OSError) as error:
            raise unreadable(self.name, "Feather", error) from None

    @property
    def rows(self) -> int | None:
        """How many rows there are, unknown before they are read."""
        return None

    def own_schema(self) -> pa.Schema:
        """The file's own columns."""
        refuse_twins(self._file.schema.names)
        return self._file.schema.remove_metadata()

    def chunks(self, rows: int = ROWS_OF_CHUNK, only: Container[str] | None = None) -> Iterator[Chunk]:
        """The rows in order, at most so many at a time; one empty chunk where there are none."""
        try:
            names = _wanted(self.own_schema(), only)
            batches = (self._file.get_batch(number).select(names) for number in range(self._file.num_record_batches))
            yield from _chunks(batches, self.own_schema(), rows)
        except (pa.ArrowInvalid, OSError) as error:
            raise unreadable(self.name, "Feather", error) from None


def unreadable(name: str, format_name: str, error: Exception) -> DataError:
    """The error that a file is damaged or of another format."""
    detail = str(error).splitlines()[0] if str(error) else type(error).__name__
    return DataError(f"{name} cannot be read as {format_name}: {detail}")


def _wanted(schema: pa.Schema, only: Container[str] | None) -> list[str]:
    return [name for name in schema.names if only is None or name in only]


def _chunks(batches: Iterable[pa.RecordBatch], schema: pa.Schema, rows: int) -> Iterator[Chunk]:
    """Chunks of at most so many rows; short batches, of which some files have many, come together."""
    first_row, waiting, count = 0, list[pa.RecordBatch](), 0
    for batch in batches:
        for start in range(0, batch.num_rows, rows):
            part = batch.slice(start, rows)
            if waiting and count + part.num_rows > rows:
                yield _chunk(first_row, waiting)
                first_row, waiting, count = first_row + count, [], 0
            waiting.append(part)
            count += part.num_rows
    if waiting:
        yield _chunk(first_row, waiting)
    elif first_row == 0:
        yield Chunk(0, 0, schema.empty_table())


def _chunk(first_row: int, batches: list[pa.RecordBatch]) -> Chunk:
    data = batches[0] if len(batches) == 1 else pa.Table.from_batches(batches)
    return Chunk(first_row, data.num_rows, data)
