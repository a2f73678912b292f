"""Fitted estimators, scikit-learn's and those that look like one, as models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from decisionflow.errors import ModelError
from decisionflow.models import messages
from decisionflow.models.columns import is_missing
from decisionflow.models.model import Kind, Model, plain_labels
from decisionflow.models.pipelines import accepts_missing, steps, unwrapped

METHODS: tuple[tuple[Kind, str], ...] = (
    ("probability", "predict_proba"),
    ("score", "decision_function"),
)
MARGINS: dict[str, dict[str, Any]] = {"xgboost": {"output_margin": True}, "lightgbm": {"raw_score": True}}


def is_estimator(subject: object) -> bool:
    """Whether the object predicts as scikit-learn's estimators do."""
    return any(callable(getattr(subject, method, None)) for method in ("predict", "predict_proba", "decision_function"))


def from_estimator(name: str, estimator: Any) -> Model:
    """A model from a fitted estimator or pipeline; raises ModelError when it is not fitted."""
    _require_fitted(name, estimator)
    inputs, width = stored_names(estimator), _width(estimator)
    classes = _classes(estimator)
    handed = handover(estimator)
    return Model(
        name=name,
        functions={
            **{kind: _through(getattr(estimator, method), handed) for kind, method in _methods(estimator, classes)},
            **_margin(estimator, handed),
        },
        inputs=inputs,
        width=width if inputs is None else None,
        classes=classes,
        missing_inputs=_missing_inputs(estimator, inputs, width),
        categories=_categories(estimator, inputs),
        subject=estimator,
    )


def stored_names(estimator: Any) -> tuple[str, ...] | None:
    """The names of the columns that the estimator was fitted on, in order; None when it was fitted on an array."""
    for holder in (estimator, unwrapped(estimator), steps(estimator)[0]):
        names = getattr(holder, "feature_names_in_", None)
        if names is not None:
            return tuple(str(each) for each in names)
    return None


def handover(estimator: Any) -> Callable[[pd.DataFrame], Any]:
    """How a table is handed to the estimator: as it is, or as an array where it was fitted on one."""
    unnamed = stored_names(estimator) is None and _width(estimator) is not None
    return _array if unnamed and _from_a_library(estimator) else plain_table


def plain_table(frame: pd.DataFrame) -> pd.DataFrame:
    """The table with pandas' own nullable numbers turned into NumPy's, as the model was trained with."""
    turned: dict[str, Any] = {
        str(column): frame[column].to_numpy(dtype=np.float64, na_value=np.nan)
        if frame[column].isna().any()
        else frame[column].to_numpy()
        for column, dtype in frame.dtypes.items()
        if isinstance(dtype, pd.api.extensions.ExtensionDtype) and pd.api.types.is_numeric_dtype(dtype)
    }
    return frame.assign(**turned) if turned else frame


def _array(frame: pd.DataFrame) -> Any:
    return plain_table(frame).to_numpy()


def _margin(estimator: Any, handed: Callable[[pd.DataFrame], Any]) -> dict[Kind, Callable[[pd.DataFrame], Any]]:
    """The margin of another library's boosted classifier at the end of a pipeline."""
    asked = MARGINS.get(type(steps(estimator)[-1]).__module__.partition(".")[0])
    if asked is None or not hasattr(estimator, "classes_"):
        return {}
    return {"score": lambda frame: estimator.predict(handed(frame), **asked)}


def _through(method: Callable[[Any], Any], handed: Callable[[pd.DataFrame], Any]) -> Callable[[pd.DataFrame], Any]:
    return lambda frame: method(handed(frame))


def _methods(estimator: Any, classes: tuple[Any, ...] | None) -> list[tuple[Kind, str]]:
    found = [(kind, method) for kind, method in METHODS if _gives(estimator, method)]
    if callable(getattr(estimator, "predict", None)):
        found += [("number", "predict")] if _is_regressor(estimator) else [("label", "predict")]
        if classes is None and not _is_regressor(estimator) and not _from_a_library(estimator):
            found.append(("number", "predict"))
    return found


def _gives(estimator: Any, method: str) -> bool:
    """Whether a method can really be called: a support vector machine may show one that its fitting left out."""
    if not callable(getattr(estimator, method, None)):
        return False
    last = steps(estimator)[-1]
    if method == "decision_function" and getattr(last, "decision_function_shape", None) == "ovo":
        return len(getattr(last, "classes_", ())) <= 2
    if method == "predict_proba" and type(last).__module__.startswith("sklearn.svm"):
        return _runs(last, method)
    return True


def _runs(estimator: Any, method: str) -> bool:
    from sklearn.exceptions import NotFittedError

    try:
        getattr(estimator, method)(np.zeros((1, int(estimator.n_features_in_))))
    except (NotFittedError, AttributeError, NotImplementedError):
        return False
    return True


def _classes(estimator: Any) -> tuple[Any, ...] | None:
    from sklearn.base import is_outlier_detector

    classes = getattr(estimator, "classes_", None)
    if classes is not None:
        return plain_labels(list(classes))
    return (-1, 1) if is_outlier_detector(estimator) else None


def _is_regressor(estimator: Any) -> bool:
    from sklearn.base import is_regressor

    return bool(is_regressor(estimator))


def _from_a_library(estimator: Any) -> bool:
    from sklearn.base import BaseEstimator

    return isinstance(estimator, BaseEstimator)


def _width(estimator: Any) -> int | None:
    width = getattr(estimator, "n_features_in_", None)
    return None if width is None else int(width)


def _require_fitted(name: str, estimator: Any) -> None:
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted

    if not _from_a_library(estimator) or not hasattr(estimator, "fit"):
        return
    try:
        check_is_fitted(estimator)
    except NotFittedError as error:
        raise ModelError(messages.not_fitted(name, estimator)) from error


def _missing_inputs(estimator: Any, inputs: tuple[str, ...] | None, width: int | None) -> frozenset[str] | None:
    if not _from_a_library(estimator) or width is None:
        return frozenset()
    accepts = accepts_missing(estimator, width)
    if accepts.all():
        return None
    return frozenset(np.array(inputs)[accepts].tolist()) if inputs is not None else frozenset()


def _categories(estimator: Any, inputs: tuple[str, ...] | None) -> dict[str, tuple[Any, ...]]:
    """The training vocabulary of histogram boosting, which would take an unseen category for a missing value."""
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    last = steps(estimator)[-1]
    if not isinstance(last, HistGradientBoostingClassifier | HistGradientBoostingRegressor):
        return {}
    encoder = getattr(last, "_preprocessor", None)
    if encoder is None or inputs is None or last is not unwrapped(estimator):
        return {}
    names = np.array(inputs)[np.flatnonzero(last.is_categorical_)].tolist()
    known = encoder.named_transformers_["encoder"].categories_
    return {
        name: tuple(each for each in values.tolist() if not is_missing(each))
        for name, values in zip(names, known, strict=True)
    }
