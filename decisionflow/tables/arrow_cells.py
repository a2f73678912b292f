"""Cells of an Arrow column."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from decisionflow.tables.cells import Cells, Coded, Mask, Moments, Objects, Texts, Truths, numbers

FEW = 16
"""Fewer values are read one by one sooner than an array of them is."""

MOST_BYTES_OF_TEXT = 2**30

_SIGNED = {1: np.int16, 2: np.int32, 4: np.int32, 8: np.int64}
"""Integers that hold the unsigned codes of a width; a dictionary has fewer than 2^31 values."""


def arrow_cells(column: pa.Array | pa.ChunkedArray) -> Cells:
    """The cells of a column of any Arrow type, without a copy where the layout allows."""
    if _is_text(column.type):
        return Texts(_texts(column))
    array = _whole(column)
    if isinstance(array, pa.ExtensionArray):
        return arrow_cells(array.storage)
    kind = array.type
    if pa.types.is_dictionary(kind):
        return Coded(_codes(array.indices), _distinct(array.dictionary))
    if pa.types.is_float64(kind) or pa.types.is_integer(kind):
        return numbers(_values(array), _nulls(array))
    if pa.types.is_floating(kind):
        return numbers(array.to_numpy(zero_copy_only=False))
    if pa.types.is_boolean(kind):
        return Truths(_bits(array.buffers()[1], array), _nulls(array))
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


def _distinct(dictionary: pa.Array) -> Cells:
    """The cells of a dictionary; a few texts are read one by one sooner than as an array."""
    few = len(dictionary) < FEW and _is_text(dictionary.type)
    return Objects(dictionary.to_pylist()) if few else arrow_cells(dictionary)


def _values(array: pa.Array) -> NDArray[Any]:
    """Numbers as they lie in Arrow's memory, whatever stands where they are null."""
    memory = array.buffers()[1]
    if memory is None:
        return np.zeros(len(array), array.type.to_pandas_dtype())
    return pa.Array.from_buffers(array.type, len(array), [None, memory], 0, array.offset).to_numpy()


def _nulls(array: pa.Array) -> Mask | None:
    if not array.null_count:
        return None
    memory = array.buffers()[0]
    return np.ones(len(array), np.bool_) if memory is None else ~_bits(memory, array)


def _bits(memory: pa.Buffer | None, array: pa.Array) -> Mask:
    """A bit for each value of an array."""
    if memory is None:
        return np.zeros(len(array), np.bool_)
    first = array.offset // 8
    used = np.frombuffer(memory, np.uint8)[first : (array.offset + len(array) + 7) // 8]
    skipped = array.offset - 8 * first
    bits = np.unpackbits(used, count=skipped + len(array), bitorder="little")
    return bits[skipped:].view(np.bool_)


def _codes(indices: pa.Array) -> NDArray[np.integer[Any]]:
    """The indices of a dictionary as signed codes, -1 where null."""
    values, nulls = _values(indices), _nulls(indices)
    if values.dtype.kind == "u":
        values = values.astype(_SIGNED[values.dtype.itemsize])
    return values if nulls is None else values | -nulls.view(np.int8)


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_large_string(kind) or pa.types.is_string(kind)) or _is_string_view(kind)


def _is_string_view(kind: pa.DataType) -> bool:
    return kind == pa.string_view()
