"""Every code is explained by an example that fails with it, and only it, and by a mended one."""

from __future__ import annotations

import re
from datetime import time
from pathlib import Path

import openpyxl
import pytest

import decisionflow.check.messages
from decisionflow.check.checker import check_files
from decisionflow.check.explanations import EXPLANATIONS
from decisionflow.check.lints.lint import lint_program
from decisionflow.diagnostics import Diagnostic, Explanation
from decisionflow.source import Source
from decisionflow.syntax import tree
from decisionflow.syntax.parse import parse

BEYOND_THE_TEXT = {
    "DF0212": "a parameter set anew",
    "DF0421": "a parameter set anew",
    "DF0417": "stands beside the warning DF0406",
    "DF0427": "a model that asks for its own inputs",
    "DF0604": "a limit",
    "DF0605": "a limit",
    "DF0607": "a limit",
    "DF0608": "a text without a folder",
}
TEXTS = {
    "shared.dflow": "feature shared : number\n",
    "circle.dflow": 'use "demo.dflow"\n',
    "pricing.csv": "ltv,rate\n< 80%,7.5%\n>= 80%,9%\n",
    "empty_cell.csv": "ltv,rate\n< 80%,7.5%\n,9%\n",
    "empty_outcome.csv": "ltv,rate\n< 80%,7.5%\n>= 80%,\n",
    "semicolons.csv": "ltv;rate\n-;7.5%\n",
    "heads.csv": "ltv,,rate\n-,-,7.5%\n",
    "cells.csv": "ltv,rate\n[0, 0.8],7.5%\n",
    "quoted.csv": 'ltv,rate\n"[0 .. 0.8]",7.5%\n> 0.8,9%\n',
    "quotes.csv": 'ltv,rate\n"< 80%,7.5%\n',
    "broken.xlsx": "this is no workbook",
    "pricing.ods": "",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A policy's folder with the files that the examples name."""
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "latin.csv").write_bytes("ltv,größe\n".encode("latin-1"))
    save_workbook(tmp_path / "pricing.xlsx", [["ltv", "rate"], ["< 80%", 0.075], [">= 80%", 0.09]])
    save_workbook(tmp_path / "time.xlsx", [["ltv", "rate"], [time(8, 30), 0.075]])
    save_workbook(tmp_path / "merged.xlsx", [["ltv", "rate"], ["-", 0.075], [None, 0.09]], merged="A2:A3")
    save_workbook(tmp_path / "sheets.xlsx", [["ltv", "rate"], ["-", 0.075]], sheets=("Q3", "Q2"))
    return tmp_path


def save_workbook(path: Path, rows: list[list[object]], merged: str = "", sheets: tuple[str, ...] = ("Q3",)) -> None:
    workbook = openpyxl.Workbook()
    workbook.active.title = sheets[0]
    for row in rows:
        workbook.active.append(row)
    if merged:
        workbook.active.merge_cells(merged)
    for name in sheets[1:]:
        workbook.create_sheet(name)
    workbook.save(path)


def diagnose(text: str, folder: Path) -> tuple[Diagnostic, ...]:
    """Every diagnostic and lint of a policy `demo.dflow` in a folder."""
    path = folder / "demo.dflow"
    path.write_text(text, encoding="utf-8")
    found = parse(Source("demo.dflow", text))
    assert isinstance(found, tree.File), "\n".join(map(str, found))
    checked = check_files(found, path)
    return checked.diagnostics + (lint_program(checked.program) if checked.program else ())


@pytest.mark.parametrize("explanation", EXPLANATIONS, ids=lambda item: item.code)
def test_failing_example_gives_its_code_alone(explanation: Explanation, folder: Path) -> None:
    found = diagnose(explanation.failing, folder)
    assert {diagnostic.code for diagnostic in found} == {explanation.code}, "\n".join(map(str, found))


@pytest.mark.parametrize("explanation", EXPLANATIONS, ids=lambda item: item.code)
def test_mended_example_gives_nothing(explanation: Explanation, folder: Path) -> None:
    found = diagnose(explanation.mended, folder)
    assert found == (), "\n".join(map(str, found))


def test_every_code_is_explained_once() -> None:
    package = Path(decisionflow.check.messages.__file__).parent
    written = {code for path in package.glob("*.py") for code in re.findall(r"DF\d{4}", path.read_text("utf-8"))}
    explained = [explanation.code for explanation in EXPLANATIONS]
    assert len(explained) == len(set(explained))
    assert written - set(explained) == set(BEYOND_THE_TEXT)
