"""Scalers as what they are: each column times a number plus a number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Scaling = tuple[NDArray[np.float64], NDArray[np.float64]]


def scaling_of(transformers: Sequence[Any], width: int) -> Scaling | None:
    """Slope and shift (width,) of fitted scikit-learn scalers one after the other; None where a step is no scaler."""
    slope, shift = np.ones(width), np.zeros(width)
    for step in transformers:
        own = _one(step, width)
        if own is None:
            return None
        slope, shift = slope * own[0], shift * own[0] + own[1]
    return slope, shift


def _one(step: Any, width: int) -> Scaling | None:
    from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, RobustScaler, StandardScaler

    ones, zeros = np.ones(width), np.zeros(width)
    if isinstance(step, StandardScaler):
        slope = 1.0 / step.scale_ if step.with_std else ones
        return slope, -step.mean_ * slope if step.with_mean else zeros
    if isinstance(step, RobustScaler):
        slope = 1.0 / step.scale_ if step.with_scaling else ones
        return slope, -step.center_ * slope if step.with_centering else zeros
    if isinstance(step, MinMaxScaler) and not step.clip:
        return step.scale_, step.min_
    if isinstance(step, MaxAbsScaler) and not getattr(step, "clip", False):
        return 1.0 / step.scale_, zeros
    return None
