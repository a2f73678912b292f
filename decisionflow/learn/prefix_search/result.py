"""The answer of a search, with its certificate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Status = Literal["optimal", "feasible", "unknown"]
StopReason = Literal["time_limit", "memory_limit", "interrupt"]


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a running search stands; `objective` is infinite until a list is found."""

    objective: float
    lower_bound: float
    expansions: int
    cpu_seconds: float

    @property
    def gap(self) -> float:
        """How much better than the best list so far the optimum can be at most."""
        return self.objective - self.lower_bound


@dataclass(frozen=True, slots=True)
class PrefixSearchResult:
    """The best list found and what is proved about it.

    `prefix`: (candidate index, label) per rule, or None where nothing was found before the search stopped; the rows it
    leaves go to the black box or, for the paradigm "corels", to `default_label`. `objective` is Eq. 7, 10, 11 or 15 and
    `lower_bound` what no list can go below; `covered` the weight of the covered rows. `stopped_by` is None after a
    complete search. `status` is "optimal" (certified), "feasible" (best so far) or "unknown" (none found, none ruled
    out). `cpu_seconds` leaves out compilation.
    """

    prefix: tuple[tuple[int, int], ...] | None
    default_label: int | None
    objective: float
    lower_bound: float
    covered: int
    stopped_by: StopReason | None
    expansions: int
    cpu_seconds: float

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
        return "optimal" if self.stopped_by is None else "feasible"
