"""CSV files: every cell stays the text it is, so that `007` and `NA` survive until a declared type reads them."""

from __future__ import annotations

import csv
import io
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as arrow_csv
from numpy.typing import NDArray

from decisionflow.errors import DataError
from decisionflow.tables.files.byte_source import ByteSource
from decisionflow.tables.files.chunk import ROWS_OF_CHUNK, Chunk, Reject
from decisionflow.tables.files.csv_blocks import Block, blocks, count_lines, first_record, without_blank_lines
from decisionflow.tables.files.csv_sniffing import check_bytes, check_dialect
from decisionflow.tables.files.dialect import DEFAULT_DIALECT, Dialect
from decisionflow.tables.files.formats import Format
from decisionflow.tables.headers import refuse_twins
from decisionflow.tables.notation import Notation


@dataclass(frozen=True)
class CSVFile:
    """A CSV file in a dialect.

    Blank lines are left out, except in a file of one column, where each is an empty cell. A row with too many or too
    few cells is a reject. Raises DataError for a file that looks like another dialect, format or encoding.
    """

    source: ByteSource
    dialect: Dialect = DEFAULT_DIALECT
    format: Format = "csv"

    def __post_init__(self) -> None:
        check_bytes(self.source.beginning, self.source.name, self.dialect)

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def notation(self) -> Notation:
        return self.dialect.notation

    @property
    def rows(self) -> int | None:
        """How many rows there are, unknown before they are read."""
        return None

    @property
    def share(self) -> float | None:
        """How much of the file has been read."""
        return self.source.share

    def own_schema(self) -> pa.Schema:
        """The columns as the file has them, all text."""
        headers, _ = self._standard_input if self.source.is_standard_input else self._start()
        return _schema(headers)

    def chunks(self, rows: int = ROWS_OF_CHUNK, only: Container[str] | None = None) -> Iterator[Chunk]:  # noqa: ARG002
        """The rows in order, at most so many at a time; one empty chunk where there are none."""
        first_row = 0
        headers, below = self._standard_input if self.source.is_standard_input else self._start()
        for block in below:
            parsed = _parse(block, headers, self.dialect.separator)
            for chunk in _cut(parsed, first_row, rows, self.notation):
                yield chunk
                first_row += chunk.rows
        if first_row == 0:
            yield Chunk(0, 0, _schema(headers).empty_table(), (), notation=self.notation)

    def _start(self) -> tuple[tuple[str, ...], Iterator[Block]]:
        """The headers, and the blocks below them."""
        found = blocks(self.source.stream(), self.dialect, self.name)
        headers, below = _header(next(found, Block(b"", 1)), self.dialect, self.name)
        return headers, chain([below], found)

    @cached_property
    def _standard_input(self) -> tuple[tuple[str, ...], Iterator[Block]]:
        """The same of standard input, which cannot be begun twice."""
        return self._start()


@dataclass(frozen=True)
class _Parsed:
    """The rows of a block, with the cells of broken ones as far as there are any; rejects count rows from 0 here."""

    table: pa.Table
    lines: NDArray[np.int64]
    rejects: tuple[Reject, ...]


def _header(block: Block, dialect: Dialect, name: str) -> tuple[tuple[str, ...], Block]:
    """The headers, and the block below them."""
    text, line = block.text, block.first_line
    while text[:1] in (b"\n", b"\r"):
        end = 2 if text.startswith(b"\r\n") else 1
        text, line = text[end:], line + 1
    if not text:
        raise DataError(f"{name} is empty: it needs a header and, below it, rows")
    check_dialect(text[:65_536].decode(errors="ignore"), name, dialect)
    end = first_record(text, dialect.separator)
    headers = tuple(_cells(text[:end].decode(), dialect.separator))
    refuse_twins(headers)
    return headers, Block(text[end:], line + count_lines(text[:end]))


def _schema(headers: Sequence[str]) -> pa.Schema:
    return pa.schema([pa.field(header, pa.string()) for header in headers])


def _cells(record: str, separator: str) -> list[str]:
    """The cells of one record."""
    found = next(csv.reader(io.StringIO(record, newline=""), delimiter=separator), [])
    return found or [""]


