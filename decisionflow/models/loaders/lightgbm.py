"""LightGBM's boosters, from text files and from Python."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from decisionflow.errors import ModelError
from decisionflow.models import messages
from decisionflow.models.artefact import Artefact
from decisionflow.models.columns import is_missing
from decisionflow.models.extras import extra
from decisionflow.models.model import Kind, Label, Model, plain_labels

Run = Callable[[pd.DataFrame], Any]


def read_lightgbm(artefact: Artefact) -> Model:
    """The booster of a `.txt` file; its classes are 0 to k − 1 unless a manifest names them.

    The library ends the process on a damaged file, so the lengths that the file gives for its trees are checked first.
    """
    lightgbm = extra(artefact.name, "lightgbm", "lightgbm")
    fault = _fault(artefact.data)
    if fault:
        raise ModelError(messages.unreadable(artefact.name, artefact.path, "LightGBM", ValueError(fault)))
    try:
        booster = lightgbm.Booster(model_str=artefact.data.decode())
    except (lightgbm.basic.LightGBMError, ValueError) as error:
        raise ModelError(messages.unreadable(artefact.name, artefact.path, "LightGBM", error)) from error
    return from_booster(artefact.name, booster, artefact.classes, artefact.categories)


def bind_lightgbm(name: str, given: Any) -> Model:
    """A fitted LGBMClassifier or LGBMRegressor, or a Booster."""
    from sklearn.exceptions import NotFittedError

    if not hasattr(given, "booster_") and not hasattr(given, "fit"):
        return from_booster(name, given, None, {})
    try:
        booster = given.booster_
    except NotFittedError as error:
        raise ModelError(messages.not_fitted(name, given)) from error
    classes = getattr(given, "classes_", None)
    return from_booster(name, booster, None if classes is None else plain_labels(list(classes)), {})


def from_booster(
    name: str, booster: Any, classes: tuple[Label, ...] | None, categories: Mapping[str, tuple[Any, ...]]
) -> Model:
    """A model of a booster: probability, score (the raw score) and label of a classifier, number of anything else.

    Raises ModelError where it splits on categories whose training vocabulary is nowhere to be found.
    """
    described = booster.dump_model(num_iteration=1)
    count = _class_count(described)
    known = (classes or tuple(range(count))) if count else None
    names = tuple(booster.feature_name())
    vocabulary, coded = _categories(name, booster, described, categories)
    unnamed = names == tuple(f"Column_{place}" for place in range(len(names)))
    return Model(
        name=name,
        functions=_functions(booster, names, coded, known),
        inputs=None if unnamed else names,
        width=len(names) if unnamed else None,
        classes=known,
        missing_inputs=None,
        categories=vocabulary,
        subject=booster,
    )


def _class_count(described: Mapping[str, Any]) -> int:
    objective = str(described.get("objective", "")).split(" ")[0]
    if objective == "binary":
        return 2
    return int(described["num_class"]) if objective in ("multiclass", "multiclassova") else 0


def _functions(
    booster: Any, names: tuple[str, ...], coded: Mapping[str, tuple[Any, ...]], classes: tuple[Label, ...] | None
) -> dict[Kind, Run]:
    def predict(frame: pd.DataFrame) -> Any:
        return booster.predict(_matrix(frame, names, coded))

    def raw(frame: pd.DataFrame) -> Any:
        return booster.predict(_matrix(frame, names, coded), raw_score=True)

    if classes is None:
        return {"number": predict}
    return {
        "probability": predict,
        "score": raw,
        "label": lambda frame: _labels(predict(frame), classes),
    }


def _matrix(frame: pd.DataFrame, names: tuple[str, ...], coded: Mapping[str, tuple[Any, ...]]) -> Any:
    """The table as numbers (n, d), each text as the place of its category in the training vocabulary."""
    columns = []
    for place, name in enumerate(names):
        series = frame.iloc[:, place]
        if name in coded:
            codes = pd.Categorical(series, categories=list(coded[name])).codes.astype(np.float64)
            columns.append(np.where(codes < 0, np.nan, codes))
        else:
            columns.append(series.astype(object).where(series.notna(), np.nan).to_numpy(dtype=np.float64))
    return np.column_stack(columns)


def _labels(shares: Any, classes: tuple[Label, ...]) -> Any:
    places = (shares > 0.5).astype(int) if shares.ndim == 1 else shares.argmax(axis=1)
    return np.array(classes, dtype=object)[places]


def _categories(
    name: str, booster: Any, described: Mapping[str, Any], listed: Mapping[str, tuple[Any, ...]]
) -> tuple[dict[str, tuple[Any, ...]], dict[str, tuple[Any, ...]]]:
    """The vocabulary of every categorical column, and of those that training turned into codes in its order."""
    seen = {column: info["values"] for column, info in described["feature_infos"].items() if info["values"]}
    coded = booster.pandas_categorical or []
    if coded and len(coded) == len(seen):
        vocabulary = {
            column: tuple(each for each in values if not is_missing(each))
            for column, values in zip((each for each in booster.feature_name() if each in seen), coded, strict=True)
        }
        return vocabulary, vocabulary
    if not coded:
        return {column: tuple(value for value in values if value >= 0) for column, values in seen.items()}, {}
    unknown = [column for column in seen if column not in listed]
    if unknown:
        raise ModelError(messages.no_vocabulary(name, unknown))
    return dict(listed), {column: tuple(listed[column]) for column in seen}


def _fault(data: bytes) -> str | None:
    """What is wrong with the lengths of the file's trees, if anything."""
    sizes = re.search(rb"^tree_sizes=([0-9 ]+)$", data, re.MULTILINE)
    first = data.find(b"Tree=0\n")
    if not data.startswith(b"tree\n") or sizes is None or first < 0:
        return "it does not begin like a model"
    place = first
    for number, size in enumerate(sizes.group(1).split()):
        if not data[place:].startswith(b"Tree=%d\n" % number):
            return f"tree {number} is not where it should be"
        place += int(size)
    rest = data[place:]
    if not rest.lstrip().startswith(b"end of trees"):
        return "it ends before its last tree does"
    return None if b"\nparameters:" in rest and b"\nend of parameters" in rest else "it ends before its parameters do"
