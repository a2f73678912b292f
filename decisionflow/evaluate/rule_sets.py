"""Which rules fired, as one small integer for each row."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from decisionflow.evaluate.vector import Mask
from decisionflow.program.declarations import CompanionList, Decision, Reason

Codes = NDArray[np.int32]


def distinct(codes: Codes) -> tuple[NDArray[np.intp], NDArray[np.int32]]:
    """The codes that occur, in order, and for each row the place of its own among them; sorts nothing."""
    occurs = np.zeros(int(codes.max(initial=-1)) + 1, np.bool_)
    occurs[codes] = True
    return np.flatnonzero(occurs), (np.cumsum(occurs, dtype=np.int32) - np.int32(1))[codes]


class RuleSets:
    """The sets of rules that occur in one run of a decision, by code.

    0 is no rule, k + 1 the rule k alone; larger sets get the next codes as they turn up. The fall-back of a companion
    list counts as its last rule.
    """

    def __init__(self, decision: Decision) -> None:
        self.rules = tuple((rule.name, rule.reason) for rule in decision.rules)
        if isinstance(decision.body, CompanionList):
            self.rules += ((decision.body.fallback_name, None),)
        self.members: list[tuple[int, ...]] = [(), *((place,) for place in range(len(self.rules)))]
        self._extended: dict[tuple[int, int], int] = {(0, place): place + 1 for place in range(len(self.rules))}

    def add(self, codes: Codes, rows: Mask, place: int) -> None:
        """The rule `place` joins the sets of some rows, in place."""
        chosen = codes[rows]
        if not chosen.any():
            codes[rows] = place + 1
            return
        distinct, inverse = np.unique(chosen, return_inverse=True)
        codes[rows] = np.array([self._extend(int(code), place) for code in distinct], np.int32)[inverse]

    def names(self, code: int) -> tuple[str, ...]:
        """The names of the rules in a set, in their order."""
        return tuple(self.rules[place][0] for place in self.members[code])

    def reasons(self, code: int) -> tuple[Reason, ...]:
        """The reasons of the rules in a set, in their order."""
        return tuple(reason for place in self.members[code] if (reason := self.rules[place][1]) is not None)

    def __len__(self) -> int:
        return len(self.members)

    def _extend(self, code: int, place: int) -> int:
        if (code, place) not in self._extended:
            self._extended[code, place] = len(self.members)
            self.members.append((*self.members[code], place))
        return self._extended[code, place]
