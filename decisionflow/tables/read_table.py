"""Data of any kind read by the declared types of the features that are needed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from decisionflow.errors import DataError
from decisionflow.program.declarations import Feature
from decisionflow.tables.cells import Cells
from decisionflow.tables.headers import column_positions
from decisionflow.tables.notation import POINT, Notation
from decisionflow.tables.object_cells import object_cells
from decisionflow.tables.records import record_cells
from decisionflow.tables.sheet import Sheet
from decisionflow.tables.table import Table
from decisionflow.tables.unread import Unread

ColumnAt = Callable[[int], Cells]


def read_table(
    data: Any,
    features: Mapping[str, Feature],
    *,
    notation: Notation = POINT,
    validate: bool = True,
    refused: Mapping[int, str] | None = None,
) -> Table:
    """The features of every row, read by their declared types (law 2).

    `data` is a dict (one row), an iterable of dicts, a pandas or Polars DataFrame, a pyarrow Table or RecordBatch,
    anything else that exports an Arrow stream, or a Sheet. In dicts an absent key is a missing value; in the others
    every feature needs its column, else DataError. `notation` says how numbers are written as text. `validate=False`
    is the caller's promise that every value has the declared type and domain. `refused` rows, by position, could not be
    read at all: each of their features is invalid for the reason given. A column is read when somebody asks for it.
    """
    rows, cells = _incoming(data, features)
    return Unread(rows, cells, features, notation, validate, refused or {}).table(data)


def _incoming(data: Any, features: Mapping[str, Feature]) -> tuple[int, dict[str, Cells]]:
    """The number of rows, and the cells of each feature."""
    if isinstance(data, Mapping):
        return record_cells([data], features)
    if isinstance(data, Sheet):
        return _by_column(data.headers, data.rows, features, lambda place: object_cells(data.columns[place]))
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(data, pandas.DataFrame):
        return _pandas_cells(data, features)
    if hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__"):
        return _arrow_cells(data, features)
    if isinstance(data, Iterable) and not isinstance(data, str | bytes) and not hasattr(data, "dtype"):
        return record_cells(list(data), features)
    raise DataError(_no_table(data))


def _no_table(data: Any) -> str:
    return (
        f"a {type(data).__name__} is no table: give a dict, a list of dicts, a pandas or Polars DataFrame, "
        "or a pyarrow Table"
    )


def _by_column(
    headers: Sequence[object], rows: int, features: Mapping[str, Feature], column: ColumnAt
) -> tuple[int, dict[str, Cells]]:
    places = column_positions(headers, features)
    return rows, {name: column(place) for name, place in places.items()}


def _pandas_cells(data: Any, features: Mapping[str, Feature]) -> tuple[int, dict[str, Cells]]:
    from decisionflow.tables.pandas_cells import pandas_cells

    headers = list(data.columns)
    return _by_column(headers, len(data), features, lambda place: pandas_cells(data[headers[place]]))


def _arrow_cells(data: Any, features: Mapping[str, Feature]) -> tuple[int, dict[str, Cells]]:
    """Cells of whatever speaks Arrow; of a Polars frame only the columns that are needed are exported."""
    import pyarrow as pa

    from decisionflow.tables.arrow_cells import arrow_cells

    if isinstance(data, pa.Table | pa.RecordBatch):
        return _by_column(data.schema.names, data.num_rows, features, lambda place: arrow_cells(data.column(place)))
    if hasattr(data, "get_columns"):
        series = data.get_columns()
        return _by_column(data.columns, len(data), features, lambda place: _polars_cells(series[place]))
    try:
        return _arrow_cells(pa.table(data), features)
    except (pa.ArrowInvalid, TypeError) as error:
        raise DataError(_no_table(data)) from error


def _polars_cells(series: Any) -> Cells:
    """Cells of a Polars column in Arrow's memory; of a type that Arrow lacks, such as Int128, one by one."""
    import pyarrow as pa

    from decisionflow.tables.arrow_cells import arrow_cells

    try:
        return arrow_cells(series.to_arrow())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return object_cells(series.to_list())
