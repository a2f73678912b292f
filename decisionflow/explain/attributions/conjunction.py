"""Shapley values of a conjunction of conditions, in closed form."""

from __future__ import annotations

from functools import lru_cache
from math import comb, factorial

import numpy as np
from numpy.typing import NDArray


def conjunction_shapley(row: NDArray[np.bool_], background: NDArray[np.bool_]) -> tuple[float, NDArray[np.float64]]:
    """Base and interventional Shapley values (d,) of "every feature's condition holds".

    `row` (d,) says which features of the row explained satisfy their condition, `background` (n, d) which of each
    background row do; the conditions of one feature have been merged into one. Per background row, with P the features
    that only the row satisfies and N those that only the background row satisfies: all are zero if any feature fails
    in both; else each in P gets (|P|−1)!|N|!/(|P|+|N|)! and each in N −|P|!(|N|−1)!/(|P|+|N|)!. The mean is returned;
    base plus the sum is 1 where the row satisfies all, else 0. Costs O(n d).
    """
    only_row, only_background = row & ~background, ~row & background
    alive = np.asarray((row | background).all(axis=1))
    ahead, behind = only_row.sum(axis=1), only_background.sum(axis=1)
    gain, loss = conjunction_weights(len(row))
    shares = np.where(only_row, gain[ahead, behind][:, None], 0.0)
    shares = np.where(only_background, loss[ahead, behind][:, None], shares)
    phi = np.where(alive[:, None], shares, 0.0).mean(axis=0)
    return float(background.all(axis=1).mean()), phi


@lru_cache(maxsize=64)
def conjunction_weights(features: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The two fractions for |P| and |N| up to `features`, each (features + 1, features + 1), indexed [|P|, |N|]."""
    gain, loss = np.zeros((features + 1, features + 1)), np.zeros((features + 1, features + 1))
    for ahead in range(features + 1):
        for behind in range(features + 1 - ahead):
            if ahead:
                gain[ahead, behind] = 1 / (ahead * comb(ahead + behind, ahead))
            if behind:
                loss[ahead, behind] = -1 / (behind * comb(ahead + behind, behind))
    return gain, loss


@lru_cache(maxsize=64)
def subset_weights(players: int) -> NDArray[np.float64]:
    """Shapley's weight |S|!(k−|S|−1)!/k! for coalitions of size 0 to k−1 among k players."""
    return np.array([factorial(s) * factorial(players - s - 1) / factorial(players) for s in range(players)])
