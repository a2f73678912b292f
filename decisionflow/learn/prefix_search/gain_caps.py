"""How much a rule can gain at most at each place of a list: what makes the bound of the Post paradigm close.

A rule takes the rows of its condition less those of earlier rules; it cannot choose among them. So its net gain at
place i is at most that of a candidate less any i - 1 others, whatever the list, the penalty and the transparency.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from decisionflow.learn.prefix_search.bits import total
from decisionflow.learn.prefix_search.gain_search import BEST, VISITS_LEFT, room_for_removals, search_gains
from decisionflow.learn.prefix_search.task import BOTH_GAINS, GAIN_0, GAIN_1, Task

FIRST_SCALE, LAST_SCALE = 8.0, 2**-8
SHARE_OF_ONE_PROOF = 0.4


@dataclass(slots=True)
class VisitBudget:
    """How many states the proofs may visit: `most`, or what the time left is good for.

    `seconds_left` until the caps must be ready, infinite without a limit; `seconds_per_visit`: the pace so far.
    """

    most: int
    seconds_left: Callable[[], float]
    seconds_per_visit: float

    @property
    def left(self) -> int:
        return int(min(self.most, max(0.0, self.seconds_left()) / self.seconds_per_visit))

    def spend(self, visits: int, seconds: float) -> None:
        """Take off what a proof used; unless it was short it also tells the pace."""
        self.most -= visits
        if visits >= 1000 and seconds > 0:
            self.seconds_per_visit = seconds / visits


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

    def improve(self, best: float, budget: VisitBudget) -> bool:
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

    def _lower(self, place: int, budget: VisitBudget) -> bool:
        """Lower the cap of a place (counted from 0) to what this round asks for; False if the budget is too small."""
        threshold = threshold_of_place(self.task.terms.rule_cost, place, self.scale)
        if self.exact[place] or self.caps[place] <= threshold:
            return True
        allowed = int(SHARE_OF_ONE_PROOF * budget.left)
        room = room_for_removals(self.task.rules, place, threshold, allowed)
        before = budget.seconds_left()
        proved = allowed > 0 and bool(search_gains(self.task, place, room))
        budget.spend(allowed - int(room.best[VISITS_LEFT]), before - budget.seconds_left())
        if proved:
            self.caps[place] = int(room.best[BEST])
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
