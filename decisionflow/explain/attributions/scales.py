"""On which scale a sum is a model's output: shown on the background, not taken from a name."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from decisionflow.explain.attributions.attribution import Scale
from decisionflow.models.model import Model
from decisionflow.types import ModelOutput

AGREES = 1e-9
PLAIN: dict[str, Scale] = {"probability": "probability", "score": "raw score", "number": "value", "label": "value"}


def scale_of(
    model: Model,
    output: ModelOutput,
    background: pd.DataFrame,
    additive: NDArray[np.float64],
    tolerance: float = AGREES,
) -> Scale | None:
    """The scale on which `additive` (n,) is the model's output on the background (n, d); None where it is on none.

    A probability may be the logistic function of the sum (`log-odds`), a positive number its exponential (`raw score`).
    """
    found = model.column(background, output)
    if agree(additive, found, tolerance):
        return PLAIN[output.kind]
    if output.kind == "probability":
        return "log-odds" if agree(1.0 / (1.0 + np.exp(-np.clip(additive, -700, 700))), found, tolerance) else None
    positive = output.kind == "number" and bool((found > 0).all())
    return "raw score" if positive and agree(additive, np.log(found), tolerance) else None


def agree(first: NDArray[np.float64], second: NDArray[np.float64], tolerance: float = AGREES) -> bool:
    """Whether two columns are equal within the tolerance, relative above 1 and absolute below."""
    return bool((np.abs(first - second) <= tolerance * np.maximum(1.0, np.abs(second))).all())
