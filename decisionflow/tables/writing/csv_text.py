"""Arrow batches as CSV: in UTF-8, quotation marks only where they are needed, `\\n` at the end of each line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from decisionflow.tables.files.column_kinds import as_text
from decisionflow.tables.files.dialect import DEFAULT_DIALECT, Dialect

_MARK, _NOTHING, _LINE_END = (pa.scalar(text, pa.large_string()) for text in ('"', "", "\n"))


def csv_header(names: Sequence[str], dialect: Dialect = DEFAULT_DIALECT) -> bytes:
    """The line of headers."""
    cells = pa.table([pa.array([name], pa.string()) for name in names], names=[str(i) for i in range(len(names))])
    return csv_lines(cells, dialect)


def csv_lines(batch: pa.RecordBatch | pa.Table, dialect: Dialect = DEFAULT_DIALECT) -> bytes:
    """A line for each row; a missing value is an empty cell, a number its shortest decimal, a date its literal."""
    if not batch.num_rows:
        return b""
    if not batch.num_columns:
        return b"\n" * batch.num_rows
    cells = [_cells(column, dialect) for column in batch.columns]
    if len(cells) == 1:
        cells = [pc.if_else(pc.equal(cells[0], _NOTHING), pa.scalar('""', pa.large_string()), cells[0])]
    lines = pc.binary_join_element_wise(*cells, pa.scalar(dialect.separator, pa.large_string()))
    return _joined(pc.binary_join_element_wise(lines, _NOTHING, _LINE_END))


def _joined(texts: pa.Array) -> bytes:
    """The texts one after another, as they lie in memory."""
    _, offsets, letters = texts.buffers()
    ends = np.frombuffer(offsets, np.int64)
    return memoryview(letters)[ends[texts.offset] : ends[texts.offset + len(texts)]].tobytes()


def _cells(column: pa.Array | pa.ChunkedArray, dialect: Dialect) -> pa.Array:
    """The cells of a column as they are written; plain numbers are spared the search for what needs quotation marks."""
    if pa.types.is_dictionary(column.type):
        return _coded_cells(column, dialect)
    texts = cell_texts(column, dialect)
    is_number = pa.types.is_floating(column.type) or pa.types.is_integer(column.type)
    if is_number and dialect.separator in ",;\t|" and dialect.separator != dialect.notation.decimal:
        return texts
    return _quoted(texts, dialect.separator)


def _coded_cells(column: pa.Array | pa.ChunkedArray, dialect: Dialect) -> pa.Array:
    """The same of a dictionary, each of whose values is looked at once."""
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    cells = [_cells(chunk.dictionary, dialect).take(chunk.indices).fill_null("") for chunk in chunks]
    return pa.concat_arrays(cells) if cells else pa.array([], pa.large_string())


def cell_texts(column: pa.Array | pa.ChunkedArray, dialect: Dialect = DEFAULT_DIALECT) -> pa.Array:
    """The cells of a column as text, before they are quoted."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        return cell_texts(column.cast(kind.value_type), dialect)
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        texts = column.cast(pa.large_string())
        texts = pc.if_else(pc.equal(texts, "nan"), _NOTHING, texts)
        texts = texts if dialect.notation.is_plain else pc.replace_substring(texts, ".", dialect.notation.decimal)
    elif pa.types.is_integer(kind) or pa.types.is_boolean(kind) or _is_text(kind):
        texts = column.cast(pa.large_string())
    else:
        texts = _one_by_one(column)
    texts = texts.fill_null("")
    return texts.combine_chunks() if isinstance(texts, pa.ChunkedArray) else texts


def _one_by_one(column: Any) -> pa.Array:
    return pa.array(["" if value is None else as_text(value) for value in column.to_pylist()], pa.large_string())


def _is_text(kind: pa.DataType) -> bool:
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or kind == pa.string_view()


def _quoted(cells: pa.Array, separator: str) -> pa.Array:
    """The cells, in quotation marks where a mark, delimiter or line end stands in one."""
    needs = pc.match_substring_regex(cells, f'["\r\n{_escaped(separator)}]')
    if not pc.any(needs).as_py():
        return cells
    doubled = pc.replace_substring(cells, '"', '""')
    return pc.if_else(needs, pc.binary_join_element_wise(_MARK, doubled, _MARK, _NOTHING), cells)


def _escaped(separator: str) -> str:
    return "\\" + separator if separator in "\\]^-" else separator
