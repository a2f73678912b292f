"""The input's own columns as Arrow, unchanged, for the output beside the decisions."""

from __future__ import annotations

import pyarrow as pa

from decisionflow.tables.files.chunk import Chunk
from decisionflow.tables.files.column_kinds import arrow_column
from decisionflow.tables.sheet import Sheet


def own_columns(chunk: Chunk, schema: pa.Schema) -> pa.Table:
    """The columns of a chunk under the schema of its file; what a rejected row lacks is null."""
    data = chunk.data
    if isinstance(data, pa.RecordBatch):
        return pa.Table.from_batches([data]).replace_schema_metadata(None)
    if isinstance(data, pa.Table):
        return data
    if isinstance(data, Sheet):
        columns = dict(zip(data.headers, data.columns, strict=True))
        return pa.table([arrow_column(columns[field.name], field.type) for field in schema], schema=schema)
    return pa.table(
        [arrow_column([record.get(field.name) for record in data], field.type) for field in schema], schema=schema
    )
