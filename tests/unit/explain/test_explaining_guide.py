"""The walk of docs/explaining.md runs from its first line to its last, and so does the script of its pictures."""

from __future__ import annotations

import re
import runpy
import shlex
import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pytest

from decisionflow.cli import main

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "explaining.md").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mpl.use("Agg")
    (tmp_path / "policies").symlink_to(ROOT / "policies")
    monkeypatch.chdir(tmp_path)


def test_the_walk_runs(tmp_path: Path) -> None:
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL):
        exec(block, names)
    assert (tmp_path / "bars.png").is_file()


def test_the_command_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (command,) = re.findall(r"^decisionflow (explain .*)$", PAGE, flags=re.MULTILINE)
    assert main(shlex.split(command)) == 0
    assert "low_risk" in capsys.readouterr().out


def test_the_pictures_are_drawn_by_the_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["make_pictures.py", str(tmp_path)])
    runpy.run_path(str(ROOT / "docs" / "make_pictures.py"), run_name="__main__")
    shown = set(re.findall(r"\(pictures/(\w+\.png)\)", PAGE))
    assert shown == {path.name for path in tmp_path.glob("*.png")}
    assert shown == {path.name for path in (ROOT / "docs" / "pictures").glob("*.png")}
