"""A solver that prints does not spoil the answer on standard output."""

from __future__ import annotations

import ctypes
import os

import pytest

from decisionflow.explain.nearest_change.hushed import hushed


def test_only_what_c_prints_meanwhile_is_lost(capfd: pytest.CaptureFixture[str]) -> None:
    library = ctypes.CDLL("msvcrt" if os.name == "nt" else None)
    library.printf(b"before\n")
    with hushed():
        library.printf(b"HighsMipSolverData: a doubt\n")
    library.printf(b"after\n")
    library.fflush(None)
    assert capfd.readouterr().out == "before\nafter\n"


def test_standard_output_comes_back_after_an_error(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match="unsolved"), hushed():
        raise ValueError("unsolved")
    os.write(1, b"still there\n")
    assert capfd.readouterr().out == "still there\n"
