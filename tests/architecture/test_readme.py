"""What the README shows is what the commands say."""

from __future__ import annotations

from pathlib import Path

import pytest

from decisionflow.cli import main

ROOT = Path(__file__).parents[2]


def test_the_transcript_is_what_the_demo_prints(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    command, _, rest = readme.partition("$ decisionflow ")[2].partition("\n")
    shown = rest.partition("\n```")[0]
    monkeypatch.chdir(ROOT)
    assert main(command.split()) == 0
    printed = capfdbinary.readouterr().out.decode("utf-8")
    assert "\n".join(line.rstrip() for line in printed.splitlines()).strip() == shown.strip()


def test_the_demo_of_the_makefile_is_the_command_of_the_readme() -> None:
    makefile, readme = ((ROOT / name).read_text(encoding="utf-8") for name in ("Makefile", "README.md"))
    options = makefile.partition("patients.csv ")[2].partition("\n")[0]
    assert f"patients.csv {options}\n" in readme
