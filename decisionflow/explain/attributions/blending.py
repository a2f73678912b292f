"""Rows that take some columns from the row explained and the others from the background."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Blend:
    """The row explained (position 0) above the background (positions 1 to n), column by column.

    Columns keep their types: texts stay texts, integers integers. `differs` (n, d) says where a background row has
    another value than the row explained; two missing values are the same. `codes` (n, d) are equal where values are.
    """

    columns: tuple[str, ...]
    values: tuple[Any, ...]
    codes: NDArray[np.intp]
    differs: NDArray[np.bool_]

    @property
    def rows(self) -> int:
        """How many rows the background has."""
        return len(self.differs)

    def distinct(self) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Positions of one background row of each kind, and the kind's share of the background."""
        _, first, counts = np.unique(self.codes, axis=0, return_index=True, return_counts=True)
        return first, counts / self.rows

    def table(self, places: NDArray[np.intp]) -> pd.DataFrame:
        """The table (m, d) whose cell (i, j) is column j's value at position places[i, j]."""
        cells = {
            column: values.take(places[:, place])
            for place, (column, values) in enumerate(zip(self.columns, self.values, strict=True))
        }
        return pd.DataFrame(cells, copy=False)

    def mixed(self, from_row: NDArray[np.bool_], background: NDArray[np.intp]) -> pd.DataFrame:
        """The table (m, d) with the row's value where `from_row` (m, d), else background row `background[i]`'s."""
        return self.table(np.where(from_row, 0, background[:, None] + 1))


def blend(row: pd.DataFrame, background: pd.DataFrame) -> Blend:
    """The one row (1, d) and the background (n, d), with the row's columns in the row's order."""
    columns = tuple(str(column) for column in row.columns)
    both = [pd.concat([row[column], background[column]], ignore_index=True) for column in columns]
    coded = [np.asarray(pd.factorize(series, use_na_sentinel=True)[0], dtype=np.intp) for series in both]
    codes = np.column_stack(coded) if coded else np.empty((len(background) + 1, 0), dtype=np.intp)
    return Blend(columns, tuple(series.array for series in both), codes[1:], codes[1:] != codes[:1])
