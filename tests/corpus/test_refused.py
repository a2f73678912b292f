"""Faulty policies, each with the whole of what is said about it, carets and all.

A folder of `refused/` holds `policy.dflow`, the files that it names, and `message.txt`. With the environment variable
DECISIONFLOW_REWRITE set, the messages are written anew; read the difference before it is kept.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from decisionflow.check.checker import check_files
from decisionflow.source import Source
from decisionflow.syntax import tree
from decisionflow.syntax.parse import parse

CASES = sorted(path for path in (Path(__file__).parent / "refused").iterdir() if (path / "policy.dflow").is_file())


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_message(case: Path) -> None:
    path = case / "policy.dflow"
    found = parse(Source("policy.dflow", path.read_text(encoding="utf-8")))
    diagnostics = check_files(found, path).diagnostics if isinstance(found, tree.File) else tuple(found)
    assert any(diagnostic.severity == "error" for diagnostic in diagnostics)
    message = "\n\n".join(map(str, diagnostics)) + "\n"
    kept = case / "message.txt"
    if os.environ.get("DECISIONFLOW_REWRITE"):
        kept.write_text(message, encoding="utf-8")
    assert message == kept.read_text(encoding="utf-8")
