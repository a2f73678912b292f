"""Typed columns: what reading data yields, and what the evaluator computes with.

How each type lies in an array of length n:

=========== ========================================================
number      float64
integer     int64
boolean     bool
text        object, str
vocabulary  int32, index into the type's labels
date        int64, days since 1970-01-01
timestamp   int64, microseconds since 1970-01-01T00:00:00Z
duration    int64, microseconds
list        object, tuple of scalar values as in `types`
=========== ========================================================

Where a state is not `KNOWN` the value is a filler of the right kind and means nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from decisionflow.tables.unread import Unread

KNOWN, MISSING_STATE, ERROR_STATE, INVALID_STATE = 0, 1, 2, 3
States = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Column:
    """Values `(n,)` and their states `(n,)`; no states means that every value is known."""

    values: NDArray[Any]
    states: States | None = None

    def __len__(self) -> int:
        return len(self.values)

    def state(self) -> States:
        """The states, also where all are known."""
        return np.zeros(len(self.values), np.uint8) if self.states is None else self.states

    def take(self, rows: NDArray[np.intp]) -> Column:
        """The column of some rows, in the order given."""
        return Column(self.values[rows], None if self.states is None else self.states[rows])


@dataclass(frozen=True)
class Table:
    """The features of n rows, read by their declared types.

    A cell that is missing where that is not allowed, outside its domain or vocabulary, or of the wrong type is in state
    `INVALID_STATE`, and `problems[feature][row]` says which value and why, for a reader. `defaulted[feature]` `(n,)`
    marks where the default stands for a missing value (the cell is then known). `source` is the data as it came, for
    output; messages count the rows from `first_row`. `unread` holds the cells that the columns are read from when
    somebody asks for them.
    """

    rows: int
    columns: Mapping[str, Column]
    problems: Mapping[str, Mapping[int, str]] = field(default_factory=dict)
    defaulted: Mapping[str, NDArray[np.bool_]] = field(default_factory=dict)
    source: Any = None
    first_row: int = 0
    unread: Unread | None = field(default=None, repr=False, compare=False)

    def take(self, rows: NDArray[np.intp]) -> Table:
        """The table of some rows, in the order given; `source` is left behind."""
        if self.unread is not None:
            return self.unread.take(rows).table()
        places = {int(row): place for place, row in enumerate(rows)}
        problems = {
            name: {places[row]: text for row, text in found.items() if row in places}
            for name, found in self.problems.items()
        }
        columns = {name: column.take(rows) for name, column in self.columns.items()}
        return Table(len(rows), columns, problems, {name: mask[rows] for name, mask in self.defaulted.items()})
