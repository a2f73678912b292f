"""An explanation as shap's own value, so that shap's plots draw it; the only other place of shap is `attributions`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from decisionflow.errors import DataError
from decisionflow.explain.explanation import Explanation

if TYPE_CHECKING:
    import shap


def shap_value(explanation: Explanation) -> shap.Explanation:
    """SMACE's contributions `(d,)`, largest first, over a base of zero; values that are no numbers stay text.

    Raises DataError where there are none, as shap has no empty explanation.
    """
    import shap

    parts = explanation.largest_first()
    if not parts:
        raise DataError(f"row {explanation.row} has no contributions to `{explanation.decision}` that shap could show")
    return shap.Explanation(
        values=np.array([part.total for part in parts], np.float64),
        base_values=0.0,
        data=np.array([part.value for part in parts], object),
        feature_names=[part.feature for part in parts],
    )
