"""Exact interventional Shapley values by trying every coalition of columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from decisionflow.explain.attributions.attribution import Function
from decisionflow.explain.attributions.blending import Blend, blend
from decisionflow.explain.attributions.conjunction import subset_weights

MOST_PLAYERS = 12
BLOCK = 200_000


def effective_columns(mixture: Blend) -> NDArray[np.intp]:
    """Positions of the columns in which some background row differs from the row; the others have no effect."""
    return np.flatnonzero(mixture.differs.any(axis=0))


def enumeration_shapley(
    function: Function, row: pd.DataFrame, background: pd.DataFrame
) -> tuple[float, NDArray[np.float64], float]:
    """Base, Shapley values (d,) and the function's value at the row (1, d), over the whole background (n, d).

    Players are the columns; a coalition's worth is the mean of the function over the background rows with the
    coalition's columns taken from the row. Calls the function on 2^k times the distinct background rows, k the columns
    in which the background differs from the row, in blocks. Raises ValueError for more than 12 such columns.
    """
    mixture = blend(row, background)
    players = effective_columns(mixture)
    if len(players) > MOST_PLAYERS:
        raise ValueError(f"{len(players)} columns differ; at most {MOST_PLAYERS} can be enumerated")
    rows, shares = mixture.distinct()
    worth = np.empty(2 ** len(players))
    for coalitions in _blocks(len(worth), max(1, BLOCK // len(rows))):
        members = np.repeat(_members(coalitions, players, len(mixture.columns)), len(rows), axis=0)
        found = function(mixture.mixed(members, np.tile(rows, len(coalitions))))
        worth[coalitions] = found.reshape(len(coalitions), len(rows)) @ shares
    phi = np.zeros(len(mixture.columns))
    phi[players] = shapley_of(worth)
    return float(worth[0]), phi, float(worth[-1])


def difference_shapley(
    function: Function, row: pd.DataFrame, background: pd.DataFrame, read: NDArray[np.bool_] | None = None
) -> tuple[float, NDArray[np.float64], float]:
    """As `enumeration_shapley`, coalition by coalition for each background row over the columns that differ in it.

    For rule lists and tables, where a background row differs from the row in few columns that matter although many
    differ somewhere. `read` (n, d) leaves out, for a background row, the columns that nothing reached reads. Raises
    ValueError where more than 12 columns remain for some row.
    """
    mixture = blend(row, background)
    plays = mixture.differs if read is None else mixture.differs & read
    if plays.sum(axis=1).max(initial=0) > MOST_PLAYERS:
        raise ValueError(f"more than {MOST_PLAYERS} columns differ in one background row")
    rows, shares = np.arange(mixture.rows), np.full(mixture.rows, 1.0 / mixture.rows)
    if read is None:
        rows, shares = mixture.distinct()
    base, phi, value = 0.0, np.zeros(len(mixture.columns)), 0.0
    for batch in _batches(2 ** plays[rows].sum(axis=1)):
        games = [np.flatnonzero(plays[each]) for each in rows[batch]]
        members = [_members(np.arange(2 ** len(each)), each, len(mixture.columns)) for each in games]
        sizes = [len(each) for each in members]
        found = function(mixture.mixed(np.concatenate(members), np.repeat(rows[batch], sizes)))
        for players, worth, share in zip(games, np.split(found, np.cumsum(sizes)[:-1]), shares[batch], strict=True):
            base, value = base + share * float(worth[0]), value + share * float(worth[-1])
            phi[players] += share * shapley_of(worth)
    return base, phi, value


def coded_shapley(
    worth: Callable[[NDArray[np.intp]], NDArray[np.float64]],
    row: NDArray[np.intp],
    background: NDArray[np.intp],
    shares: NDArray[np.float64],
    plays: NDArray[np.bool_],
) -> tuple[float, NDArray[np.float64], float]:
    """As `enumeration_shapley`, of a function of codes: the row (d,), each kind of background row (n, d), its share.

    What does not play (d,) keeps its value of the background in every coalition.
    """
    players = np.flatnonzero((background != row).any(axis=0) & plays)
    means = np.empty(2 ** len(players))
    for coalitions in _blocks(len(means), max(1, BLOCK // len(background))):
        members = _members(coalitions, players, len(row)) & plays
        mixed = np.where(members[:, None, :], row, background).reshape(-1, len(row))
        means[coalitions] = worth(mixed).reshape(len(coalitions), -1) @ shares
    phi = np.zeros(len(row))
    phi[players] = shapley_of(means)
    return float(means[0]), phi, float(means[-1])


def shapley_of(worth: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shapley values (k,) of a game given as the worth (2^k,) of each coalition, player i being bit i."""
    players = len(worth).bit_length() - 1
    coalitions = np.arange(len(worth))
    sizes = np.bitwise_count(coalitions)
    weights = subset_weights(players)
    phi = np.empty(players)
    for player in range(players):
        without = coalitions[(coalitions >> player) & 1 == 0]
        phi[player] = weights[sizes[without]] @ (worth[without | (1 << player)] - worth[without])
    return phi


def _members(coalitions: NDArray[np.intp], players: NDArray[np.intp], width: int) -> NDArray[np.bool_]:
    """Which columns each coalition (m,) takes from the row, those that do not play included: (m, width)."""
    members = np.ones((len(coalitions), width), dtype=bool)
    members[:, players] = (coalitions[:, None] >> np.arange(len(players))) & 1 == 1
    return members


def _blocks(total: int, size: int) -> Iterator[NDArray[np.intp]]:
    for start in range(0, total, size):
        yield np.arange(start, min(total, start + size))


def _batches(sizes: NDArray[np.intp]) -> Iterator[NDArray[np.intp]]:
    """Positions in runs whose sizes add up to a block or less, a larger one standing alone."""
    ends = np.cumsum(sizes)
    first = 0
    while first < len(sizes):
        before = ends[first] - sizes[first]
        last = max(first + 1, int(np.searchsorted(ends, before + BLOCK, side="right")))
        yield np.arange(first, last)
        first = last
