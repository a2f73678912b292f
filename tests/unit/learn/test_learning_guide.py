"""The walk of docs/learning.md runs from its first line to its last."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from decisionflow.learn import LEARNERS

PAGE = (Path(__file__).parents[3] / "docs" / "learning.md").read_text(encoding="utf-8")


def test_the_walk_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL):
        exec(block, names)
    assert {path.name for path in tmp_path.iterdir()} == {
        "cases.csv",
        "trade_off.png",
        "reoffending.dflow",
        "sweet_spot.png",
    }
    assert "held-out rows" in capsys.readouterr().out


def test_every_learner_is_on_the_page() -> None:
    assert all(f"`{name}`" in PAGE for _, name, _ in LEARNERS)
