"""Training and prediction data as typed columns: what learners read and what a policy declares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from decisionflow.learn.learning_errors import LearningDataError

Kind = Literal["number", "integer", "boolean", "vocabulary"]


@dataclass(frozen=True, slots=True)
class Feature:
    """A column as the learner saw it in training; `labels` in order for a vocabulary."""

    name: str
    kind: Kind
    optional: bool = False
    labels: tuple[Any, ...] = ()


def as_frame(table: Any) -> pd.DataFrame:
    """A DataFrame over a DataFrame or a numeric array `(n, d)`, whose columns are then named x0, x1, …."""
    if not isinstance(table, pd.DataFrame):
        return pd.DataFrame(table, columns=[f"x{index}" for index in range(table.shape[1])])
    names = [str(name) for name in table.columns]
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise LearningDataError(f"each feature needs its own name, but `{repeated[0]}` heads several columns")
    return table.set_axis(names, axis=1)


def describe_features(frame: pd.DataFrame) -> tuple[Feature, ...]:
    """The features of a training frame, one per column.

    Raises LearningDataError for a column that is neither numbers, labels nor booleans.
    """
    return tuple(_describe(str(name), frame[name]) for name in frame.columns)


def read_columns(frame: pd.DataFrame, features: tuple[Feature, ...]) -> dict[str, NDArray[Any]]:
    """Columns as conditions read them: floats with NaN for missing, objects with None for vocabularies.

    Raises LearningDataError where a value is not of its feature's kind, and for an infinite number.
    """
    return {feature.name: _read(frame[feature.name], feature) for feature in features}


def _describe(name: str, column: pd.Series[Any]) -> Feature:
    kind = _kind(name, column)
    present = column.dropna()
    labels = tuple(sorted(present.unique(), key=str)) if kind == "vocabulary" else ()
    return Feature(name, kind, optional=len(present) < len(column), labels=labels)


def _kind(name: str, column: pd.Series[Any]) -> Kind:
    if pd.api.types.is_bool_dtype(column.dtype):
        return "boolean"
    if pd.api.types.is_integer_dtype(column.dtype):
        return "integer"
    if pd.api.types.is_float_dtype(column.dtype):
        return "number"
    if isinstance(column.dtype, pd.CategoricalDtype):
        return "vocabulary"
    return _kind_of_values(name, column)


def _kind_of_values(name: str, column: pd.Series[Any]) -> Kind:
    found = pd.api.types.infer_dtype(column, skipna=True)
    kinds: dict[str, Kind] = {
        "string": "vocabulary",
        "empty": "vocabulary",
        "boolean": "boolean",
        "integer": "integer",
        "floating": "number",
        "mixed-integer-float": "number",
        "decimal": "number",
    }
    if found not in kinds:
        raise LearningDataError(
            f"column `{name}` holds {found} values; learners read numbers, labels (text) and booleans: "
            "turn it into one of them, or leave it out"
        )
    return kinds[found]


def _read(column: pd.Series[Any], feature: Feature) -> NDArray[Any]:
    if feature.kind == "vocabulary":
        values = column.astype(object).to_numpy(copy=True)
        values[pd.isna(values)] = None
        return values
    numbers = _numbers(column, feature)
    if np.isinf(numbers).any():
        raise LearningDataError(f"column `{feature.name}` holds an infinite number (inf); numbers must be finite")
    return numbers


def _numbers(column: pd.Series[Any], feature: Feature) -> NDArray[np.float64]:
    try:
        numbers = column.to_numpy(dtype=np.float64, na_value=np.nan)
    except (TypeError, ValueError) as error:
        raise LearningDataError(
            f"column `{feature.name}` was {feature.kind} in training, but holds other values here: {error}"
        ) from error
    return _widened(numbers) if column.dtype == np.float32 else numbers


def _widened(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Single precision as the shortest decimal that prints the same, as policies read it."""
    distinct, places = np.unique(numbers.astype(np.float32), return_inverse=True)
    return np.array([float(str(value)) for value in distinct], dtype=np.float64)[places]
