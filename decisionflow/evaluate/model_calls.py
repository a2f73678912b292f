"""What a model is asked in one call, and how long it takes: a model that is slow, or never comes back, is named."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from time import perf_counter

SLOW_SECONDS = 5.0
"""Wall time from which a call is worth telling of."""


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One call of a model: how many rows it was given, the first of them with its inputs, seconds of wall time."""

    model: str
    rows: int
    first_row: int
    inputs: str
    seconds: float = 0.0

    def __str__(self) -> str:
        rows = f"row {self.first_row}" if self.rows == 1 else f"{self.rows} rows from row {self.first_row} on"
        return f"model `{self.model}`, given {rows} ({self.inputs})"


@contextmanager
def watched(call: Callable[[], ModelCall], slow: list[ModelCall]) -> Iterator[None]:
    """Keep a call that takes long; who ends a call that does not come back is told which one it was.

    `call` is asked only then: laying out inputs takes longer than many calls.
    """
    start = perf_counter()
    try:
        yield
    except BaseException as end:
        if not isinstance(end, Exception):
            end.add_note(f"in {call()}")
        raise
    seconds = perf_counter() - start
    if seconds >= SLOW_SECONDS:
        slow.append(replace(call(), seconds=seconds))
