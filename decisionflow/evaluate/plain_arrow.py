"""A result as an Arrow table whose batches all have one schema."""

from __future__ import annotations

import pyarrow as pa

from decisionflow.evaluate.result import Result


def plain_schema(schema: pa.Schema) -> pa.Schema:
    """The schema with what a dictionary holds in its place: it is the same for each batch."""
    return pa.schema(
        [field.with_type(field.type.value_type) if pa.types.is_dictionary(field.type) else field for field in schema]
    )


def plain_arrow(result: Result) -> pa.Table:
    """The columns of `to_arrow`, labels and rule names as text: engines want no dictionary for each batch."""
    decided = result.to_arrow()
    return decided.cast(plain_schema(decided.schema))
