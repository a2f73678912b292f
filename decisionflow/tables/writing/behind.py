"""Writing on a thread of its own, so that a file is read and decided while the rows before are written."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import ParamSpec

MOST_WAITING = 8
"""Calls that may wait to be done, so that memory does not grow with the data."""

Given = ParamSpec("Given")


@contextmanager
def behind(write: Callable[Given, object]) -> Iterator[Callable[Given, None]]:
    """The same function, done later and in order; all is done when the block ends well, nothing more when it fails.

    What a call raises is raised by a later call, or at the end of the block.
    """
    waiting: deque[Future[object]] = deque()

    def write_later(*args: Given.args, **named: Given.kwargs) -> None:
        waiting.append(thread.submit(write, *args, **named))
        if len(waiting) > MOST_WAITING:
            waiting.popleft().result()

    with ThreadPoolExecutor(1, "writing") as thread:
        try:
            yield write_later
            while waiting:
                waiting.popleft().result()
        finally:
            thread.shutdown(cancel_futures=True)
