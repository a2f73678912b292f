"""Linear, generalised linear and additive models in closed form, on the scale of their link."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from decisionflow.explain.attributions.attribution import Attribution, Scale
from decisionflow.explain.attributions.preprocessing import Preprocessing, preprocessing_of
from decisionflow.explain.attributions.scales import scale_of
from decisionflow.explain.attributions.scaling import scaling_of
from decisionflow.models.model import Model
from decisionflow.types import ModelOutput


@dataclass(frozen=True, slots=True)
class LinearAttributor:
    """phi_j is the sum of w_k (z_k − mean z_k) over the columns k made of source column j.

    `coefficients` (m,) belong to the columns that the last step reads, `means` (m,) are theirs over the background.
    """

    preprocessing: Preprocessing
    coefficients: NDArray[np.float64]
    means: NDArray[np.float64]
    base: float
    output: Scale
    background_rows: int

    def attribute(self, rows: pd.DataFrame) -> list[Attribution]:
        """The attribution of each row, in order."""
        moved = (self.preprocessing.matrix(rows) - self.means) * self.coefficients
        return [self._attribution(phi) for phi in self.preprocessing.summed(moved)]

    def _attribution(self, phi: NDArray[np.float64]) -> Attribution:
        return Attribution(
            method="linear",
            exact=True,
            output=self.output,
            base=self.base,
            phi=dict(zip(self.preprocessing.columns, phi.tolist(), strict=True)),
            value=self.base + float(phi.sum()),
            background_rows=self.background_rows,
            rows_given=self.background_rows,
        )


def linear_attributor(model: Model, output: ModelOutput, background: pd.DataFrame) -> LinearAttributor | None:
    """The closed form, or None where the model is not linear on a link of the output.

    Whether it is, is not taken from the estimator's name: the form must reproduce the model's output on every
    background row to 1e-9 of its size.
    """
    preprocessing = preprocessing_of(model, background)
    if preprocessing is None:
        return None
    weights = _weights(preprocessing, model, output)
    if weights is None:
        return None
    preprocessing, coefficients, intercept = _folded(preprocessing, *weights)
    matrix = preprocessing.matrix(background)
    if matrix.shape[1] != len(coefficients) or not np.isfinite(matrix).all():
        return None
    scale = scale_of(model, output, background, matrix @ coefficients + intercept)
    if scale is None:
        return None
    means = matrix.mean(axis=0)
    base = float(means @ coefficients + intercept)
    return LinearAttributor(preprocessing, coefficients, means, base, scale, len(background))


def _folded(
    preprocessing: Preprocessing, coefficients: NDArray[np.float64], intercept: float
) -> tuple[Preprocessing, NDArray[np.float64], float]:
    """The same form read from the source columns, where every step only stretches and shifts each of them."""
    scaling = scaling_of(preprocessing.transformers, len(preprocessing.columns))
    if scaling is None or len(coefficients) != len(scaling[0]):
        return preprocessing, coefficients, intercept
    slope, shift = scaling
    return replace(preprocessing, transformers=()), coefficients * slope, intercept + float(coefficients @ shift)


def _weights(
    preprocessing: Preprocessing, model: Model, output: ModelOutput
) -> tuple[NDArray[np.float64], float] | None:
    """Coefficients (m,) and intercept towards the output's label; None where there are none."""
    coefficients, intercept = _coefficients(preprocessing.last)
    if coefficients is None or intercept is None:
        return None
    if output.kind == "number" or model.classes is None:
        return (coefficients[0], float(intercept[0])) if len(coefficients) == 1 else None
    if output.kind == "label":
        return None
    place = model.class_index(output)
    if len(model.classes) == 2 and len(coefficients) == 1:
        sign = 1.0 if place == 1 else -1.0
        return sign * coefficients[0], sign * float(intercept[0])
    if output.kind == "score" and len(coefficients) == len(model.classes):
        return coefficients[place], float(intercept[place])
    return None


def _coefficients(last: Any) -> tuple[NDArray[np.float64] | None, NDArray[np.float64] | None]:
    coefficients, intercept = getattr(last, "coef_", None), getattr(last, "intercept_", None)
    if not isinstance(coefficients, np.ndarray) or intercept is None:
        return None, None
    table = np.atleast_2d(coefficients).astype(np.float64)
    if np.size(intercept) not in (1, len(table)):
        return None, None
    return table, np.broadcast_to(np.asarray(intercept, dtype=np.float64).ravel(), len(table))
