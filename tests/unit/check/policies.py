"""Policies of the tests, from texts to programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from decisionflow.check.checker import Checked, check_files
from decisionflow.check.lints.lint import lint_program
from decisionflow.diagnostics import Diagnostic
from decisionflow.program.program import Program
from decisionflow.source import Source
from decisionflow.syntax import tree
from decisionflow.syntax.parse import parse


def checked(text: str, path: Path | None = None, **settings: Any) -> Checked:
    """What checking says of a policy that begins with `policy demo`."""
    found = parse(Source("demo.dflow", "policy demo\n" + text))
    assert isinstance(found, tree.File), "\n".join(map(str, found))
    return check_files(found, path, **settings)


def program_of(text: str, path: Path | None = None, **settings: Any) -> Program:
    """The program of a policy without errors."""
    found = checked(text, path, **settings)
    assert found.program is not None, "\n".join(map(str, found.diagnostics))
    return found.program


def codes(text: str, path: Path | None = None, **settings: Any) -> list[str]:
    """The codes of all diagnostics, by place."""
    return [diagnostic.code for diagnostic in checked(text, path, **settings).diagnostics]


def lints(text: str) -> tuple[Diagnostic, ...]:
    """The lints of a policy without errors."""
    return lint_program(program_of(text))
