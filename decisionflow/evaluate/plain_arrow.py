"""A result as an Arrow table whose batches all have one schema."""

from __future__ import annotations

import pyarrow as pa

from decisionflow.evaluate.result import Result


def plain_arrow(result: Result) -> pa.Table:
    """The columns of `to_arrow`, labels and rule names as text: files and engines want no dictionary for each batch."""
    decided = result.to_arrow()
    columns = {
        field.name: decided[field.name].cast(field.type.value_type)
        if pa.types.is_dictionary(field.type)
        else decided[field.name]
        for field in decided.schema
    }
    return pa.table(columns)
