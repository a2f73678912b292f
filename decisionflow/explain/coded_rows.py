"""The row explained and the background as codes of values, so that any mixture of them is a table again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from decisionflow.conditions.expression import Variable
from decisionflow.evaluate.interpreter import Row
from decisionflow.explain.completion import Background
from decisionflow.tables.scalars import from_scalars
from decisionflow.tables.table import KNOWN, Column, Table

Key = tuple[int, Any]


@dataclass(frozen=True, slots=True)
class CodedRows:
    """Each named value as the code of one of its values, missing and invalid ones included.

    `row` (1, d) and `codes` (n, d) hold the codes of the row explained and of the background, `values` what they stand
    for. Two rows have the same code where they have the same value.
    """

    row: pd.DataFrame
    codes: pd.DataFrame
    values: Mapping[str, Column]

    @property
    def differs(self) -> NDArray[np.bool_]:
        """Where a background row has another value than the row explained, (n, d)."""
        return np.asarray(self.codes.to_numpy() != self.row.to_numpy())

    def table(self, mixed: pd.DataFrame) -> Table:
        """The table that rows of codes (m, d) stand for."""
        return Table(len(mixed), {name: values.take(mixed[name].to_numpy()) for name, values in self.values.items()})


@dataclass
class CodedBackground:
    """The named values of a background as codes, worked out once for any number of rows explained.

    `values` holds each distinct value once, `codes` (n, d) its place there, `known` the place by state and value.
    """

    values: Mapping[str, Column]
    codes: pd.DataFrame
    known: Mapping[str, Mapping[Key, int]]

    @cached_property
    def distinct(self) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Each kind of background row once, as codes (m, d), and its share of the background."""
        kinds, counts = np.unique(self.codes.to_numpy(), axis=0, return_counts=True)
        return kinds, counts / len(self.codes)


def coded_rows(row: Row, background: Background, names: Sequence[str]) -> CodedRows:
    """The codes of the named values at the row and on every background row."""
    coded = coded_background(background, names)
    values, own = {}, {}
    for name in names:
        mine, theirs = from_scalars([row.value_of(name)], background.program.type_of(name)), coded.values[name]
        own[name] = coded.known[name].get(_keys(mine)[0], len(theirs.values))
        values[name] = _joined(theirs, mine) if own[name] == len(theirs.values) else theirs
    return CodedRows(pd.DataFrame(own, index=[0]), coded.codes, values)


def coded_background(background: Background, names: Sequence[str]) -> CodedBackground:
    """The codes of the named values on every background row; kept with the background."""
    key = tuple(names)
    if key not in background.coded:
        columns = {name: background.column(Variable(name, background.program.type_of(name))) for name in names}
        parts = {name: _coded(column) for name, column in columns.items()}
        values = {name: columns[name].take(first) for name, (first, _) in parts.items()}
        codes = pd.DataFrame({name: code for name, (_, code) in parts.items()})
        known = {name: {found: place for place, found in enumerate(_keys(held))} for name, held in values.items()}
        background.coded[key] = CodedBackground(values, codes, known)
    return background.coded[key]


def _keys(column: Column) -> list[Key]:
    """What tells the values of a column apart: unknown ones by their state alone."""
    pairs = zip(column.state().tolist(), column.values.tolist(), strict=True)
    return [(state, value if state == KNOWN else None) for state, value in pairs]


def _joined(first: Column, second: Column) -> Column:
    return Column(np.concatenate([first.values, second.values]), np.concatenate([first.state(), second.state()]))


def _coded(column: Column) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """First positions of the distinct values, and the code of every row; unknown values are told by their state."""
    keys = pd.Series(column.values).astype(object).where(column.state() == KNOWN, None)
    pairs = pd.MultiIndex.from_arrays([pd.factorize(keys, use_na_sentinel=True)[0], column.state()])
    codes, _ = pd.factorize(pairs)
    _, first = np.unique(codes, return_index=True)
    return first, codes
