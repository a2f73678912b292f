"""What is already in memory, as a model."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import pandas as pd

from decisionflow.errors import ModelError
from decisionflow.models import messages
from decisionflow.models.estimators import from_estimator, is_estimator, plain_table
from decisionflow.models.model import Model

BOOSTERS = (
    ("xgboost", "decisionflow.models.loaders.xgboost", "bind_xgboost"),
    ("lightgbm", "decisionflow.models.loaders.lightgbm", "bind_lightgbm"),
    ("catboost", "decisionflow.models.loaders.catboost", "bind_catboost"),
)


def bind_object(name: str, given: object) -> Model:
    """A model from a fitted estimator, a Model or a function of a table; raises ModelError for anything else."""
    if isinstance(given, Model):
        return given.named(name)
    if isinstance(given, type):
        raise ModelError(messages.a_class(name, given))
    for library, module, function in BOOSTERS:
        if type(given).__module__.partition(".")[0] == library:
            bound: Model = getattr(importlib.import_module(module), function)(name, given)
            return bound
    if is_estimator(given):
        return from_estimator(name, given)
    if callable(given):
        return from_callable(name, given)
    raise ModelError(messages.not_a_model(name, given))


def from_callable(name: str, function: Callable[[pd.DataFrame], Any]) -> Model:
    """A function of a table as a model: it offers whatever output the policy declares, and takes no missing values."""

    def run(frame: pd.DataFrame) -> Any:
        return function(plain_table(frame))

    return Model(
        name=name,
        functions={"probability": run, "label": run, "score": run, "number": run},
        subject=function,
    )
