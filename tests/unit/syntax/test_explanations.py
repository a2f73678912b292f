"""Every message has an example that fails with it alone, and a mended one that is read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from decisionflow.diagnostics import Explanation
from decisionflow.source import Source
from decisionflow.syntax import messages, tree
from decisionflow.syntax.explanations import EXPLANATIONS
from decisionflow.syntax.parse import parse

NOT_SHOWN_BY_TEXT = {"DF0132", "DF0140", "DF0141", "DF0142", "DF0143", "DF0144", "DF0145"}
"""What fails is another file, or too large to print; their own tests stand in test_limits and test_cells."""


@pytest.mark.parametrize("explanation", EXPLANATIONS, ids=lambda item: item.code)
def test_failing_example_gives_its_code_alone(explanation: Explanation) -> None:
    if explanation.code in NOT_SHOWN_BY_TEXT:
        return
    found = parse(Source("demo.dflow", explanation.failing))
    assert not isinstance(found, tree.File)
    assert [diagnostic.code for diagnostic in found] == [explanation.code], "\n".join(map(str, found))


@pytest.mark.parametrize("explanation", EXPLANATIONS, ids=lambda item: item.code)
def test_mended_example_is_read(explanation: Explanation) -> None:
    found = parse(Source("demo.dflow", explanation.mended))
    assert isinstance(found, tree.File), "\n".join(map(str, found))


def test_every_message_is_explained_once() -> None:
    written = re.findall(r'"(DF\d{4})"', Path(messages.__file__).read_text(encoding="utf-8"))
    assert sorted(written) == [explanation.code for explanation in EXPLANATIONS]
