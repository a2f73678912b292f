"""CatBoost's models, from CBM files and from Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from decisionflow.errors import ModelError
from decisionflow.models import messages
from decisionflow.models.artefact import Artefact
from decisionflow.models.estimators import plain_table
from decisionflow.models.extras import extra
from decisionflow.models.model import Kind, Label, Model, plain_labels

Run = Callable[[pd.DataFrame], Any]


def read_catboost(artefact: Artefact) -> Model:
    """The model of a `.cbm` file."""
    catboost = extra(artefact.name, "catboost", "catboost")
    model = catboost.CatBoost()
    try:
        model.load_model(blob=artefact.data)
    except (catboost.CatBoostError, ValueError) as error:
        raise ModelError(messages.unreadable(artefact.name, artefact.path, "CatBoost", error)) from error
    return from_catboost(artefact.name, model, artefact.classes, artefact.categories)


def bind_catboost(name: str, given: Any) -> Model:
    """A fitted CatBoostClassifier, CatBoostRegressor or CatBoost."""
    if not given.is_fitted():
        raise ModelError(messages.not_fitted(name, given))
    return from_catboost(name, given, None, {})


def from_catboost(
    name: str, model: Any, classes: tuple[Label, ...] | None, categories: Mapping[str, tuple[Any, ...]]
) -> Model:
    """Probability, score (the raw value) and label of a classifier, number of anything else.

    The library keeps hashes of categories only and scores an unseen one without a word, so a model with categorical
    inputs needs the vocabulary of its training data in a manifest; raises ModelError otherwise.
    """
    names = tuple(str(each) for each in model.feature_names_)
    native = [names[place] for place in model.get_cat_feature_indices()]
    unknown = [column for column in native if column not in categories]
    if unknown:
        raise ModelError(messages.no_vocabulary(name, unknown))
    known = classes or plain_labels(list(getattr(model, "classes_", ()))) or None
    unnamed = names == tuple(str(place) for place in range(len(names)))
    return Model(
        name=name,
        functions=_functions(model, names, native, known),
        inputs=None if unnamed else names,
        width=len(names) if unnamed else None,
        classes=known,
        missing_inputs=frozenset(column for column in names if column not in native),
        categories={column: tuple(categories[column]) for column in native},
        subject=model,
    )


def _functions(
    model: Any, names: tuple[str, ...], native: list[str], classes: tuple[Label, ...] | None
) -> dict[Kind, Run]:
    def run(kind: str) -> Run:
        def predict(frame: pd.DataFrame) -> Any:
            table = plain_table(frame).set_axis(list(names), axis=1)
            texts = {column: table[column].astype(object).map(str) for column in native}
            return model.predict(table.assign(**texts), prediction_type=kind)

        return predict

    if classes is None:
        return {"number": run("RawFormulaVal")}
    return {"probability": run("Probability"), "score": run("RawFormulaVal"), "label": run("Class")}
