"""What a running search tells: for progress lines, and when to stop it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

StoppedBy = Literal["completed", "time limit", "memory limit", "interrupted"]


@dataclass(frozen=True, slots=True)
class SearchProgress:
    """A moment of a search: what is best so far and, where a search proves one, the bound it cannot pass.

    `done` is the share of the planned work, None where that is unknown. `gap` is between objective and bound.
    """

    objective: float
    cpu_seconds: float
    done: float | None = None
    bound: float | None = None

    @property
    def gap(self) -> float | None:
        return None if self.bound is None else abs(self.objective - self.bound)


ProgressListener = Callable[[SearchProgress], None]


@dataclass(slots=True)
class CpuClock:
    """CPU seconds of this process since the clock was made; `limit` None never runs out."""

    limit: float | None = None
    _start: float = field(default_factory=time.process_time)

    @property
    def seconds(self) -> float:
        return time.process_time() - self._start

    @property
    def has_run_out(self) -> bool:
        return self.limit is not None and self.seconds >= self.limit
