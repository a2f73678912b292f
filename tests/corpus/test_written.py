"""Each folder of `written` holds a text and its canonical text."""

from __future__ import annotations

from pathlib import Path

import pytest

from decisionflow.source import Source
from decisionflow.syntax import tree
from decisionflow.syntax.format import format_text
from decisionflow.syntax.parse import parse

CASES = sorted((Path(__file__).parent / "written").iterdir())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_given_text_is_written_as_expected(case: Path) -> None:
    given = parse(Source("given.dflow", (case / "given.dflow").read_text(encoding="utf-8")))
    assert isinstance(given, tree.File), "\n".join(map(str, given))
    assert format_text(given) == (case / "expected.dflow").read_text(encoding="utf-8")
