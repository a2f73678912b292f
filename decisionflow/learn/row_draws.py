"""Uniform draws that belong to a row: the same values and seed give the same draw, in any order or batch."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Words = NDArray[np.uint64]


def row_draws(frame: pd.DataFrame, seed: int) -> NDArray[np.float64]:
    """One draw from [0, 1) for each row `(n,)`, from a hash of the row's values and the seed."""
    hashes: Words = pd.util.hash_pandas_object(frame, index=False).to_numpy().astype(np.uint64)
    salt: Words = np.full(1, seed % 2**64, dtype=np.uint64)
    words = _mixed(hashes ^ _mixed(salt)) >> np.uint64(11)
    return words.astype(np.float64) * 2.0**-53


def _mixed(words: Words) -> Words:
    """The finaliser of SplitMix64 (Steele, Lea, Flood 2014)."""
    words = words + np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))
