"""What an attribution of a model's output says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from decisionflow.explain.attributions.intervals import Intervals

Scale = Literal["log-odds", "probability", "value", "raw score"]
Function = Callable[[pd.DataFrame], NDArray[np.float64]]
"""A table with named columns in, a number for each row (n,) out."""


@dataclass(frozen=True, slots=True)
class Attribution:
    """How much each source column moves a model's output at one row away from its mean over the background.

    `base` plus the sum of `phi` is `value`, the output at the row on the scale `output`. `background_rows` counts the
    rows that were used, `rows_given` those that were there. `exact` is false for an estimate, which has its largest
    `standard_error` over the columns, on the same scale. `fidelity` is the share of variance that a surrogate (LIME)
    explains around the row; its `value` is the surrogate's. `seed` is None where nothing is drawn. `intervals` are the
    95 % t intervals of an estimate's phi over its draws of background rows and orders, each for its own column.
    """

    method: str
    exact: bool
    output: Scale
    base: float
    phi: Mapping[str, float]
    value: float
    background_rows: int
    rows_given: int
    standard_error: float | None = None
    fidelity: float | None = None
    seed: int | None = None
    intervals: Intervals | None = None


class Attributor(Protocol):
    """What depends on the model and the background only, made once and asked for any number of rows."""

    def attribute(self, rows: pd.DataFrame) -> list[Attribution]:
        """The attribution of each row, in order."""
        ...
