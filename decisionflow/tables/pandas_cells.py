"""Cells of a pandas column."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from decisionflow.tables.arrow_cells import arrow_cells
from decisionflow.tables.cells import Cells, Coded, Moments, Truths, numbers
from decisionflow.tables.object_cells import object_cells


def pandas_cells(series: pd.Series[Any]) -> Cells:
    """The cells of a column of any dtype, without a copy where the layout allows."""
    dtype = series.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return Coded(series.array.codes, _categories(series.array.categories))
    if isinstance(dtype, pd.DatetimeTZDtype):
        return Moments(series.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy(), aware=True)
    if isinstance(dtype, np.dtype):
        return _numpy_cells(series)
    if isinstance(dtype, pd.BooleanDtype):
        missing = series.isna().to_numpy()
        return Truths(series.to_numpy(np.bool_, na_value=False), missing if missing.any() else None)
    if isinstance(dtype, pd.StringDtype | pd.ArrowDtype) or hasattr(dtype, "numpy_dtype"):
        return arrow_cells(pa.array(series, from_pandas=True))
    return object_cells(list(series))


def _categories(categories: pd.Index[Any]) -> Cells:
    if categories.dtype == object or isinstance(categories.dtype, pd.StringDtype):
        return object_cells(categories.tolist())
    return pandas_cells(categories.to_series())


def _numpy_cells(series: pd.Series[Any]) -> Cells:
    values = series.to_numpy()
    match values.dtype.kind:
        case "f" | "i" | "u":
            return numbers(values)
        case "b":
            return Truths(values)
        case "M":
            return Moments(values)
    return object_cells(values.tolist() if values.dtype == object else list(series))
