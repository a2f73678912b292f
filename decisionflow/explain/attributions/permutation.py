"""Interventional Shapley values estimated by walking through random orders of the columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from decisionflow.explain.attributions.attribution import Function
from decisionflow.explain.attributions.blending import Blend, blend
from decisionflow.explain.attributions.intervals import Intervals, t_intervals

MOST_ROWS = 2_000_000
PAIRS_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class Estimate:
    """Base, Shapley values (d,), the function's value at the row, rows drawn, each standard error (d,).

    `freedom` is the number of independent draws behind the errors, less those that their means use up.
    """

    base: float
    phi: NDArray[np.float64]
    value: float
    background_rows: int
    errors: NDArray[np.float64]
    freedom: int

    @property
    def standard_error(self) -> float:
        """The largest."""
        return float(self.errors.max(initial=0.0))

    def intervals(self, names: Sequence[str]) -> Intervals:
        """95 % t intervals of the values."""
        return t_intervals(names, self.phi, self.errors, self.freedom)


def permutation_shapley(
    function: Function,
    row: pd.DataFrame,
    background: pd.DataFrame,
    seed: int,
    standard_error: float | None = None,
    most_rows: int = MOST_ROWS,
) -> Estimate:
    """Antithetic permutation sampling until every column's standard error is at most `standard_error`.

    Each draw takes a background row, an order of the columns and its reverse, and walks from that row to the row
    explained. A round takes every background row once; if four rounds would cost more than `most_rows` rows given to
    the function, rows are drawn for all rounds beforehand. Not given, the standard error asked for is one hundredth of
    the function's range over the background. Stops after `most_rows`, and then says by its standard error how far it
    came. `base` is the mean over the rows used, so base plus the sum is the value. Mitchell, Cooper, Frank, Holmes,
    Sampling permutations for Shapley value estimation, JMLR 23, 2022; the error counts the draws of rows only where
    not all are used.
    """
    rng = np.random.default_rng(seed)
    mixture = blend(row, background)
    players = np.flatnonzero(mixture.differs.any(axis=0))
    cost = 2 * max(1, len(players) - 1)
    rows = _rows_for(mixture.rows, max(2, most_rows // (4 * cost)), rng)
    outputs = function(background[list(mixture.columns)].iloc[rows])
    value = float(function(row)[0])
    phi, errors = np.zeros(len(mixture.columns)), np.zeros(len(mixture.columns))
    if len(players) == 0:
        return Estimate(float(outputs.mean()), phi, value, len(rows), errors, 1)
    whole = len(rows) == mixture.rows
    asked = standard_error if standard_error is not None else 0.01 * _range(outputs, value)
    shares: list[NDArray[np.float64]] = []
    most_rounds = max(2, most_rows // (len(rows) * cost))
    while not shares or (errors.max() > asked and len(shares) < most_rounds):
        shares.append(_round(function, mixture, players, rows, outputs, value, rng))
        errors[players] = _errors(np.stack(shares), whole)
    phi[players] = np.mean(shares, axis=(0, 1))
    freedom = len(rows) * (len(shares) - 1) if whole else len(rows) - 1
    return Estimate(float(outputs.mean()), phi, value, len(rows), errors, freedom)


def _rows_for(rows: int, most: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """All positions, or `most` of them drawn once."""
    return np.arange(rows) if rows <= most else np.sort(rng.choice(rows, most, replace=False))


def _round(
    function: Function,
    mixture: Blend,
    players: NDArray[np.intp],
    rows: NDArray[np.intp],
    starts: NDArray[np.float64],
    value: float,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """One walk and its reverse from every background row: (n, k)."""
    parts = [
        _walk(
            function,
            mixture,
            players,
            rows[first : first + PAIRS_AT_ONCE],
            starts[first : first + PAIRS_AT_ONCE],
            value,
            rng,
        )
        for first in range(0, len(rows), PAIRS_AT_ONCE)
    ]
    return np.concatenate(parts)


def _walk(
    function: Function,
    mixture: Blend,
    players: NDArray[np.intp],
    rows: NDArray[np.intp],
    starts: NDArray[np.float64],
    value: float,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """For each background row (m,), each player's gain averaged over an order and its reverse: (m, k)."""
    orders = rng.permuted(np.tile(np.arange(len(players)), (len(rows), 1)), axis=1)
    forward = _gains(function, mixture, players, rows, starts, value, orders)
    backward = _gains(function, mixture, players, rows, starts, value, orders[:, ::-1])
    return (forward + backward) / 2


def _gains(
    function: Function,
    mixture: Blend,
    players: NDArray[np.intp],
    rows: NDArray[np.intp],
    starts: NDArray[np.float64],
    value: float,
    orders: NDArray[np.intp],
) -> NDArray[np.float64]:
    steps = len(players)
    rank = np.argsort(orders, axis=1)
    worth = np.empty((len(rows), steps + 1))
    worth[:, 0], worth[:, -1] = starts, value
    if steps > 1:
        joined = rank[:, None, :] < np.arange(1, steps)[None, :, None]
        members = np.ones((len(rows) * (steps - 1), len(mixture.columns)), dtype=bool)
        members[:, players] = joined.reshape(-1, steps)
        worth[:, 1:-1] = function(mixture.mixed(members, np.repeat(rows, steps - 1))).reshape(len(rows), -1)
    return np.take_along_axis(np.diff(worth, axis=1), rank, axis=1)


def _range(outputs: NDArray[np.float64], value: float) -> float:
    return float(max(outputs.max(), value) - min(outputs.min(), value))


def _errors(shares: NDArray[np.float64], whole: bool) -> NDArray[np.float64]:
    """Standard errors (k,) of the mean over rounds and rows (r, n, k); unknown after one round of all rows."""
    rounds, rows, players = shares.shape
    if not whole:
        return np.asarray(shares.mean(axis=0).std(axis=0, ddof=1) / np.sqrt(rows))
    if rounds < 2:
        return np.full(players, np.inf)
    return np.asarray(np.sqrt(shares.var(axis=0, ddof=1).mean(axis=0) / (rounds * rows)))
