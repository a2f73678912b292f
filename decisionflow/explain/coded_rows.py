"""The row explained and the background as codes of values, so that any mixture of them is a table again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from decisionflow.conditions.expression import Variable
from decisionflow.evaluate.interpreter import Row
from decisionflow.explain.completion import Background
from decisionflow.tables.scalars import from_scalars
from decisionflow.tables.table import KNOWN, Column, Table


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


def coded_rows(row: Row, background: Background, names: Sequence[str]) -> CodedRows:
    """The codes of the named values at the row and on every background row."""
    values, own, codes = {}, {}, {}
    for name in names:
        kind = background.program.type_of(name)
        mine = from_scalars([row.value_of(name)], kind)
        theirs = background.column(Variable(name, kind))
        together = Column(np.concatenate([mine.values, theirs.values]), np.concatenate([mine.state(), theirs.state()]))
        first, code = _coded(together)
        values[name] = together.take(first)
        own[name], codes[name] = code[:1], code[1:]
    return CodedRows(pd.DataFrame(own), pd.DataFrame(codes), values)


def _coded(column: Column) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """First positions of the distinct values, and the code of every row; unknown values are told by their state."""
    keys = pd.Series(column.values).astype(object).where(column.state() == KNOWN, None)
    pairs = pd.MultiIndex.from_arrays([pd.factorize(keys, use_na_sentinel=True)[0], column.state()])
    codes, _ = pd.factorize(pairs)
    _, first = np.unique(codes, return_index=True)
    return first, codes
