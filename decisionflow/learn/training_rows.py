"""Training rows: which count, by how much, and as which of two classes."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import _check_sample_weight

from decisionflow.learn.condition import Columns
from decisionflow.learn.learning_errors import LearningDataError

Labels = NDArray[np.int8]
Floats = NDArray[np.float64]
LARGEST_REPETITION = 1_000_000
HINT = "turn them into text"


@dataclass(frozen=True, slots=True, eq=False)
class Training:
    """Training rows of positive weight: the table `(n, d)` as given, its typed columns, labels and weights `(n,)`.

    `weights` are all one where none were given; `given_weights` are then None.
    """

    table: Any
    columns: Columns
    labels: Labels
    weights: Floats
    given_weights: Floats | None
    black_box: Labels | None

    @property
    def rows(self) -> int:
        return len(self.labels)


def rows_of(table: Any, kept: NDArray[np.bool_]) -> Any:
    """The rows of a DataFrame or array `(n, d)` that are kept `(n,)`."""
    return table.loc[kept] if isinstance(table, pd.DataFrame) else table[kept]


def black_box_rows(
    training: Training, classes: NDArray[Any], emphasis: Floats | None
) -> tuple[Any, NDArray[Any], Floats | None]:
    """Table, labels and weights to fit a black box with whose rows count `emphasis` `(n,)` times as much.

    Beside an emphasis whole weights repeat rows (up to a million in all), so that a row of weight two is a row twice
    for every black box.
    """
    table, labels, weights = training.table, classes[training.labels], training.weights
    if emphasis is None:
        return table, labels, training.given_weights
    if (weights != np.rint(weights)).any() or weights.sum() > LARGEST_REPETITION:
        return table, labels, weights * emphasis
    places = np.repeat(np.arange(training.rows), weights.astype(np.intp))
    return table.iloc[places] if isinstance(table, pd.DataFrame) else table[places], labels[places], emphasis[places]


def digest(frame: pd.DataFrame) -> str:
    """One text for the same rows in the same order."""
    hashes = pd.util.hash_pandas_object(frame, index=False).to_numpy()
    return hashlib.sha256(hashes.tobytes()).hexdigest()


def positive_weights(sample_weight: Any, table: Any) -> Floats:
    """Weights `(n,)`, ones where none are given.

    Raises LearningDataError where one is negative, or none is above 0.
    """
    weights = np.asarray(_check_sample_weight(sample_weight, table, dtype=np.float64))
    if (weights < 0).any() or not (weights > 0).any():
        raise LearningDataError("sample weights must not be negative, and some must be above 0")
    return weights


def two_classes(labels: NDArray[Any], kept: NDArray[np.bool_]) -> tuple[NDArray[Any], Labels]:
    """The two labels of the kept rows in order, and for every row whether it has the second.

    Raises LearningDataError for missing labels, for such as no policy can hold, and for more or fewer than two.
    """
    if pd.isna(labels).any():
        raise LearningDataError("the target holds missing values (NaN); leave these rows out")
    labels = _of_one_kind(labels)
    classes = np.unique(labels[kept])
    if len(classes) > 2:
        kind = type_of_target(labels)
        raise LearningDataError(
            f"Only binary classification is supported. The type of the target is {kind}: {len(classes)} labels"
        )
    if len(classes) < 2:
        raise LearningDataError(f"the target must hold two classes, but every row is of class {classes[0]}")
    return classes, (labels == classes[1]).astype(np.int8)


def _of_one_kind(labels: NDArray[Any]) -> NDArray[Any]:
    """Texts, whole numbers or truths; those that came as objects as what they are."""
    found = pd.api.types.infer_dtype(labels, skipna=False)
    if found.startswith("mixed"):
        raise LearningDataError(f"the target holds labels of several kinds ({found}); turn them into text")
    plain = pd.Series(labels).infer_objects().to_numpy() if labels.dtype == object else labels
    try:
        check_classification_targets(plain)
    except (TypeError, ValueError) as error:
        raise LearningDataError(f"{error} Learners predict texts, whole numbers and truths: {HINT}") from error
    if plain.dtype.kind not in "biufUO" or (plain.dtype == object and found != "string"):
        raise LearningDataError(f"the target holds {found} values; learners predict texts, numbers and truths: {HINT}")
    return plain
