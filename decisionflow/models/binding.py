"""Anything that Python can offer as a model, as a Model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from decisionflow.models.loading import load_model
from decisionflow.models.model import Model
from decisionflow.models.objects import bind_object


def bind(name: str, given: object, folder: Path | None = None, allowed: Sequence[Path] = ()) -> Model:
    """The model that a policy knows as `name`.

    `given` is a fitted estimator, a Model, a function from a DataFrame of the inputs to a column, or the URI of a model
    file, looked for in `folder` (the working directory where none is given). Raises ModelError.
    """
    if isinstance(given, str | Path):
        return load_model(name, str(given), folder if folder is not None else Path.cwd(), allowed)
    return bind_object(name, given)
