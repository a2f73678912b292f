"""KernelSHAP through the shap package, for functions of tables with texts, vocabularies and integers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from decisionflow.explain.attributions.attribution import Function
from decisionflow.explain.attributions.blending import blend

MOST_BACKGROUND = 100
SAMPLES = 2048


def kernel_shapley(
    function: Function, row: pd.DataFrame, background: pd.DataFrame, seed: int, samples: int = SAMPLES
) -> tuple[float, NDArray[np.float64], float, int]:
    """Base, Shapley values (d,), the function's value at the row (1, d), and the number of background rows used.

    The package sees only codes of values, so the function gets the table's own columns and types. Up to 100 background
    rows are drawn with the seed; no regularisation (`l1_reg` off). Base and sum are those of the rows drawn.
    """
    import shap

    if len(background) > MOST_BACKGROUND:
        chosen = np.random.default_rng(seed).choice(len(background), MOST_BACKGROUND, replace=False)
        background = background.iloc[np.sort(chosen)]
    mixture = blend(row, background)
    codes = np.where(mixture.differs, np.arange(1, mixture.rows + 1)[:, None], 0)

    def coded(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        return function(mixture.table(np.asarray(matrix).astype(np.intp)))

    with drawing(seed):
        explainer = shap.KernelExplainer(coded, codes.astype(float))
        found = explainer.shap_values(np.zeros(len(mixture.columns)), nsamples=samples, l1_reg=False, silent=True)
    phi = np.asarray(found, dtype=np.float64).reshape(-1)
    value = float(function(row)[0])
    return float(np.ravel(explainer.expected_value)[0]), phi, value, mixture.rows


@contextmanager
def drawing(seed: int) -> Iterator[None]:
    """Give a package that draws from NumPy's global generator a seed, and the generator its state back."""
    state = np.random.get_state()
    np.random.seed(seed)
    try:
        yield
    finally:
        np.random.set_state(state)
