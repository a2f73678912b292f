"""A word to whoever waits while kernels are compiled for the first time."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE_SECONDS = 4.0
MESSAGE = (
    "compiling the exact search; this happens once per installation, takes about half a minute, "
    "and does not count against time_limit"
)

_log = logging.getLogger("decisionflow.learn")


@contextmanager
def told_if_slow(patience: float = PATIENCE_SECONDS) -> Iterator[threading.Timer]:
    """Log a line once the block has taken longer than `patience` seconds: loading compiled kernels is quicker."""
    timer = threading.Timer(patience, _log.warning, (MESSAGE,))
    timer.daemon = True
    timer.start()
    try:
        yield timer
    finally:
        timer.cancel()
