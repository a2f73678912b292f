"""What looks wrong in a policy that loads: each lint in a file of its own, registered here."""

from __future__ import annotations

from collections.abc import Callable

from decisionflow.diagnostics import Diagnostic
from decisionflow.program.program import Program

Lint = Callable[[Program], list[Diagnostic]]
LINTS: tuple[Lint, ...] = ()


def lint(program: Program) -> tuple[Diagnostic, ...]:
    """Every lint's findings, warnings all of them, lint by lint."""
    return tuple(found for one in LINTS for found in one(program))
