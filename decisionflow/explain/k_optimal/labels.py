"""A frame of labels as numbered conditions."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from pandas.api.types import is_list_like

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
    _check_frame(frame)
    given = _classes(labels)
    if len(given) != len(frame):
        raise DataError(f"expected a class for each of the {len(frame)} rows, found {len(given)}")
    if not _is_one_value(target):
        raise DataError(f"target is one of the classes, text or a number say, not a {_kind(target)}")
    same = given.map(lambda label: label == target) if is_list_like(target) else given == target
    return (given.notna() & same.fillna(False)).to_numpy(dtype=np.bool_)


def _check_frame(frame: object) -> None:
    if not isinstance(frame, pd.DataFrame):
        raise DataError(f"expected a pandas DataFrame of labels to mine, found a {_kind(frame)}: make one of it first")
    if not frame.columns.is_unique:
        repeated = frame.columns[frame.columns.duplicated()][0]
        raise DataError(f"columns to mine need names of their own; {repeated!r} occurs twice: rename one of them")
    for column in frame.columns:
        _check_labels(frame[column], f"column {column!r}")


def _classes(labels: ArrayLike) -> pd.Series[Any]:
    try:
        dimensions = np.ndim(labels)
    except ValueError:  # lists of several lengths, which the labels are then told by
        dimensions = 1
    if dimensions != 1:
        raise DataError(f"expected one class for each row, found {dimensions} dimensions")
    given = pd.Series(labels).reset_index(drop=True)
    _check_labels(given, "the classes")
    return given


def _check_labels(given: pd.Series[Any], place: str) -> None:
    """Raise DataError where a label cannot be compared as one value."""
    if given.dtype.kind != "O":
        return
    try:
        deque(map(hash, given), maxlen=0)
    except TypeError as error:
        row, label = next(found for found in enumerate(given) if not _is_one_value(found[1]))
        raise DataError(
            f"{place}, row {row}: expected a label, text or a number say, found a {_kind(label)}: "
            "give each of its parts a column of its own, or write it as text"
        ) from error


def _is_one_value(label: object) -> bool:
    try:
        hash(label)
    except TypeError:
        return False
    return True


def _kind(found: object) -> str:
    """The type by its name, with its package where other packages may have one of that name."""
    package = type(found).__module__.partition(".")[0]
    return type(found).__name__ if package == "builtins" else f"{package}.{type(found).__name__}"


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
