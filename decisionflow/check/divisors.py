"""Divisions whose divisor may be zero, which gives an error value (law 4)."""

from __future__ import annotations

from decisionflow.check.report import Report
from decisionflow.program.program import Program


def check_divisors(program: Program, report: Report) -> None:
    pass
