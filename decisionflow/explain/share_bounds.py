"""Bounds of a share of which a sample is known."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, rel_entr

Floats = NDArray[np.float64]


def clopper_pearson(agreed: int, drawn: int, error: float) -> tuple[float, float]:
    """Bounds of a share, each wrong with probability `error` at most."""
    low = float(betaincinv(agreed, drawn - agreed + 1, error)) if agreed else 0.0
    high = float(betaincinv(agreed + 1, drawn - agreed, 1 - error)) if agreed < drawn else 1.0
    return low, high


def kl_bounds(shares: Floats, levels: Floats, side: int) -> Floats:
    """Of each share `(n,)` the one furthest above (side +1) or below (-1) it whose Kullback-Leibler divergence from it
    is its level."""
    near, far = shares, np.full(len(shares), 1.0 if side > 0 else 0.0)
    for _ in range(50):
        middle = (near + far) / 2
        within = divergence(shares, middle) <= levels
        near, far = np.where(within, middle, near), np.where(within, far, middle)
    return near


def divergence(shares: Floats, others: Floats) -> Floats:
    """Kullback-Leibler divergence of Bernoulli distributions `(n,)` from others."""
    return np.asarray(rel_entr(shares, others) + rel_entr(1 - shares, 1 - others), dtype=np.float64)
