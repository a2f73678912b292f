"""What scikit-learn's compositions are made of."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from decisionflow.models.columns import is_missing


def unwrapped(estimator: Any) -> Any:
    """The estimator that does the work: a search's best one, what a freezer or a threshold tuner holds."""
    from sklearn.frozen import FrozenEstimator
    from sklearn.model_selection import FixedThresholdClassifier, TunedThresholdClassifierCV

    if hasattr(estimator, "best_estimator_"):
        return unwrapped(estimator.best_estimator_)
    if isinstance(estimator, FixedThresholdClassifier | TunedThresholdClassifierCV):
        return unwrapped(estimator.estimator_)
    if isinstance(estimator, FrozenEstimator):
        return unwrapped(estimator.estimator)
    return estimator


def steps(estimator: Any) -> list[Any]:
    """The estimator's steps in order, pipelines within pipelines laid flat, `passthrough` left out."""
    from sklearn.pipeline import Pipeline

    estimator = unwrapped(estimator)
    if not isinstance(estimator, Pipeline):
        return [estimator]
    return [each for _, step in estimator.steps if not _passes(step) for each in steps(step)]


def column_groups(transformer: Any) -> list[tuple[Any, list[int]]]:
    """Each part of a fitted ColumnTransformer with the positions it reads, in the order of its output columns.

    A part is an estimator, or the text `passthrough` or `drop`.
    """
    places = transformer._transformer_to_input_indices
    groups = []
    for name, part, _ in transformer.transformers_:
        reads = [int(place) for place in places.get(name, [])]
        groups.append(("passthrough" if _passes(part) else part, reads))
    return groups


def is_passthrough(part: Any) -> bool:
    """Whether a part hands its columns on as they are."""
    return _passes(part)


def accepts_missing(estimator: Any, width: int) -> NDArray[np.bool_]:
    """For each input column (width,), whether a missing value may be handed to the fitted estimator.

    That is scikit-learn's tag `allow_nan`, followed through a pipeline: a missing value must be taken by every step up
    to the one that replaces it. Once columns have been mixed, a later step must take missing values in all of them.
    """
    taken, alive = np.ones(width, dtype=bool), np.ones(width, dtype=bool)
    for step in steps(estimator):
        accepts, keeps = _step(step, width)
        taken &= ~alive | accepts
        alive &= keeps
        width_known = _one_to_one(step)
        if not width_known:
            return taken & (~alive | _rest_accepts(estimator, step))
    return taken


def _rest_accepts(estimator: Any, step: Any) -> bool:
    """Whether the steps after this one take missing values, whatever the column, until one replaces them."""
    laid = steps(estimator)
    for later in laid[next(place for place, each in enumerate(laid) if each is step) + 1 :]:
        accepts, keeps = _step(later, int(getattr(later, "n_features_in_", 1)))
        if not accepts.all():
            return False
        if not keeps.any():
            return True
    return True


def _step(step: Any, width: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Whether each column may be missing, and whether a missing value is still missing after the step."""
    from sklearn.compose import ColumnTransformer
    from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder

    if isinstance(step, ColumnTransformer):
        return _by_column(step, width)
    if isinstance(step, OneHotEncoder):
        known = np.array([step.handle_unknown != "error" or _has_missing(each) for each in step.categories_])
        return known, np.zeros(width, dtype=bool)
    accepts = np.full(width, _tag(step))
    if isinstance(step, OrdinalEncoder):
        return accepts, np.full(width, bool(np.isnan(step.encoded_missing_value)))
    return accepts, np.full(width, not _replaces(step))


def _by_column(transformer: Any, width: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    accepts, keeps = np.ones(width, dtype=bool), np.zeros(width, dtype=bool)
    for part, places in column_groups(transformer):
        if part == "passthrough":
            keeps[places] = True
        elif not isinstance(part, str) and places:
            accepts[places] &= accepts_missing(part, len(places))
            keeps[places] |= _survives(part, len(places))
    return accepts, keeps


def _survives(part: Any, width: int) -> NDArray[np.bool_]:
    alive = np.ones(width, dtype=bool)
    for step in steps(part):
        keeps = _step(step, width)[1] if len(alive) == width and _one_to_one(step) else None
        alive &= keeps if keeps is not None else _step(step, int(getattr(step, "n_features_in_", 1)))[1].any()
    return alive


def _one_to_one(step: Any) -> bool:
    from sklearn.base import OneToOneFeatureMixin
    from sklearn.impute import SimpleImputer

    return isinstance(step, OneToOneFeatureMixin | SimpleImputer)


def _replaces(step: Any) -> bool:
    from sklearn.impute import KNNImputer, MissingIndicator, SimpleImputer
    from sklearn.impute._base import _BaseImputer

    return isinstance(step, SimpleImputer | KNNImputer | MissingIndicator | _BaseImputer)


def _tag(step: Any) -> bool:
    """The tag `allow_nan`; a calibrated model has that of the models it calibrates."""
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.utils import get_tags

    if isinstance(step, CalibratedClassifierCV):
        width = int(getattr(step, "n_features_in_", 1))
        return all(bool(accepts_missing(each.estimator, width).all()) for each in step.calibrated_classifiers_)
    try:
        return bool(get_tags(step).input_tags.allow_nan)
    except (AttributeError, TypeError):
        return False


def _has_missing(categories: Any) -> bool:
    return any(is_missing(each) for each in categories)


def _passes(part: Any) -> bool:
    from sklearn.preprocessing import FunctionTransformer

    if isinstance(part, str):
        return part == "passthrough"
    return part is None or (isinstance(part, FunctionTransformer) and part.func is None)
