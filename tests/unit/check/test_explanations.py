"""Every code is explained by an example that fails with it, and only it, and by a mended one."""

from __future__ import annotations

from pathlib import Path

import pytest

from decisionflow.check.checker import check_files
from decisionflow.check.explanations.declarations import DECLARATIONS
from decisionflow.check.explanations.names import NAMES
from decisionflow.check.explanations.types import TYPES
from decisionflow.diagnostics import Diagnostic, Explanation
from decisionflow.source import Source
from decisionflow.syntax import tree
from decisionflow.syntax.parse import parse

EXPLANATIONS = (*NAMES, *TYPES, *DECLARATIONS)
WITHOUT_TEXT = {"DF0212", "DF0417", "DF0421", "DF0427"}
"""Not a matter of the policy's text alone: parameters set anew, and models that ask for their own inputs."""


def check_text(text: str, path: Path | None = None) -> tuple[Diagnostic, ...]:
    found = parse(Source("demo.dflow", text))
    assert isinstance(found, tree.File), "\n".join(map(str, found))
    return check_files(found, path).diagnostics


@pytest.mark.parametrize("explanation", EXPLANATIONS, ids=lambda item: item.code)
def test_failing_example_gives_its_code_alone(explanation: Explanation, tmp_path: Path) -> None:
    found = check_text(explanation.failing, tmp_path / "demo.dflow")
    assert {diagnostic.code for diagnostic in found} == {explanation.code}, "\n".join(map(str, found))


@pytest.mark.parametrize("explanation", EXPLANATIONS, ids=lambda item: item.code)
def test_mended_example_gives_nothing(explanation: Explanation, tmp_path: Path) -> None:
    found = check_text(explanation.mended, tmp_path / "demo.dflow")
    assert found == (), "\n".join(map(str, found))
