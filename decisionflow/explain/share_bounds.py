"""Bounds of a share of which a sample is known."""

from __future__ import annotations

import numpy as np
from scipy.special import betaincinv


def clopper_pearson(agreed: int, drawn: int, error: float) -> tuple[float, float]:
    """Bounds of a share, each wrong with probability `error` at most."""
    low = float(betaincinv(agreed, drawn - agreed + 1, error)) if agreed else 0.0
    high = float(betaincinv(agreed + 1, drawn - agreed, 1 - error)) if agreed < drawn else 1.0
    return low, high


def kl_bound(share: float, level: float, side: int) -> float:
    """The share furthest above (side +1) or below (-1) one whose Kullback-Leibler divergence from it is `level`."""
    near, far = share, 1.0 if side > 0 else 0.0
    for _ in range(50):
        middle = (near + far) / 2
        near, far = (middle, far) if divergence(share, middle) <= level else (near, middle)
    return near


def divergence(share: float, other: float) -> float:
    """Kullback-Leibler divergence of two Bernoulli distributions."""
    parts = ((share, other), (1 - share, 1 - other))
    return sum(p * float(np.log(p / q)) if q > 0 else np.inf for p, q in parts if p > 0)
