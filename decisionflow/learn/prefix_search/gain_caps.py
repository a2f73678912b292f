"""How much a rule can gain at most at each place of a list: what makes the bound of the Post paradigm close.

A rule takes the rows of its condition less those of earlier rules; it cannot choose among them. So its net gain at
place i is at most that of a candidate less any i - 1 others, whatever the list, the penalty and the transparency.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from decisionflow.learn.prefix_search.bits import total
from decisionflow.learn.prefix_search.gain_search import BEST, VISITS_LEFT, Removal, room_for_removals, search_gains
from decisionflow.learn.prefix_search.task import BOTH_GAINS, GAIN_0, GAIN_1, Task

FIRST_SCALE, LAST_SCALE = 8.0, 2**-8
SHARE_OF_ONE_PROOF = 0.4
SECONDS_AT_ONCE = 0.1


@dataclass(slots=True)
class Budget:
    """What the proofs may use: CPU seconds until the caps must be ready, infinite without a limit, and `visits`.

    `pause` is called several times a second.
    """

    visits: int
    seconds_left: Callable[[], float]
    pause: Callable[[], None]
    _at_once: int = 100

    def prove(self, task: Task, place: int, room: Removal) -> bool:
        """Whether a search of what the rule at a place can gain ended within a share of what is left."""
        last_visit = self.visits - int(SHARE_OF_ONE_PROOF * self.visits)
        seconds = self.seconds_left()
        reserve = (1 - SHARE_OF_ONE_PROOF) * max(0.0, seconds) if seconds < np.inf else 0.0
        while self.visits > last_visit and self.seconds_left() > reserve:
            started = time.thread_time()
            allowed = min(self._at_once, self.visits - last_visit)
            proved = search_gains(task, place, room, allowed)
            used = allowed - int(room.facts[VISITS_LEFT])
            self.visits -= used
            if proved:
                return True
            pace = used / max(1e-6, time.thread_time() - started)
            self._at_once = max(1, min(4 * self._at_once, int(SECONDS_AT_ONCE * pace)))
            self.pause()
        return False


@dataclass(slots=True)
class GainCaps:
    """Caps of what a rule gains at the first places of any list; they hold for every prefix, penalty and coverage.

    They are lowered in rounds, from thresholds that are quickly proved to half and half again, which takes about five
    times as long; the first proof that the budget does not allow ends it. `caps[i]` is proved for place i + 1;
    `exact[i]`: there is no lower one.
    """

    task: Task
    caps: list[int] = field(default_factory=list)
    exact: list[bool] = field(default_factory=list)
    scale: float = FIRST_SCALE

    def improve(self, best: float, budget: Budget) -> bool:
        """Prove lower caps while the budget lasts; whether there are any. `best` is the cost of the best list."""
        before = list(self.caps)
        wanted = min(places_that_matter(self.task, best), self.task.terms.max_rules)
        self.caps += [largest_gain(self.task)] * (wanted - len(self.caps))
        self.exact += [False] * (wanted - len(self.exact))
        while self.scale >= LAST_SCALE and not all(self.exact):
            if not all(self._lower(place, budget) for place in range(len(self.caps))):
                break
            self.scale /= 2
        return before != self.caps

    def sums(self) -> NDArray[np.float64]:
        """`gain_cap` of the task: what the first i rules can gain. A cap of a place holds for the earlier ones too."""
        count = len(self.task.gain_cap) - 1
        caps = (self.caps + [largest_gain(self.task)] * count)[:count]
        each = np.minimum.accumulate(np.array(caps[::-1], dtype=np.float64))[::-1]
        return np.concatenate([np.zeros(1), np.cumsum(each)])

    def _lower(self, place: int, budget: Budget) -> bool:
        """Lower the cap of a place (counted from 0) to what this round asks for; False if the budget is too small."""
        threshold = threshold_of_place(self.task.terms.rule_cost, place, self.scale)
        if self.exact[place] or self.caps[place] <= threshold:
            return True
        room = room_for_removals(self.task.rules, place, threshold)
        proved = budget.prove(self.task, place, room)
        if proved:
            self.caps[place] = int(room.facts[BEST])
            self.exact[place] = self.caps[place] > threshold or threshold == 0
        return proved


def threshold_of_place(rule_cost: float, place: int, scale: float) -> int:
    """What to prove: less at the first places, where proofs are short; where it binds, about the price of a rule."""
    return int(scale * rule_cost * (place - 0.5) ** 2 / 16)


def largest_gain(task: Task) -> int:
    """What a rule could gain that captures everything that is worth it, and nothing else."""
    return max(int(total(task.amounts, GAIN_0)), int(total(task.amounts, GAIN_1)))


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
