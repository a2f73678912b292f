"""The most that any rule can gain after some others took their rows: branch and bound over what they take."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from decisionflow.learn.prefix_search.bits import (
    Amounts,
    Integers,
    Words,
    inner,
    order_descending,
    restrict,
    room_for,
    total,
    total_by_rule,
)
from decisionflow.learn.prefix_search.task import GAIN_0, GAIN_1, LOSS_0, LOSS_1, Task

CANDIDATE, LOSS_INSIDE, GAIN_INSIDE, ORDER = range(4)
COUNT, NEXT, LOSS, GAIN = range(4)
BEST, VISITS_LEFT, LABEL, RULE, LEVEL, OPENS = range(6)


class Removal(NamedTuple):
    """Room for a search over sets of removed rules; level q holds what is left after q removals.

    `left[q]` the classes; `candidates[q]` (4, k): the rules that may still be removed, what each holds of loss and of
    gain, and their places, most loss first; `state[q]`: number of candidates, next candidate, loss and gain left.
    `facts`: the largest net gain proved possible or not worth knowing, the states that may still be visited, and where
    the search stands: label, rule, level (-1: at none), and whether the level is still to be opened.
    `inside` (2, k): loss and gain of what is left in every rule; `largest`: room for one amount per removal.
    """

    left: Words
    candidates: NDArray[np.int64]
    state: NDArray[np.int64]
    facts: NDArray[np.int64]
    inside: NDArray[np.int64]
    largest: NDArray[np.int64]


def room_for_removals(rules: Words, removals: int, threshold: int) -> Removal:
    """Room for up to so many removed rules; net gains up to `threshold` are not looked for."""
    count, words = rules.shape
    return Removal(
        left=np.zeros((removals + 1, words), dtype=np.uint64),
        candidates=np.zeros((removals + 1, 4, count), dtype=np.int64),
        state=np.zeros((removals + 1, 4), dtype=np.int64),
        facts=np.array([threshold, 0, 0, 0, -1, 0], dtype=np.int64),
        inside=np.zeros((2, count), dtype=np.int64),
        largest=np.zeros(removals + 1, dtype=np.int64),
    )


@njit(cache=True)
def search_gains(task: Task, removals: int, room: Removal, visits: int) -> bool:
    """Raise the best of `room` to the largest net gain of any rule, under any label, less up to `removals` others.

    False if the visits ran out before this was proved: another call goes on from there. Branch and bound in
    set-enumeration order; a rule is a candidate for removal only while what it leaves could still gain more than the
    best, and while it takes away some loss.
    """
    facts, live = room.facts, room_for(task.amounts)
    facts[VISITS_LEFT] = visits
    while facts[LABEL] < 2:
        loss, gain = (LOSS_0, GAIN_0) if facts[LABEL] == 0 else (LOSS_1, GAIN_1)
        while facts[RULE] < len(task.rules):
            if facts[LEVEL] < 0:
                _begin_rule(task, live, loss, gain, removals, room)
            if not _search_below(task, live, loss, gain, removals, room):
                return False
            facts[RULE] += 1
        facts[RULE] = 0
        facts[LABEL] += 1
    return True


@inner
def _begin_rule(task: Task, live: Amounts, loss: int, gain: int, removals: int, room: Removal) -> None:
    """Level 0: the rule itself; nothing to search below it if it cannot gain more than the best."""
    facts, state = room.facts, room.state[0]
    for word in range(task.rules.shape[1]):
        room.left[0, word] = task.rules[facts[RULE], word]
    restrict(task.amounts, room.left[0], live)
    state[LOSS], state[GAIN] = total(live, loss), total(live, gain)
    facts[BEST] = max(facts[BEST], state[GAIN] - state[LOSS])
    if state[GAIN] > facts[BEST] and removals > 0:
        state[COUNT] = len(task.rules)
        for other in range(len(task.rules)):
            room.candidates[0, CANDIDATE, other] = other
        facts[LEVEL], facts[OPENS] = 0, 1


@inner
def _search_below(task: Task, live: Amounts, loss: int, gain: int, removals: int, room: Removal) -> bool:
    """Depth first below `room.left[0]`, with an explicit stack; False if the visits ran out."""
    facts = room.facts
    while facts[LEVEL] >= 0:
        if facts[VISITS_LEFT] <= 0:
            return False
        level = facts[LEVEL]
        if facts[OPENS] == 1:
            _open_level(task, live, loss, gain, removals, room, level)
        place = _next_branch(task.shared[loss], room, level, removals - level)
        facts[OPENS] = 1 if place >= 0 else 0
        if place >= 0:
            _remove(task.rules, room, level, place)
        facts[LEVEL] += 1 if place >= 0 else -1
    return True


@inner
def _remove(rules: Words, room: Removal, level: int, place: int) -> None:
    """Make the next level: without the candidate at `place`, and with those behind it to choose from."""
    candidates, state, below = room.candidates[level], room.state[level], level + 1
    order, chosen = candidates[ORDER], candidates[ORDER, place]
    removed = rules[candidates[CANDIDATE, chosen]]
    for word in range(len(removed)):
        room.left[below, word] = room.left[level, word] & ~removed[word]
    room.state[below, LOSS] = state[LOSS] - candidates[LOSS_INSIDE, chosen]
    room.state[below, GAIN] = state[GAIN] - candidates[GAIN_INSIDE, chosen]
    room.state[below, COUNT] = state[COUNT] - place - 1
    for rank in range(room.state[below, COUNT]):
        room.candidates[below, CANDIDATE, rank] = candidates[CANDIDATE, order[place + 1 + rank]]


@inner
def _open_level(task: Task, live: Amounts, loss: int, gain: int, removals: int, room: Removal, level: int) -> None:
    """Measure the candidates of a level, keep those that can help, most loss first, and note what each gives alone."""
    room.facts[VISITS_LEFT] -= 1
    candidates, state = room.candidates[level], room.state[level]
    lost, gained = room.inside[0], room.inside[1]
    restrict(task.amounts, room.left[level], live)
    total_by_rule(live, loss, task.rules_by_word, lost)
    total_by_rule(live, gain, task.rules_by_word, gained)
    kept = 0
    for place in range(state[COUNT]):
        rule = candidates[CANDIDATE, place]
        if state[GAIN] - gained[rule] > room.facts[BEST] and lost[rule] > 0:
            candidates[CANDIDATE, kept], candidates[LOSS_INSIDE, kept] = rule, lost[rule]
            candidates[GAIN_INSIDE, kept] = gained[rule]
            room.facts[BEST] = max(room.facts[BEST], state[GAIN] - gained[rule] - state[LOSS] + lost[rule])
            kept += 1
    state[COUNT] = kept
    state[NEXT] = kept
    if level < removals - 1:
        state[NEXT] = 0
        order_descending(candidates[LOSS_INSIDE, :kept], candidates[ORDER, :kept])


@inner
def _next_branch(shared: Integers, room: Removal, level: int, removals: int) -> int:
    """The next candidate whose removal, with `removals` - 1 later ones, may beat the best; -1 if none is left."""
    candidates, state = room.candidates[level], room.state[level]
    order = candidates[ORDER]
    while state[NEXT] < state[COUNT]:
        place = state[NEXT]
        state[NEXT] += 1
        relief = 0
        for other in range(place, min(place + removals, state[COUNT])):
            relief += candidates[LOSS_INSIDE, order[other]]
        if state[GAIN] - max(0, state[LOSS] - relief) <= room.facts[BEST]:
            return -1
        gain, loss = state[GAIN] - candidates[GAIN_INSIDE, order[place]], state[LOSS]
        if gain - max(0, loss - relief) > room.facts[BEST]:
            relief = candidates[LOSS_INSIDE, order[place]] + _relief_behind(shared, room, level, place, removals - 1)
            if gain - max(0, loss - relief) > room.facts[BEST]:
                return place
    return -1


@inner
def _relief_behind(shared: Integers, room: Removal, level: int, place: int, removals: int) -> int:
    """The most that so many candidates behind `place` can take off the loss that the one at `place` leaves.

    Two rules share at least so much loss inside what is left as they share in all, less what one of them has outside.
    """
    candidates, largest = room.candidates[level], room.largest[:removals]
    order = candidates[ORDER]
    rule, inside = candidates[CANDIDATE, order[place]], candidates[LOSS_INSIDE, order[place]]
    outside = shared[rule, rule] - inside
    for rank in range(removals):
        largest[rank] = 0
    for later in range(place + 1, room.state[level, COUNT]):
        other, loss = candidates[CANDIDATE, order[later]], candidates[LOSS_INSIDE, order[later]]
        if loss <= largest[removals - 1]:
            break
        twice = max(0, shared[rule, other] - min(outside, shared[other, other] - loss))
        _insert(largest, loss - twice)
    relief = 0
    for amount in largest:
        relief += amount
    return relief


@inner
def _insert(largest: Integers, amount: int) -> None:
    """Put an amount among the largest ones, which are in descending order, and drop the last."""
    place = len(largest) - 1
    if amount <= largest[place]:
        return
    while place > 0 and largest[place - 1] < amount:
        largest[place] = largest[place - 1]
        place -= 1
    largest[place] = amount
