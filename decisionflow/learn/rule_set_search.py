"""Local search over a positive and a negative rule set, compiled."""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from decisionflow.learn.bit_sets import Words, lowest_bit

Floats = NDArray[np.float64]
Counts = NDArray[np.int32]
Flags = NDArray[np.bool_]
BLACK_BOX, POSITIVE, NEGATIVE = range(3)
ADD, DROP, EXCHANGE = range(3)
TRIES = 50


@njit(cache=True)
def _draw(state: Words) -> float:
    """A uniform number from [0, 1) (SplitMix64: Steele, Lea, Flood 2014)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    word = state[0]
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((word ^ (word >> np.uint64(31))) >> np.uint64(11)) * 2.0**-53


@njit(cache=True)
def _side(covering: Counts, row: int) -> int:
    """Who answers a row: the positive set first, then the negative one, then the black box."""
    if covering[row, 0] > 0:
        return POSITIVE
    return NEGATIVE if covering[row, 1] > 0 else BLACK_BOX


@njit(cache=True)
def change(
    rule: int, kind: int, step: int, candidates: Words, costs: Floats, covering: Counts, chosen: Flags, sums: Floats
) -> None:
    """Put a rule into a set (step 1) or take it out (step -1), and keep count.

    `costs` `(rows, 4)`: of an answer by the black box, the positive, the negative set, and the row's weight.
    `covering` `(rows, 2)` counts rules per set, `sums` `(3,)` are total cost, covered weight and number of rules.
    """
    chosen[kind, rule] = step > 0
    sums[2] += step
    for word in range(candidates.shape[1]):
        bits = candidates[rule, word]
        while bits:
            row = word * 64 + lowest_bit(bits)
            bits &= bits - np.uint64(1)
            before = _side(covering, row)
            covering[row, kind] += step
            after = _side(covering, row)
            if before != after:
                sums[0] += costs[row, after] - costs[row, before]
                sums[1] += costs[row, 3] * ((after != BLACK_BOX) - (before != BLACK_BOX))


@njit(cache=True)
def _covers(candidates: Words, rule: int, row: int) -> bool:
    return (candidates[rule, row >> 6] >> np.uint64(row & 63)) & np.uint64(1) == np.uint64(1)


@njit(cache=True)
def _pick_member(chosen: Flags, kind: int, row: int, candidates: Words, state: Words) -> int:
    """A random rule of a set; of those that cover a row, if one is given; -1 where there is none."""
    found, seen = -1, 0
    for rule in range(len(candidates)):
        if chosen[kind, rule] and (row < 0 or _covers(candidates, rule, row)):
            seen += 1
            if _draw(state) * seen < 1.0:
                found = rule
    return found


@njit(cache=True)
def _pick_other(chosen: Flags, kind: int, row: int, covering_row: bool, candidates: Words, state: Words) -> int:
    """A random rule outside a set that does (or does not) cover a row, if one is given; -1 where none is met soon."""
    for _ in range(TRIES):
        rule = int(_draw(state) * len(candidates))
        if not chosen[kind, rule] and (row < 0 or _covers(candidates, rule, row) == covering_row):
            return rule
    return -1


@njit(cache=True)
def _open_row(costs: Floats, cumulative: Floats, covering: Counts, state: Words) -> int:
    """A row that is answered wrongly or by the black box, with a chance that grows with its weight; or -1."""
    for _ in range(TRIES):
        row = np.searchsorted(cumulative, _draw(state) * cumulative[-1], side="right")
        side = _side(covering, row)
        if side == BLACK_BOX or _draw(state) * costs[row, 3] < costs[row, side]:
            return row
    return -1


@njit(cache=True)
def _propose(
    chosen: Flags, covering: Counts, candidates: Words, costs: Floats, cumulative: Floats, state: Words, move: Counts
) -> None:
    """Write a move to `move` `(3,)`: the set, the rule to drop (-1: none), the rule to add (-1: none).

    Half of the time at random, half of the time one that mends a row answered wrongly or by the black box.
    """
    kind, row = int(_draw(state) * 2), -1
    drops_cover, adds_cover = False, True
    if _draw(state) < 0.5:
        row = _open_row(costs, cumulative, covering, state)
    operation = int(_draw(state) * 3)
    if row >= 0:
        side = _side(covering, row)
        right = 0 if costs[row, POSITIVE] <= costs[row, NEGATIVE] else 1
        kind = right
        if side == POSITIVE or (side == NEGATIVE and _draw(state) < 0.5):
            kind, drops_cover, adds_cover = side - 1, True, False
            operation = DROP if operation == ADD else operation
        else:
            operation = ADD if operation == DROP else operation
    move[0], move[1], move[2] = kind, -1, -1
    if operation != ADD:
        move[1] = _pick_member(chosen, kind, row if drops_cover else -1, candidates, state)
    if operation != DROP:
        move[2] = _pick_other(chosen, kind, row, adds_cover, candidates, state)


@njit(cache=True)
def _value(sums: Floats, total: float, regularization: float, required: float) -> float:
    """Eq. 6; the share of rows still missing to a required coverage costs as much as errors."""
    return (sums[0] + max(0.0, required - sums[1])) / total + regularization * sums[2]


@njit(cache=True)
def walk(
    steps: int,
    first_step: int,
    candidates: Words,
    costs: Floats,
    cumulative: Floats,
    covering: Counts,
    chosen: Flags,
    sums: Floats,
    best: Flags,
    best_objective: float,
    state: Words,
    move: Counts,
    regularization: float,
    temperature: float,
    required: float,
    max_rules: int,
) -> float:
    """So many annealed steps from the sets `chosen` `(2, candidates)`; the objective of the best pair of sets seen.

    Sets that cover less weight than `required` are never the best; a step to more than `max_rules` is not taken.
    """
    objective = _value(sums, cumulative[-1], regularization, required)
    for step in range(steps):
        _propose(chosen, covering, candidates, costs, cumulative, state, move)
        kind, dropped, added = move[0], move[1], move[2]
        if dropped < 0 and added < 0:
            continue
        if dropped >= 0:
            change(dropped, kind, -1, candidates, costs, covering, chosen, sums)
        if added >= 0:
            change(added, kind, 1, candidates, costs, covering, chosen, sums)
        value = _value(sums, cumulative[-1], regularization, required)
        gain = (objective - value) * math.log2(1.0 + first_step + step) / temperature
        if sums[2] > max_rules or (gain < 0 and _draw(state) > math.exp(gain)):
            if added >= 0:
                change(added, kind, -1, candidates, costs, covering, chosen, sums)
            if dropped >= 0:
                change(dropped, kind, 1, candidates, costs, covering, chosen, sums)
            continue
        objective = value
        if objective < best_objective and sums[1] >= required:
            best_objective = objective
            for rule in range(len(candidates)):
                best[0, rule], best[1, rule] = chosen[0, rule], chosen[1, rule]
    return best_objective
