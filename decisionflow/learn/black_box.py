"""The black box that a rule list stands beside: fitting it, and asking it for labels it may answer."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from decisionflow.errors import ModelError
from decisionflow.learn.learning_errors import LearningDataError, SettingError

Labels = NDArray[np.int8]
Floats = NDArray[np.float64]


def is_estimator(black_box: Any) -> bool:
    """Whether the black box is a model, not an array of its predictions."""
    return hasattr(black_box, "predict")


def is_fitted(black_box: Any) -> bool:
    """Whether a model can predict already; what has no `fit` can."""
    if not hasattr(black_box, "fit"):
        return True
    try:
        check_is_fitted(black_box)
    except NotFittedError:
        return False
    return True


def fit_black_box(black_box: Any, table: Any, labels: NDArray[Any], weights: Floats | None) -> Any:
    """A clone of the black box, fitted to the table `(n, d)`.

    Raises ModelError where fitting fails, SettingError where weights are given that it cannot take.
    """
    fresh = clone(black_box)
    settings = {} if weights is None else {_weight_parameter(fresh): weights}
    try:
        return fresh.fit(table, labels, **settings)
    except Exception as error:
        raise ModelError(f"the black box {_name(black_box)} could not be fitted: {error}") from error


def predicted_labels(black_box: Any, table: Any, classes: NDArray[Any]) -> Labels:
    """The black box's answers `(n,)`, 1 where it says `classes[1]`.

    Raises ModelError where it fails, or answers with a label that the training data do not have.
    """
    try:
        answers = np.asarray(black_box.predict(table))
    except Exception as error:
        raise ModelError(f"the black box {_name(black_box)} failed to predict: {error}") from error
    return encoded(answers, classes, len(table))


def encoded(answers: NDArray[Any], classes: NDArray[Any], rows: int) -> Labels:
    """Labels `(n,)` as 0 and 1.

    Raises LearningDataError for another number of rows, ModelError for a label that is not one of the classes.
    """
    if answers.shape != (rows,):
        raise LearningDataError(
            f"the black box's predictions should be one label for each of {rows} rows, "
            f"but have the shape {answers.shape}"
        )
    is_second = answers == classes[1]
    others = answers[~(is_second | (answers == classes[0]))]
    if len(others):
        raise ModelError(f"the black box should answer {classes[0]!s} or {classes[1]!s}, but answered {others[0]!s}")
    return is_second.astype(np.int8)


def predicted_probabilities(black_box: Any, table: Any, classes: NDArray[Any]) -> Floats:
    """Probabilities `(n, 2)` in the order of the classes; certainty where the black box gives none."""
    if not hasattr(black_box, "predict_proba"):
        return certainties(predicted_labels(black_box, table, classes))
    places = [int(np.flatnonzero(black_box.classes_ == label)[0]) for label in classes]
    return np.asarray(black_box.predict_proba(table), dtype=np.float64)[:, places]


def certainties(labels: Labels) -> Floats:
    """Probabilities `(n, 2)` of one for each label."""
    return np.column_stack([labels == 0, labels == 1]).astype(np.float64)


def _weight_parameter(black_box: Any) -> str:
    if isinstance(black_box, Pipeline):
        name, last = black_box.steps[-1]
        if has_fit_parameter(last, "sample_weight"):
            return f"{name}__sample_weight"
    elif has_fit_parameter(black_box, "sample_weight"):
        return "sample_weight"
    raise SettingError(f"the black box {_name(black_box)} takes no sample weights; give one that does, or fit it first")


def _name(black_box: Any) -> str:
    return type(black_box).__name__
