"""A frame of labels as numbered conditions."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from decisionflow.errors import DataError
from decisionflow.explain.k_optimal.rule import condition_text


class LabelCondition(NamedTuple):
    """`column = label`: the column's place in the frame and the numbers of the rows that have the label."""

    column: Hashable
    label: Any
    place: int
    rows: NDArray[np.int64]

    @property
    def text(self) -> str:
        return condition_text(self.column, self.label)


def class_rows(frame: pd.DataFrame, labels: ArrayLike, target: object) -> NDArray[np.bool_]:
    """Whether each row is in the class; a row whose class is missing is not."""
    if not frame.columns.is_unique:
        repeated = frame.columns[frame.columns.duplicated()][0]
        raise DataError(f"columns to mine need names of their own; {repeated!r} occurs twice: rename one of them")
    if np.ndim(labels) != 1:
        raise DataError(f"expected one class for each row, found {np.ndim(labels)} dimensions")
    given = pd.Series(labels).reset_index(drop=True)
    if len(given) != len(frame):
        raise DataError(f"expected a class for each of the {len(frame)} rows, found {len(given)}")
    return (given.notna() & (given == target).fillna(False)).to_numpy(dtype=np.bool_)


def frequent_conditions(frame: pd.DataFrame, in_class: NDArray[np.bool_], min_support: float) -> list[LabelCondition]:
    """Every column and label with enough rows of the class for a rule, in the order of the columns."""
    found = []
    for place, column in enumerate(frame.columns):
        codes, uniques = pd.factorize(frame[column])
        hits = np.bincount(codes[in_class & (codes >= 0)], minlength=len(uniques))
        values = uniques.tolist()
        for code in np.flatnonzero((hits > 0) & (hits / len(frame) >= min_support)):
            found.append(LabelCondition(column, values[code], place, np.flatnonzero(codes == code)))
    return found


def letters(texts: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The code points of all texts, one after the other, and where each starts, with the end of all as the last."""
    points = [np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4") for text in texts]
    starts = np.cumsum([0, *(len(one) for one in points)])
    return np.concatenate([np.empty(0, dtype=np.int64), *points]).astype(np.int64), starts.astype(np.int64)