def _parse(block: Block, headers: Sequence[str], separator: str) -> _Parsed:
    """The cells of a block, and the line on which each record begins."""
    broken: list[arrow_csv.InvalidRow] = []

    def skip(row: arrow_csv.InvalidRow) -> str:
        broken.append(row)
        return "skip"

    text, lines = block.text, None
    if len(headers) > 1:
        text, lines = without_blank_lines(block, separator)
    table = _read_block(text, [str(place) for place in range(len(headers))], separator, skip)
    if lines is None:
        lines = _first_lines(table, broken, block)
    return _assemble(table.rename_columns(list(headers)), broken, lines, separator)


def _first_lines(table: pa.Table, broken: Sequence[arrow_csv.InvalidRow], block: Block) -> NDArray[np.int64]:
    """The line on which each record of a block without blank lines begins."""
    good, bad = _places(table.num_rows, broken)
    lengths = np.ones(len(good) + len(bad), np.int64)
    if b'"' in block.text:
        lengths[good] += _line_ends(table)
    lengths[bad] += np.array([count_lines(row.text.strip("\r\n").encode()) for row in broken], np.int64)
    return block.first_line + np.cumsum(lengths) - lengths


def _read_block(text: bytes, names: list[str], separator: str, skip: Any) -> pa.Table:
    if not text:
        return pa.schema([pa.field(name, pa.string()) for name in names]).empty_table()
    return arrow_csv.read_csv(
        pa.BufferReader(text),
        arrow_csv.ReadOptions(column_names=names, use_threads=False, block_size=len(text) + 1),
        arrow_csv.ParseOptions(
            delimiter=separator, newlines_in_values=True, ignore_empty_lines=False, invalid_row_handler=skip
        ),
        arrow_csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False),
    )


def _places(good: int, broken: Sequence[arrow_csv.InvalidRow]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Which records of the block are good, and which are broken, counted from 0."""
    bad = np.array([row.number - 1 for row in broken], np.intp)
    is_good = np.ones(good + len(bad), np.bool_)
    is_good[bad] = False
    return np.flatnonzero(is_good), bad


def _line_ends(table: pa.Table) -> NDArray[np.int64]:
    """How many line ends stand inside the cells of each row."""
    total = np.zeros(table.num_rows, np.int64)
    for column in table.columns:
        if pc.any(pc.match_substring_regex(column, r"[\r\n]")).as_py():
            total += pc.count_substring_regex(column, r"\r\n|\n|\r").to_numpy()
    return total


def _assemble(
    table: pa.Table, broken: Sequence[arrow_csv.InvalidRow], lines: NDArray[np.int64], separator: str
) -> _Parsed:
    """Good and broken rows in the order of the file."""
    if not broken:
        return _Parsed(table, lines, ())
    good, bad = _places(table.num_rows, broken)
    filled = [_fit(_cells(row.text, separator), table.num_columns) for row in broken]
    stand_ins = pa.table([pa.array(column, pa.string()) for column in zip(*filled, strict=True)], schema=table.schema)
    order = np.argsort(np.concatenate((good, bad)), kind="stable")
    rejects = tuple(
        Reject(place, int(lines[place]), _ragged(row), row.text)
        for row, place in zip(broken, bad.tolist(), strict=True)
    )
    return _Parsed(pa.concat_tables([table, stand_ins]).take(pa.array(order)), lines, rejects)


def _fit(cells: list[str], width: int) -> list[str | None]:
    return [*cells[:width], *[None] * (width - len(cells))]


def _ragged(row: arrow_csv.InvalidRow) -> str:
    cells = "1 cell" if row.actual_columns == 1 else f"{row.actual_columns} cells"
    return f"the row has {cells} where the header has {row.expected_columns}"


def _cut(parsed: _Parsed, first_row: int, rows: int, notation: Notation) -> Iterator[Chunk]:
    """The rows of a block, at most so many at a time."""
    for start in range(0, parsed.table.num_rows, rows):
        part = parsed.table.slice(start, rows)
        end = start + part.num_rows
        rejects = tuple(
            Reject(first_row + reject.row, reject.line, reject.reason, reject.raw)
            for reject in parsed.rejects
            if start <= reject.row < end
        )
        yield Chunk(first_row + start, part.num_rows, part, parsed.lines[start:end], rejects, notation)  # type: ignore[arg-type]
