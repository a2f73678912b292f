"""How much a rule can gain at most at each place of a list: what makes the bound of the Post paradigm close.

A rule takes the rows of its condition less those of earlier rules; it cannot choose among them. So its net gain at
place i is at most that of a candidate less any i - 1 others, whatever the list, the penalty and the transparency.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from decisionflow.learn.prefix_search.bits import Amounts, Words, inner, order_descending, restrict, room_for, total
from decisionflow.learn.prefix_search.bits import popcount as _popcount
from decisionflow.learn.prefix_search.task import BOTH_GAINS, GAIN_0, GAIN_1, LOSS_0, LOSS_1, Task

CANDIDATE, LOSS_INSIDE, GAIN_INSIDE, ORDER = range(4)


class Removal(NamedTuple):
    """Room for a search over sets of removed rules; level q holds what is left after q removals.

    `left[q]` the classes; `candidates[q]` (4, k): the rules that may still be removed, what each holds of loss and of
    gain, and their places, most loss first; `state[q]`: number of candidates, next candidate, loss and gain left.
    `best[0]`: the largest net gain proved possible or not worth knowing, `best[1]`: states that may still be visited.
    """

    left: Words
    candidates: NDArray[np.int64]
    state: NDArray[np.int64]
    best: NDArray[np.int64]


COUNT, NEXT, LOSS, GAIN = range(4)


def room_for_removals(rules: Words, removals: int, threshold: int, visits: int) -> Removal:
    """Room for up to so many removed rules; net gains up to `threshold` are not looked for."""
    count, words = rules.shape
    return Removal(
        left=np.zeros((removals + 1, words), dtype=np.uint64),
        candidates=np.zeros((removals + 1, 4, count), dtype=np.int64),
        state=np.zeros((removals + 1, 4), dtype=np.int64),
        best=np.array([threshold, visits], dtype=np.int64),
    )


@njit(cache=True)
def search_gains(rules: Words, amounts: Amounts, removals: int, room: Removal) -> bool:
    """Raise `room.best[0]` to the largest net gain of any rule, under any label, less up to `removals` others.

    False if the visits ran out before this was proved. Branch and bound in set-enumeration order; a rule is a candidate
    for removal only while what it leaves could still gain more than the best, and while it takes away some loss.
    """
    live = room_for(amounts)
    for label in range(2):
        loss, gain = (LOSS_0, GAIN_0) if label == 0 else (LOSS_1, GAIN_1)
        for rule in range(len(rules)):
            for word in range(rules.shape[1]):
                room.left[0, word] = rules[rule, word]
            restrict(amounts, room.left[0], live)
            room.state[0, LOSS], room.state[0, GAIN] = total(live, loss), total(live, gain)
            room.best[0] = max(room.best[0], room.state[0, GAIN] - room.state[0, LOSS])
            if room.state[0, GAIN] <= room.best[0] or removals == 0:
                continue
            for other in range(len(rules)):
                room.candidates[0, CANDIDATE, other] = other
            if not _search_below(rules, amounts, live, loss, gain, len(rules), removals, room):
                return False
    return True


@inner
def _search_below(
    rules: Words, amounts: Amounts, live: Amounts, loss: int, gain: int, offered: int, removals: int, room: Removal
) -> bool:
    """Depth first below `room.left[0]`, with an explicit stack."""
    level = 0
    _open_level(rules, amounts, live, loss, gain, offered, removals, room, 0)
    while level >= 0:
        if room.best[1] <= 0:
            return False
        place = _next_branch(room, level, removals - level)
        if place < 0:
            level -= 1
            continue
        chosen = room.candidates[level, ORDER, place]
        removed = rules[room.candidates[level, CANDIDATE, chosen]]
        for word in range(len(removed)):
            room.left[level + 1, word] = room.left[level, word] & ~removed[word]
        room.state[level + 1, LOSS] = room.state[level, LOSS] - room.candidates[level, LOSS_INSIDE, chosen]
        room.state[level + 1, GAIN] = room.state[level, GAIN] - room.candidates[level, GAIN_INSIDE, chosen]
        later = room.candidates[level, ORDER, place + 1 : room.state[level, COUNT]]
        for rank in range(len(later)):
            room.candidates[level + 1, CANDIDATE, rank] = room.candidates[level, CANDIDATE, later[rank]]
        rest = len(later)
        level += 1
        _open_level(rules, amounts, live, loss, gain, rest, removals, room, level)
    return True


@inner
def _open_level(
    rules: Words,
    amounts: Amounts,
    live: Amounts,
    loss: int,
    gain: int,
    offered: int,
    removals: int,
    room: Removal,
    level: int,
) -> None:
    """Measure the candidates of a level, keep those that can help, most loss first, and note what each gives alone."""
    room.best[1] -= 1
    candidates, state = room.candidates[level], room.state[level]
    restrict(amounts, room.left[level], live)
    kept = 0
    for place in range(offered):
        rule = candidates[CANDIDATE, place]
        gained = _total_in(live.mask, live.word, live.shift, live.first[gain], live.first[gain + 1], rules[rule])
        if state[GAIN] - gained <= room.best[0]:
            continue
        lost = _total_in(live.mask, live.word, live.shift, live.first[loss], live.first[loss + 1], rules[rule])
        if lost > 0:
            candidates[CANDIDATE, kept], candidates[LOSS_INSIDE, kept] = rule, lost
            candidates[GAIN_INSIDE, kept] = gained
            room.best[0] = max(room.best[0], state[GAIN] - gained - state[LOSS] + lost)
            kept += 1
    order_descending(candidates[LOSS_INSIDE, :kept], candidates[ORDER, :kept])
    state[COUNT] = kept
    state[NEXT] = 0 if level < removals - 1 else kept


@inner
def _next_branch(room: Removal, level: int, removals: int) -> int:
    """The next candidate whose removal, with `removals` - 1 later ones, may beat the best; -1 if none is left."""
    candidates, state = room.candidates[level], room.state[level]
    order = candidates[ORDER]
    while state[NEXT] < state[COUNT]:
        place = state[NEXT]
        state[NEXT] += 1
        relief = 0
        for other in range(place, min(place + removals, state[COUNT])):
            relief += candidates[LOSS_INSIDE, order[other]]
        kept_loss = max(0, state[LOSS] - relief)
        if state[GAIN] - kept_loss <= room.best[0]:
            return -1
        if state[GAIN] - candidates[GAIN_INSIDE, order[place]] - kept_loss > room.best[0]:
            return place
    return -1


@inner
def _total_in(mask: Words, word: NDArray[np.int32], shift: NDArray[np.int32], first: int, end: int, rule: Words) -> int:
    result = 0
    for entry in range(first, end):
        result += _popcount(mask[entry] & rule[word[entry]]) << shift[entry]
    return result


class Ladder(NamedTuple):
    """Thresholds to try at each place, highest first, and the visits that one try may take."""

    thresholds: list[int]
    visits: int


def ladder(rule_cost: float, largest: int, visits: int) -> Ladder:
    """Twice the price of a rule and its halves, as far as they are below the `largest` gain of all."""
    top = 2 * rule_cost
    steps = [int(top / 2**step) for step in range(64) if 1 <= top / 2**step < largest]
    return Ladder(steps, visits)


def gain_of_all(task: Task) -> int:
    """What could be gained if every class got its better label, and none were forced to a worse one."""
    kinds = (GAIN_0, GAIN_1, BOTH_GAINS)
    gain_0, gain_1, both = (int(total(task.amounts, kind)) for kind in kinds)
    return gain_0 + gain_1 - both


def places_that_matter(task: Task, best: float) -> int:
    """The longest list that could cost less than `best`, if it gained all there is to gain."""
    worth = best - task.terms.left_cost + gain_of_all(task)
    if task.terms.rule_cost * task.terms.max_rules <= worth:
        return task.terms.max_rules
    return int(worth / task.terms.rule_cost) + 1


def cap_of_place(task: Task, place: int, least: int, steps: Ladder, has_time: Callable[[], bool]) -> int | None:
    """The lowest cap proved for the net gain of the rule at `place`, none below `least`; None if none was proved."""
    cap = None
    for threshold in [*(step for step in steps.thresholds if step > least), least]:
        if not has_time():
            break
        room = room_for_removals(task.rules, place - 1, threshold, steps.visits)
        if not search_gains(task.rules, task.amounts, place - 1, room):
            break
        cap = int(room.best[0])
        if cap > threshold:
            break
    return cap


def capped_gains(task: Task, best: float, visits: int, has_time: Callable[[], bool]) -> NDArray[np.float64]:
    """`gain_cap` of a task: what the first i rules can gain, from caps place by place until a proof fails."""
    largest = max(int(total(task.amounts, GAIN_0)), int(total(task.amounts, GAIN_1)))
    steps = ladder(task.terms.rule_cost, largest, visits)
    caps: list[int] = []
    for place in range(1, min(places_that_matter(task, best), task.terms.max_rules) + 1):
        cap = cap_of_place(task, place, caps[-1] if caps else 0, steps, has_time)
        if cap is None:
            break
        caps.append(cap)
    each = np.array((caps + [largest] * len(task.gain_cap))[: len(task.gain_cap) - 1], dtype=np.float64)
    return np.concatenate([np.zeros(1), np.cumsum(each)])
