"""The default black box: a random forest that reads tables as learners do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import RandomForestClassifier
from sklearn.utils.validation import check_is_fitted, validate_data

from decisionflow.learn.feature_table import Feature, as_frame, describe_features, read_columns
from decisionflow.learn.training_rows import LARGEST_REPETITION

Floats = NDArray[np.float64]
UNKNOWN_LABEL = -1.0


class TableForest(ClassifierMixin, BaseEstimator):
    """scikit-learn's random forest over numbers, labels, booleans and missing values.

    A label of a vocabulary is read as its place in the order of the labels, an unknown one as -1, a missing value
    as NaN, which the trees send to the better side. The rows are put into an order of their own, and whole weights
    repeat them (up to a million in all), so that the answer depends neither on the order of the rows nor on whether
    a row stands twice or weighs two. Depth and splits are those of the hybrid models' paper, section 5.2: a forest
    that knows the training rows by heart would leave nothing for rules to win.
    """

    def __init__(
        self,
        n_estimators: int = 100,
        max_depth: int | None = 10,
        min_samples_split: int = 10,
        random_state: Any = 0,
    ) -> None:
        self.n_estimators = n_estimators
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Floats | None = None) -> TableForest:
        """Fit to a DataFrame or numeric array `(n, d)` and labels `(n,)`."""
        validate_data(self, X, skip_check_array=True)
        frame = as_frame(X)
        self.features_ = describe_features(frame)
        matrix, labels = _matrix(frame, self.features_), np.asarray(y)
        order, weights = _ordered(matrix, labels, sample_weight)
        forest = RandomForestClassifier(
            n_estimators=self.n_estimators,
            max_depth=self.max_depth,
            min_samples_split=self.min_samples_split,
            random_state=self.random_state,
        )
        self.forest_ = forest.fit(matrix[order], labels[order], weights)
        self.classes_ = self.forest_.classes_
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Labels `(n,)`."""
        return self.forest_.predict(self._read(X))

    def predict_proba(self, X: Any) -> Floats:
        """Probabilities `(n, classes)` in the order of `classes_`."""
        return self.forest_.predict_proba(self._read(X))

    def _read(self, X: Any) -> Floats:
        check_is_fitted(self)
        validate_data(self, X, skip_check_array=True, reset=False)
        return _matrix(as_frame(X).set_axis([feature.name for feature in self.features_], axis=1), self.features_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def _matrix(frame: pd.DataFrame, features: tuple[Feature, ...]) -> Floats:
    columns = read_columns(frame, features)
    return np.column_stack([_numbered(columns[feature.name], feature) for feature in features])


def _numbered(values: NDArray[Any], feature: Feature) -> Floats:
    if feature.kind != "vocabulary":
        return values
    place = {label: float(number) for number, label in enumerate(feature.labels)}
    return np.array([np.nan if value is None else place.get(value, UNKNOWN_LABEL) for value in values])


def _ordered(matrix: Floats, labels: NDArray[Any], weights: Floats | None) -> tuple[NDArray[np.intp], Floats | None]:
    order = np.lexsort((*matrix.T, np.unique(labels, return_inverse=True)[1]))
    if weights is None:
        return order, None
    if (weights == np.rint(weights)).all() and weights.sum() <= LARGEST_REPETITION:
        return np.repeat(order, weights[order].astype(np.int64)), None
    return order, weights[order]
