"""Local times of a whole column as instants."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def instants(moments: NDArray[np.datetime64], zone: str) -> NDArray[np.datetime64]:
    """Local times `(n,)` as instants in UTC; NaT where a clock change skips or repeats the time (law 6)."""
    import pandas as pd

    local = pd.DatetimeIndex(moments).tz_localize(zone, ambiguous="NaT", nonexistent="NaT")
    return local.tz_convert("UTC").tz_localize(None).to_numpy()
