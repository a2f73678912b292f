"""Few candidates that together take enough rows: a start, or a way out, where coverage is a constraint."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from decisionflow.errors import InfeasibleError
from decisionflow.learn.candidates import Candidates

Floats = NDArray[np.float64]
SLACK = 1e-9


def required_weight(candidates: Candidates, weights: Floats, min_transparency: float) -> float:
    """The weight of rows that a list must take.

    Raises InfeasibleError where all candidates together take less.
    """
    required = min_transparency * weights.sum() - SLACK
    reachable = weights[candidates.covers.any(axis=1)].sum()
    if reachable < required:
        raise InfeasibleError(
            f"min_transparency asks for {min_transparency:.2%} of the rows, and all candidates together cover "
            f"{reachable / weights.sum():.2%}; lower it, or allow more candidates (min_support, negations, n_bins)"
        )
    return float(required)


def greedy_cover(covers: NDArray[np.bool_], weights: Floats, required: float, longest: int) -> list[int]:
    """Candidates `(n, d)`, each the one that takes most of what is left, until enough is taken (greedy set cover)."""
    left = weights.astype(np.float64)
    chosen: list[int] = []
    while len(chosen) < longest and covers.shape[1] and weights.sum() - left.sum() < required:
        chosen.append(int(np.argmax(left @ covers)))
        left = np.where(covers[:, chosen[-1]], 0.0, left)
    return chosen
