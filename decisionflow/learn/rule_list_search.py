"""Stochastic local search over rule lists (companion rule lists, Algorithm 1), compiled."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from decisionflow.learn.bit_sets import Words, lowest_bit

Floats = NDArray[np.float64]
Places = NDArray[np.int64]
ADD, REMOVE, SWAP, REPLACE = range(4)


@njit(cache=True)
def _copy(source: Any, target: Any) -> None:
    for place in range(len(source)):
        target[place] = source[place]


@njit(cache=True)
def _take(candidate: Words, uncovered: Words, left: Words, weights: Floats, taken: Floats) -> None:
    """Sums of weights `(rows, 3)` over what a candidate takes of the uncovered rows; `left` is what it leaves."""
    everything, ones, right = 0.0, 0.0, 0.0
    for word in range(len(candidate)):
        bits = candidate[word] & uncovered[word]
        left[word] = uncovered[word] & ~candidate[word]
        while bits:
            row = word * 64 + lowest_bit(bits)
            everything += weights[row, 0]
            ones += weights[row, 1]
            right += weights[row, 2]
            bits &= bits - np.uint64(1)
    taken[0], taken[1], taken[2] = everything, ones, right


@njit(cache=True)
def evaluate(
    chosen: Places, length: int, start: int, candidates: Words, weights: Floats, left: Words, taken: Floats
) -> None:
    """Bring `left[m]` (rows that the first m rules leave) and `taken[m]` up to date from place `start` on."""
    for place in range(start, length):
        _take(candidates[chosen[place]], left[place], left[place + 1], weights, taken[place])


@njit(cache=True)
def area(taken: Floats, length: int, total: float, black_box_right: float) -> float:
    """Proposition 4 with T_0 = 0 and A_0 the black box's accuracy; a rule answers with its majority."""
    right, surface = black_box_right, 0.0
    for place in range(length):
        everything, ones, black_box = taken[place]
        gained = max(ones, everything - ones) - black_box
        surface += (right + 0.5 * gained) * everything
        right += gained
    return surface / (total * total)


@njit(cache=True)
def _holds(chosen: Places, length: int, candidate: int) -> bool:
    for place in range(length):  # noqa: SIM110  compiled code has no generators
        if chosen[place] == candidate:
            return True
    return False


@njit(cache=True)
def _propose(chosen: Places, length: int, draws: Floats, count: int, proposed: Places) -> tuple[int, int]:
    """Write a neighbour of a list to `proposed`; its length, and the first place that differs (-1: no move)."""
    move, fresh = int(draws[0] * 4), int(draws[2] * count)
    if (move == ADD and length == len(chosen)) or (move != ADD and length == 0):
        return length, -1
    if (move in (ADD, REPLACE)) and _holds(chosen, length, fresh):
        return length, -1
    place = int(draws[1] * (length + (move == ADD)))
    shift = 1 if move == ADD else (-1 if move == REMOVE else 0)
    for old in range(length):
        if old < place or shift == 0:
            proposed[old] = chosen[old]
        elif old > place or shift == 1:
            proposed[old + shift] = chosen[old]
    if move in (ADD, REPLACE):
        proposed[place] = fresh
    if move == SWAP:
        other = int(draws[2] * length)
        proposed[place], proposed[other] = chosen[other], chosen[place]
        return length, (-1 if place == other else min(place, other))
    return length + shift, place


@njit(cache=True)
def _value(taken: Floats, length: int, totals: Floats, alpha: float, required: float) -> float:
    """Eq. 4; the share of rows still missing to a required coverage is taken off."""
    covered = 0.0
    for place in range(length):
        covered += taken[place, 0]
    return area(taken, length, totals[0], totals[2]) - alpha * length - max(0.0, required - covered) / totals[0]


@njit(cache=True)
def walk(
    chosen: Places,
    length: int,
    best: Places,
    best_length: int,
    best_objective: float,
    first_step: int,
    draws: Floats,
    candidates: Words,
    weights: Floats,
    left: Words,
    taken: Floats,
    proposed: Places,
    next_left: Words,
    next_taken: Floats,
    totals: Floats,
    alpha: float,
    temperature: float,
    required: float,
) -> tuple[int, int, float]:
    """Take one step for each row of draws `(steps, 4)` from the list `chosen[:length]`, whose `left` and `taken` hold.

    Returns the lengths of the current and best lists and the best objective. Arrays are changed in place; `proposed`,
    `next_left` and `next_taken` are room for a neighbour. `totals` `(3,)` sums the weights. A list that takes less
    than `required` is never the best.
    """
    objective = _value(taken, length, totals, alpha, required)
    for step in range(len(draws)):
        next_length, start = _propose(chosen, length, draws[step], len(candidates), proposed)
        if start < 0:
            continue
        _copy(left[start], next_left[start])
        for place in range(start):
            _copy(taken[place], next_taken[place])
        evaluate(proposed, next_length, start, candidates, weights, next_left, next_taken)
        value = _value(next_taken, next_length, totals, alpha, required)
        gain = (value - objective) * math.log2(1.0 + first_step + step) / temperature
        if gain < 0 and draws[step, 3] > math.exp(gain):
            continue
        covered = 0.0
        for place in range(next_length):
            chosen[place] = proposed[place]
            _copy(next_taken[place], taken[place])
            covered += taken[place, 0]
            if place >= start:
                _copy(next_left[place + 1], left[place + 1])
        length, objective = next_length, value
        if objective > best_objective and covered >= required:
            for place in range(length):
                best[place] = chosen[place]
            best_length, best_objective = length, objective
    return length, best_length, best_objective
