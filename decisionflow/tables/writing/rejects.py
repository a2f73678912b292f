"""Rows that could not be read, as a CSV file for whoever mends them."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa

from decisionflow.tables.files.chunk import Reject

REJECT_SCHEMA = pa.schema([("row", pa.int64()), ("line", pa.int64()), ("reason", pa.string()), ("raw", pa.string())])


def reject_table(rejects: Iterable[Reject]) -> pa.Table:
    """A row for each reject: its number from 0, its line in the file, why, and its text as it came."""
    rows = [{"row": item.row, "line": item.line, "reason": item.reason, "raw": item.raw} for item in rejects]
    return pa.Table.from_pylist(rows, REJECT_SCHEMA)
