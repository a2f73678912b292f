"""Columns as the pandas frame that a model expects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from decisionflow.tables.table import KNOWN, Column
from decisionflow.types import Boolean, Date, Integer, Number, Timestamp, Type, Vocabulary

if TYPE_CHECKING:
    import pandas as pd


def model_frame(
    columns: Mapping[str, Column], types: Mapping[str, Type], rows: NDArray[np.intp] | None = None
) -> pd.DataFrame:
    """The inputs of a model under the names that it knows, in the order of `columns`, for some rows or all.

    A number is float64, an integer int64, a boolean bool, a text or label object with str, a date or timestamp (in UTC,
    without its zone) datetime64[us]. Only a column with a value that is not known changes: missing is NaN in float64
    for numbers and integers, None in object for booleans, texts and labels, NaT for moments. The index counts from 0.
    """
    import pandas as pd

    arrays = {
        name: _array(column if rows is None else column.take(rows), types[name]) for name, column in columns.items()
    }
    if arrays and all(array.dtype == np.float64 for array in arrays.values()):
        # One block of numbers takes a tenth of the time of a series for each column, which counts for single rows.
        return pd.DataFrame(np.column_stack(list(arrays.values())), columns=list(arrays), copy=False)
    series = {name: pd.Series(array, dtype=array.dtype, copy=False) for name, array in arrays.items()}
    return pd.DataFrame(series, index=pd.RangeIndex(len(rows)) if rows is not None else None, copy=False)


def _array(column: Column, kind: Type) -> NDArray[Any]:
    """Values as the model takes them."""
    unknown = None if column.states is None or not column.states.any() else column.states != KNOWN
    values = column.values
    match kind:
        case Number() | Integer():
            return values if unknown is None else np.where(unknown, np.nan, values.astype(np.float64))
        case Boolean():
            return _with_gaps(values, unknown)
        case Date():
            return _moments(values.astype("datetime64[D]").astype("datetime64[us]"), unknown)
        case Timestamp():
            return _moments(values.astype("datetime64[us]"), unknown)
        case Vocabulary(labels=labels):
            values = np.array([*labels, None], np.object_)[values]
    return _with_gaps(values, unknown)


def _with_gaps(values: NDArray[Any], unknown: NDArray[np.bool_] | None) -> NDArray[Any]:
    if unknown is None:
        return values
    objects = values.astype(np.object_)
    objects[unknown] = None
    return objects


def _moments(values: NDArray[np.datetime64], unknown: NDArray[np.bool_] | None) -> NDArray[np.datetime64]:
    return values if unknown is None else np.where(unknown, np.datetime64("NaT", "us"), values)
