"""XGBoost's boosters, from JSON and UBJ files and from Python."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from decisionflow.errors import ModelError
from decisionflow.models import messages
from decisionflow.models.artefact import Artefact
from decisionflow.models.estimators import plain_table
from decisionflow.models.extras import extra
from decisionflow.models.model import Kind, Label, Model, plain_labels

Run = Callable[[pd.DataFrame], Any]


def read_xgboost(artefact: Artefact) -> Model:
    """The booster of a `.json` or `.ubj` file; its classes are 0 to k − 1 unless a manifest names them."""
    xgboost = extra(artefact.name, "xgboost", "xgboost")
    if not artefact.data:
        raise ModelError(messages.unreadable(artefact.name, artefact.path, "XGBoost", EOFError("it is empty")))
    booster = xgboost.Booster()
    try:
        booster.load_model(bytearray(artefact.data))
    except (xgboost.core.XGBoostError, ValueError, TypeError, KeyError) as error:
        raise ModelError(messages.unreadable(artefact.name, artefact.path, "XGBoost", error)) from error
    return from_booster(artefact.name, booster, artefact.classes, artefact.categories)


def bind_xgboost(name: str, given: Any) -> Model:
    """A fitted XGBClassifier or XGBRegressor, or a Booster."""
    if not hasattr(given, "get_booster"):
        return from_booster(name, given, None, {})
    xgboost = extra(name, "xgboost", "xgboost")
    try:
        booster = given.get_booster()
    except (xgboost.core.XGBoostError, ValueError) as error:
        raise ModelError(messages.not_fitted(name, given)) from error
    classes = getattr(given, "classes_", None)
    return from_booster(name, booster, None if classes is None else plain_labels(list(classes)), {})


def from_booster(
    name: str, booster: Any, classes: tuple[Label, ...] | None, categories: Mapping[str, tuple[Any, ...]]
) -> Model:
    """A model of a booster: probability, score (the margin) and label of a classifier, number of anything else.

    Raises ModelError where it splits on categories whose training vocabulary is nowhere to be found.
    """
    objective, count = _objective(booster)
    known = (classes or tuple(range(count))) if count else None
    return Model(
        name=name,
        functions=_functions(booster, objective, known),
        inputs=None if booster.feature_names is None else tuple(booster.feature_names),
        width=booster.num_features() if booster.feature_names is None else None,
        classes=known,
        missing_inputs=None,
        categories=_categories(name, booster, categories),
        subject=booster,
    )


def _objective(booster: Any) -> tuple[str, int]:
    """The objective's name, and the number of classes (0 for anything but a classifier)."""
    learner = json.loads(booster.save_config())["learner"]
    objective = str(learner["objective"]["name"])
    if objective.startswith("binary:"):
        return objective, 2
    return objective, int(learner["learner_model_param"]["num_class"]) if objective.startswith("multi:") else 0


def _functions(booster: Any, objective: str, classes: tuple[Label, ...] | None) -> dict[Kind, Run]:
    predict, margin = _predict(booster, False), _predict(booster, True)
    if classes is None:
        return {"number": predict}
    found: dict[Kind, Run] = {"score": margin, "label": lambda frame: _labels(margin(frame), classes)}
    if objective == "binary:logistic":
        found["probability"] = predict
    if objective.startswith("multi:"):
        found["probability"] = predict if objective == "multi:softprob" else lambda frame: _softmax(margin(frame))
    return found


def _predict(booster: Any, margin: bool) -> Run:
    """Prediction by name, up to the best round where training stopped early."""
    import xgboost

    stopped = booster.attributes().get("best_iteration")
    rounds = (0, int(stopped) + 1) if stopped is not None else (0, 0)

    def run(frame: pd.DataFrame) -> Any:
        table = plain_table(frame)
        matrix = xgboost.DMatrix(
            table if booster.feature_names is not None else table.to_numpy(), enable_categorical=True
        )
        return booster.predict(matrix, output_margin=margin, iteration_range=rounds)

    return run


def _labels(margin: Any, classes: tuple[Label, ...]) -> Any:
    places = (margin > 0).astype(int) if margin.ndim == 1 else margin.argmax(axis=1)
    return np.array(classes, dtype=object)[places]


def _softmax(margin: Any) -> Any:
    raised = np.exp(margin - margin.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)


def _categories(name: str, booster: Any, listed: Mapping[str, tuple[Any, ...]]) -> dict[str, tuple[Any, ...]]:
    names, kinds = booster.feature_names or [], booster.feature_types or []
    native = [column for column, kind in zip(names, kinds, strict=False) if kind == "c"]
    if not native:
        return {}
    stored = {
        column: tuple(values.to_pylist())
        for column, values in (booster.get_categories(export_to_arrow=True).to_arrow() or [])
        if values is not None
    }
    found = {**{column: tuple(values) for column, values in listed.items()}, **stored}
    unknown = [column for column in native if column not in found]
    if unknown:
        raise ModelError(messages.no_vocabulary(name, unknown))
    return {column: found[column] for column in native}
