"""Where an estimated attribution lies: Student's t intervals over repeated draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

CONFIDENCE = 0.95
Intervals = Mapping[str, tuple[float, float]]


def t_intervals(
    names: Sequence[str], phi: NDArray[np.float64], errors: NDArray[np.float64], freedom: int
) -> dict[str, tuple[float, float]]:
    """For each name, phi plus and minus the t quantile for 95 % times its standard error, all (d,).

    `freedom` is the number of draws less one. Each interval is for its own name, not for all of them together.
    """
    from scipy.special import stdtrit

    wide = errors * float(stdtrit(freedom, (1 + CONFIDENCE) / 2))
    ends = zip((phi - wide).tolist(), (phi + wide).tolist(), strict=True)
    return dict(zip(names, ends, strict=True))
