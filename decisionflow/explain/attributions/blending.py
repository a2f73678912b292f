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
    another value than the row explained; two missing values are the same.
    """

    columns: tuple[str, ...]
    values: tuple[Any, ...]
    differs: NDArray[np.bool_]

    @property
    def rows(self) -> int:
        """How many rows the background has."""
        return len(self.differs)

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
    different = [_different(series) for series in both]
    values = tuple(series.array for series in both)
    return Blend(columns, values, np.column_stack(different) if different else np.empty((len(background), 0), bool))


def _different(series: pd.Series[Any]) -> NDArray[np.bool_]:
    codes, _ = pd.factorize(series, use_na_sentinel=True)
    return np.asarray(codes[1:] != codes[0], dtype=bool)
