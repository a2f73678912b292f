"""Every lint keeps the family's promises: a warning with a place, that names its rule and shows an evaluated row."""

from __future__ import annotations

import re

import pytest

from decisionflow.check.checker import check_files
from decisionflow.check.explanations.lints import LINTED
from decisionflow.check.lints.lint import LINTS
from decisionflow.check.lints.subject import Lint, Linted
from decisionflow.check.spaces import Facts
from decisionflow.diagnostics import Diagnostic
from decisionflow.source import Source
from decisionflow.syntax import tree
from decisionflow.syntax.parse import parse

NEVER = """policy demo
feature x : number [0 .. 10]
decision d : { a, b }
  rule r: if x < 5 or x >= 5 then a
  otherwise b
"""
EXAMPLES = (*(item.failing for item in LINTED), NEVER)
WITHOUT_A_ROW = ("DF0708",)


def found_by(lint: Lint) -> list[Diagnostic]:
    found: list[Diagnostic] = []
    for text in EXAMPLES:
        parsed = parse(Source("demo", text))
        assert isinstance(parsed, tree.File)
        program = check_files(parsed).program
        assert program is not None
        facts = Facts(program)
        for decision in program.decisions.values():
            found += lint(Linted(facts, decision))
    return found


@pytest.mark.parametrize("lint", LINTS, ids=lambda lint: lint.__name__)
def test_lint(lint: Lint) -> None:
    found = found_by(lint)
    assert found, "no example shows this lint"
    for diagnostic in found:
        assert diagnostic.severity == "warning" and diagnostic.help and diagnostic.span is not None
        assert re.search(r"rules? .*`|no rule of `", diagnostic.message)
        assert "the decision is" in diagnostic.message or diagnostic.code in WITHOUT_A_ROW
