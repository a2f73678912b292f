"""Some consecutive rows of a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import pyarrow as pa

from decisionflow.program.declarations import Feature
from decisionflow.tables.notation import POINT, Notation
from decisionflow.tables.read_table import read_table
from decisionflow.tables.sheet import Sheet
from decisionflow.tables.table import Table

ROWS_OF_CHUNK = 65_536


@dataclass(frozen=True, slots=True)
class Reject:
    """A row that cannot be read: its number from 0, its line in the file from 1, why, and its text as it came."""

    row: int
    line: int | None
    reason: str
    raw: str


@dataclass(frozen=True)
class Chunk:
    """Rows from `first_row` on, in order.

    `data` is an Arrow batch, a list of dicts or a Sheet, and has a row for rejected rows too, with the cells that could
    be told apart. `lines` are the lines of the file on which the rows begin, from 1, None where a file has no lines.
    """

    first_row: int
    rows: int
    data: Any
    lines: Sequence[int] | None = None
    rejects: tuple[Reject, ...] = ()
    notation: Notation = POINT

    def __getstate__(self) -> dict[str, Any]:
        """What is sent to another process: of an Arrow slice its own rows, not all that it was cut from."""
        state = dict(vars(self))
        if isinstance(self.data, pa.RecordBatch | pa.Table):
            stream = pa.BufferOutputStream()
            with pa.ipc.new_stream(stream, self.data.schema) as writer:
                writer.write(self.data)
            state["data"] = stream.getvalue()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        data = state["data"]
        self.__dict__.update(state, data=pa.ipc.open_stream(data).read_all() if isinstance(data, pa.Buffer) else data)

    def read(self, features: Mapping[str, Feature], validate: bool = True) -> Table:
        """The features of every row; those of a rejected row are invalid for the reason of the reject."""
        refused = {reject.row - self.first_row: reject.reason for reject in self.rejects}
        table = read_table(self.data, features, notation=self.notation, validate=validate, refused=refused)
        return replace(table, first_row=self.first_row)

    def line_of(self, place: int) -> int | None:
        """The line of the file on which the row at a place of this chunk begins."""
        return None if self.lines is None else int(self.lines[place])


def joined(chunks: Iterable[Chunk]) -> Chunk:
    """All rows of some chunks of one file, one or more, in order."""
    first, *rest = chunks
    if not rest:
        return first
    parts = [first, *rest]
    lines = None if first.lines is None else [line for part in parts if part.lines is not None for line in part.lines]
    return replace(
        first,
        rows=sum(part.rows for part in parts),
        data=_joined_data([part.data for part in parts]),
        lines=lines,
        rejects=tuple(chain.from_iterable(part.rejects for part in parts)),
    )


def _joined_data(parts: Sequence[Any]) -> Any:
    if isinstance(parts[0], list):
        return [record for part in parts for record in part]
    if isinstance(parts[0], Sheet):
        columns = zip(*(part.columns for part in parts), strict=True)
        return Sheet(parts[0].headers, tuple([*chain.from_iterable(column)] for column in columns))
    return pa.concat_tables(part if isinstance(part, pa.Table) else pa.Table.from_batches([part]) for part in parts)
