"""The answer of a search, with its certificate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from decisionflow.learn.search_progress import StoppedBy

Status = Literal["optimal", "feasible", "unknown"]


@dataclass(frozen=True, slots=True)
class PrefixSearchResult:
    """The best list found and what is proved about it.

    `prefix`: (candidate index, label) per rule, or None where nothing was found before the search stopped; the rows it
    leaves go to the black box or, for the paradigm "corels", to `default_label`. `objective` is Eq. 7, 10, 11 or 15 and
    `lower_bound` what no list can go below; `covered` the weight of the covered rows. `stopped_by` is "completed" after
    a whole search. `status` is "optimal" (certified), "feasible" (best so far) or "unknown" (none found, none ruled
    out). `cpu_seconds` leaves out compilation; `capping_seconds` of them went into caps of what rules can gain.
    """

    prefix: tuple[tuple[int, int], ...] | None
    default_label: int | None
    objective: float
    lower_bound: float
    covered: int
    stopped_by: StoppedBy
    expansions: int
    cpu_seconds: float
    capping_seconds: float

    @property
    def gap(self) -> float:
        """`objective - lower_bound`: zero when certified, infinite when nothing was found."""
        return self.objective - self.lower_bound

    @property
    def certified(self) -> bool:
        """Whether the list is proved to be optimal."""
        return self.status == "optimal"

    @property
    def status(self) -> Status:
        """What is known of the list."""
        if self.prefix is None:
            return "unknown"
        return "optimal" if self.stopped_by == "completed" else "feasible"
