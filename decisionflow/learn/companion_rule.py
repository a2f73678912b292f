"""A rule of a companion list, with what training measured of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from decisionflow.learn.condition import Condition

Floats = NDArray[np.float64]
COVERAGE_DIGITS = 4
SLACK = 1e-12
NO_RULE = -1


@dataclass(frozen=True, slots=True)
class CompanionRule:
    """If `condition` then `label`, for the rows that no earlier rule of the list covers.

    `coverage` is the share of the training rows it takes after those before it, `accuracy` its own and `black_box`
    the black box's accuracy on these rows.
    """

    name: str
    condition: Condition
    label: Any
    coverage: float
    accuracy: float
    black_box: float

    @property
    def text(self) -> str:
        return f"if {self.condition.text} then {self.label}"

    @property
    def written_coverage(self) -> float:
        """The coverage as a policy file keeps it: rounded down to a millionth, so that sums stay below the truth."""
        scale = 10 ** (COVERAGE_DIGITS + 2)
        return float(np.floor(self.coverage * scale + 1e-6)) / scale


def first_rule(masks: Sequence[NDArray[np.bool_]], rows: int) -> NDArray[np.intp]:
    """For each row the place of the first rule whose mask `(rows,)` holds, NO_RULE where none does."""
    deciding = np.full(rows, NO_RULE, dtype=np.intp)
    for place in reversed(range(len(masks))):
        deciding[masks[place]] = place
    return deciding


def rules_within(rules: Sequence[CompanionRule], transparency: float) -> int:
    """How many first rules may be used at a transparency: m^t of Definition 3 (companion rule lists).

    1 asks for the whole list, whatever the coverages; 0 for none.
    """
    if transparency >= 1:
        return len(rules)
    reached = np.cumsum([rule.written_coverage for rule in rules])
    return int(np.searchsorted(reached, transparency * (1 + SLACK), side="right")) if transparency > 0 else 0
