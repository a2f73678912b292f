"""scikit-learn estimators in skops files, which name every type they hold before one is made."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

from decisionflow.errors import ModelError, UntrustedModelError
from decisionflow.models import messages
from decisionflow.models.artefact import Artefact
from decisionflow.models.estimators import from_estimator
from decisionflow.models.model import Model

TRUSTED: tuple[str, ...] = (
    "numpy.dtype",
    "scipy.interpolate._bsplines.BSpline",
    "sklearn.calibration._CalibratedClassifier",
    "sklearn.calibration._SigmoidCalibration",
    "sklearn.calibration._TemperatureScaling",
    "sklearn.compose._column_transformer._RemainderColsList",
    "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor",
    "sklearn.metrics._dist_metrics.EuclideanDistance64",
    "sklearn.metrics._dist_metrics.ManhattanDistance64",
    "sklearn.metrics._dist_metrics.MinkowskiDistance64",
    "sklearn.neighbors._ball_tree.BallTree",
    "sklearn.neighbors._kd_tree.KDTree",
    "sklearn.neural_network._stochastic_optimizers.AdamOptimizer",
    "sklearn.neural_network._stochastic_optimizers.SGDOptimizer",
    "sklearn.tree._tree.Tree",
    "sklearn.utils._bunch.Bunch",
)


def read_skops(artefact: Artefact) -> Model:
    """The estimator in a `.skops` file; UntrustedModelError names the types that neither we nor the user trust."""
    strange = [each for each in _types(artefact) if each not in (*TRUSTED, *artefact.trusted)]
    if strange:
        raise UntrustedModelError(messages.untrusted(artefact.name, artefact.path, strange))
    estimator, notes = _estimator(artefact)
    return replace(from_estimator(artefact.name, estimator), notes=notes)


def _types(artefact: Artefact) -> list[str]:
    from skops.io import get_untrusted_types

    if not artefact.data:
        raise ModelError(messages.unreadable(artefact.name, artefact.path, "skops", EOFError("it is empty")))
    try:
        return list(get_untrusted_types(data=artefact.data))
    except Exception as error:
        raise ModelError(messages.unreadable(artefact.name, artefact.path, "skops", error)) from error


def _estimator(artefact: Artefact) -> tuple[Any, tuple[str, ...]]:
    """The estimator, and what scikit-learn had to say about the version that wrote it."""
    from sklearn.exceptions import InconsistentVersionWarning
    from skops.io import loads

    try:
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            estimator = loads(artefact.data, trusted=[*TRUSTED, *artefact.trusted])
    except Exception as error:
        raise ModelError(messages.unreadable(artefact.name, artefact.path, "skops", error)) from error
    differences = [each.message for each in heard if isinstance(each.message, InconsistentVersionWarning)]
    notes = {
        messages.other_version("scikit-learn", each.original_sklearn_version, each.current_sklearn_version)
        for each in differences
    }
    return estimator, tuple(sorted(notes))
