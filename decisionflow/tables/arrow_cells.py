"""Cells of an Arrow column."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from decisionflow.tables.cells import Cells, Coded, Mask, Moments, Objects, Texts, Truths, numbers

MOST_BYTES_OF_TEXT = 2**30


def arrow_cells(column: pa.Array | pa.ChunkedArray) -> Cells:
    """The cells of a column of any Arrow type, without a copy where the layout allows."""
    if pa.types.is_large_string(column.type) or pa.types.is_string(column.type) or _is_string_view(column.type):
        return Texts(_texts(column))
    array = _whole(column)
    if isinstance(array, pa.ExtensionArray):
        return arrow_cells(array.storage)
    kind = array.type
    if pa.types.is_dictionary(kind):
        return Coded(_codes(array.indices), arrow_cells(array.dictionary))
    if pa.types.is_floating(kind):
        return numbers(array.to_numpy(zero_copy_only=False))
    if pa.types.is_integer(kind):
        return numbers(_filled(array, 0), _nulls(array))
    if pa.types.is_boolean(kind):
        return Truths(_filled(array, False), _nulls(array))
    if pa.types.is_timestamp(kind):
        return Moments(array.to_numpy(zero_copy_only=False), kind.tz is not None)
    if pa.types.is_date32(kind):
        return Moments(array.to_numpy(zero_copy_only=False))
    return Objects(array.to_pylist())


def _texts(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    if column.nbytes > MOST_BYTES_OF_TEXT or _is_string_view(column.type):
        column = column.cast(pa.large_string())
    return _whole(column)


def _whole(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    """One array of all chunks."""
    if not isinstance(column, pa.ChunkedArray):
        return column
    if column.num_chunks == 1:
        return column.chunk(0)
    if pa.types.is_dictionary(column.type):
        column = column.unify_dictionaries()
    return column.combine_chunks() if column.num_chunks else pa.array([], column.type)


def _nulls(array: pa.Array) -> Mask | None:
    return pc.is_null(array).to_numpy(zero_copy_only=False) if array.null_count else None


def _filled(array: pa.Array, filler: object) -> NDArray[Any]:
    return (array.fill_null(filler) if array.null_count else array).to_numpy(zero_copy_only=False)


def _codes(indices: pa.Array) -> NDArray[np.int64]:
    return _filled(indices.cast(pa.int64()), -1).astype(np.int64, copy=False)


def _is_string_view(kind: pa.DataType) -> bool:
    return kind == pa.string_view()
