"""Arrow batches as a Parquet file."""

from __future__ import annotations

import base64
from typing import IO, Any

import pyarrow as pa
import pyarrow.parquet as pq

ROWS_OF_GROUP = 524_288
BYTES_OF_GROUP = 64 * 2**20


class ParquetWriter:
    """A Parquet file, in row groups of half a million rows, or of fewer where rows are long.

    Text that comes as a dictionary in the first batch is stored as one without being spelled out, and reads back as
    text. Numbers are stored as they are: the search for a dictionary of numbers takes longer than all else.
    """

    def __init__(self, stream: IO[bytes], schema: pa.Schema) -> None:
        self._stream, self._schema = stream, schema
        self._stored = schema
        self._writer: Any = None
        self._waiting: list[pa.Table] = []
        self._rows = self._bytes = 0

    def write(self, batch: pa.Table) -> None:
        if self._writer is None:
            self._open(batch.schema)
        self._waiting.append(batch.cast(self._stored))
        self._rows += batch.num_rows
        self._bytes += batch.nbytes
        if self._rows >= ROWS_OF_GROUP or self._bytes >= BYTES_OF_GROUP:
            self._write_group()

    def close(self) -> None:
        if self._writer is None:
            self._open(self._schema)
        self._write_group()
        self._writer.close()

    def abandon(self) -> None:
        """Let go of a stream that fails or is closed; pyarrow would write to it once more, and complain aloud."""
        if self._writer is not None:
            self._writer.is_open = False

    def _open(self, coming: pa.Schema) -> None:
        self._stored = pa.schema([_stored(field, coming.field(field.name).type) for field in self._schema])
        texts = [field.name for field in self._schema if not _is_number(field.type)]
        self._writer = pq.ParquetWriter(self._stream, self._stored, store_schema=False, use_dictionary=texts)
        # What `store_schema` would write, but of the schema that readers are to see: text, not dictionaries.
        self._writer.add_key_value_metadata({"ARROW:schema": base64.b64encode(self._schema.serialize().to_pybytes())})

    def _write_group(self) -> None:
        if self._rows:
            self._writer.write_table(pa.concat_tables(self._waiting).unify_dictionaries(), self._rows)
        self._waiting, self._rows, self._bytes = [], 0, 0


def _stored(field: pa.Field, coming: pa.DataType) -> pa.Field:
    """The field as it is stored: text that comes as a dictionary stays one."""
    coded = pa.types.is_dictionary(coming) and coming.value_type == field.type and pa.types.is_string(field.type)
    return field.with_type(pa.dictionary(pa.int32(), field.type)) if coded else field


def _is_number(kind: pa.DataType) -> bool:
    return pa.types.is_floating(kind) or pa.types.is_integer(kind) or pa.types.is_boolean(kind)
