"""Some consecutive rows of a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from decisionflow.program.declarations import Feature
from decisionflow.tables.notation import POINT, Notation
from decisionflow.tables.read_table import read_table
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

    def read(self, features: Mapping[str, Feature], validate: bool = True) -> Table:
        """The features of every row; those of a rejected row are invalid for the reason of the reject."""
        refused = {reject.row - self.first_row: reject.reason for reject in self.rejects}
        table = read_table(self.data, features, notation=self.notation, validate=validate, refused=refused)
        return replace(table, first_row=self.first_row)

    def line_of(self, place: int) -> int | None:
        """The line of the file on which the row at a place of this chunk begins."""
        return None if self.lines is None else int(self.lines[place])
