"""Pickle and joblib files, which run code when they are opened: only by name, only with a manifest."""

from __future__ import annotations

import importlib
import io
import pickle
import warnings
from collections.abc import Callable
from typing import Any, BinaryIO

from decisionflow.errors import ModelError
from decisionflow.models import messages
from decisionflow.models.artefact import Artefact
from decisionflow.models.model import Model
from decisionflow.models.objects import bind_object


def read_joblib(artefact: Artefact) -> Model:
    """The object that joblib wrote."""
    return _read(artefact, "joblib", importlib.import_module("joblib").load)


def read_pickle(artefact: Artefact) -> Model:
    """The object that pickle wrote."""
    return _read(artefact, "pickle", pickle.load)


def _read(artefact: Artefact, form: str, load: Callable[[BinaryIO], Any]) -> Model:
    """The library's warning about versions is left out here: the manifest's comparison has refused or noted them."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            subject = load(io.BytesIO(artefact.data))
    except Exception as error:
        raise ModelError(messages.unreadable(artefact.name, artefact.path, form, error)) from error
    return bind_object(artefact.name, subject)
