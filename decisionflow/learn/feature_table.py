"""Training and prediction data as typed columns: what learners read and what a policy declares."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal
from unicodedata import normalize

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from decisionflow.learn.learning_errors import LearningDataError
from decisionflow.learn.policy_words import label_word

LARGEST = 2**63
Kind = Literal["number", "integer", "boolean", "vocabulary"]


@dataclass(frozen=True, slots=True)
class Feature:
    """A column as the learner saw it in training.

    `labels` in order: the texts of a vocabulary, or the numbers that a categorical column may hold.
    """

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
    """Columns as conditions read them: floats with NaN for missing, texts with None for vocabularies.

    Labels are compared as policies compare them: composed (NFC), numbers by their text, an empty text is missing.

    Raises LearningDataError where a value is not of its feature's kind, and for an infinite number.
    """
    return {feature.name: _read(frame[feature.name], feature) for feature in features}


def _describe(name: str, column: pd.Series[Any]) -> Feature:
    kind = _kind(name, column)
    missing = pd.isna(_words(column)) if kind == "vocabulary" else column.isna()
    if kind == "integer":
        _require_64_bits(name, np.asarray(column.dropna()))
    return Feature(name, kind, optional=bool(missing.any()), labels=_labels(kind, column))


def _require_64_bits(name: str, present: NDArray[Any]) -> None:
    if len(present) and not -LARGEST <= int(present.min()) <= int(present.max()) < LARGEST:
        raise LearningDataError(f"column `{name}` holds whole numbers beyond 64 bits; policies read no such integers")


def _labels(kind: Kind, column: pd.Series[Any]) -> tuple[Any, ...]:
    categories: Iterable[Any] = column.cat.categories if isinstance(column.dtype, pd.CategoricalDtype) else []
    if kind == "vocabulary":
        return tuple(sorted({*_words(column), *map(_word, categories)} - {None}))
    return tuple(sorted(map(float, categories))) if kind != "boolean" else ()


def _kind(name: str, column: pd.Series[Any]) -> Kind:
    if isinstance(column.dtype, pd.CategoricalDtype):
        return _kind(name, column.cat.categories.to_series())
    if pd.api.types.is_bool_dtype(column.dtype):
        return "boolean"
    if pd.api.types.is_integer_dtype(column.dtype):
        return "integer"
    if pd.api.types.is_float_dtype(column.dtype):
        return "number"
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
        return _words(column)
    numbers = _numbers(column, feature)
    if np.isinf(numbers).any():
        raise LearningDataError(f"column `{feature.name}` holds an infinite number (inf); numbers must be finite")
    return numbers


def _words(column: pd.Series[Any]) -> NDArray[Any]:
    places, distinct = pd.factorize(column.astype(object).to_numpy())
    return np.array([*map(_word, distinct), None], dtype=object)[places]


def _word(label: Any) -> str | None:
    return normalize("NFC", label_word(label)) or None


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
