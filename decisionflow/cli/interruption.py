"""SIGTERM and SIGHUP end a command as Ctrl-C does: what it has half written is taken away."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

ENDING = ("SIGTERM", "SIGHUP")


class Ended(BaseException):
    """A signal asks the command to end; as KeyboardInterrupt, nothing on its way is to take it for a failure."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.name = signal.Signals(number).name
        self.code = 128 + number


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Raises Ended where a signal comes that would end the process at once; one that is ignored stays so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    known = [getattr(signal, name) for name in ENDING if hasattr(signal, name)]
    kept = {number: signal.signal(number, _end) for number in known if signal.getsignal(number) is signal.SIG_DFL}
    try:
        yield
    finally:
        for number, before in kept.items():
            signal.signal(number, before)


def _end(number: int, _: object) -> None:
    raise Ended(number)
