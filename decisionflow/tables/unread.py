"""The columns of a table as they came, each read by its declared type when somebody asks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from decisionflow.program.declarations import Feature
from decisionflow.tables.cells import Cells, taken
from decisionflow.tables.column_reader import Reading, read_column
from decisionflow.tables.notation import POINT, Notation
from decisionflow.tables.table import INVALID_STATE, Column, Table

Made = TypeVar("Made")


@dataclass(frozen=True)
class Unread:
    """The cells of each feature of n rows; `refused` rows, by position, could not be read at all, for reasons.

    A reading is kept once it is made. Threads may make one twice, to no harm.
    """

    rows: int
    cells: Mapping[str, Cells]
    features: Mapping[str, Feature]
    notation: Notation = POINT
    validate: bool = True
    refused: Mapping[int, str] = field(default_factory=dict)
    known: dict[str, Reading] = field(default_factory=dict, repr=False, compare=False)

    def reading(self, name: str) -> Reading:
        """The column of a feature as its type reads it; KeyError for a feature that is not there."""
        if name not in self.known:
            found = read_column(self.cells[name], self.features[name], self.notation, self.validate)
            self.known[name] = _refuse(found, self.refused) if self.refused else found
        return self.known[name]

    def table(self, source: Any = None) -> Table:
        """The table of them; `source` is the data as it came."""
        columns, problems, defaulted = _Each(self, _column), _Each(self, _problems), _Each(self, _defaulted)
        return Table(self.rows, columns, problems, defaulted, source, unread=self)

    def take(self, rows: NDArray[np.intp]) -> Unread:
        """Some rows, in the order given."""
        cells = {name: taken(found, rows) for name, found in self.cells.items()}
        refused = {place: self.refused[row] for place, row in enumerate(rows.tolist()) if row in self.refused}
        return Unread(len(rows), cells, self.features, self.notation, self.validate, refused)


class _Each(Mapping[str, Made], Generic[Made]):
    """Something of every feature's reading, for the features where there is such a thing."""

    def __init__(self, unread: Unread, part: Callable[[Reading], Made | None]) -> None:
        self._unread, self._part = unread, part

    def __getitem__(self, name: str) -> Made:
        found = self._part(self._unread.reading(name))
        if found is None:
            raise KeyError(name)
        return found

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._unread.features if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _column(reading: Reading) -> Column:
    return reading.column


def _problems(reading: Reading) -> Mapping[int, str] | None:
    return reading.problems or None


def _defaulted(reading: Reading) -> NDArray[np.bool_] | None:
    return reading.defaulted


def _refuse(reading: Reading, refused: Mapping[int, str]) -> Reading:
    states = reading.column.state().copy()
    states[np.fromiter(refused, np.intp, len(refused))] = INVALID_STATE
    defaulted = None if reading.defaulted is None else reading.defaulted & (states != INVALID_STATE)
    return Reading(Column(reading.column.values, states), reading.problems | dict(refused), defaulted)
