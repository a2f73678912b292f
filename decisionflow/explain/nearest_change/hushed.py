"""Keep a solver's own words off standard output, which carries only the answer."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager

STANDARD_OUTPUT = 1


@contextmanager
def hushed() -> Iterator[None]:
    """What C code prints meanwhile is lost: HiGHS tells of some of its repairs with `printf`, whatever it is told.

    The whole process shares its standard output, so that another thread's words are lost as well.
    """
    try:
        kept = os.dup(STANDARD_OUTPUT)
    except OSError:
        yield
        return
    _flush()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, STANDARD_OUTPUT)
    os.close(nowhere)
    try:
        yield
    finally:
        _flush()
        os.dup2(kept, STANDARD_OUTPUT)
        os.close(kept)


def _flush() -> None:
    """C holds back what it prints to a file or a pipe."""
    library = ctypes.CDLL("msvcrt" if os.name == "nt" else None)
    library.fflush(None)
