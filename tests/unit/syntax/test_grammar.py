"""The grammar and its kept tables belong together."""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path

import pytest

from decisionflow.syntax import grammar
from decisionflow.syntax.parse import ACTIONS
from decisionflow.syntax.tables import build_tables, fingerprint, read_tables, write_tables

FOLDER = grammar.grammar_folder()


def test_kept_tables_are_those_of_the_grammar() -> None:
    text = (FOLDER / grammar.GRAMMAR).read_text(encoding="utf-8")
    kept = read_tables((FOLDER / grammar.TABLES).read_text(encoding="utf-8"))
    assert kept.grammar == fingerprint(text), "run `python -m decisionflow.syntax.grammar`"
    built = build_tables(text)
    assert (len(built.states), len(built.productions)) == (len(kept.states), len(kept.productions))
    assert read_tables(write_tables(built)) == built


def test_the_grammar_has_no_conflict(caplog: pytest.LogCaptureFixture) -> None:
    import lark

    lark.logger.setLevel(logging.DEBUG)
    with caplog.at_level(logging.DEBUG):
        lark.Lark(
            (FOLDER / grammar.GRAMMAR).read_text(encoding="utf-8"), parser="lalr", start=["start", "cell"], debug=True
        )
    assert "conflict" not in caplog.text.lower()


def test_every_production_has_its_action() -> None:
    made = {item.action for item in grammar.tables().productions if not (item.is_list or item.is_unit)}
    assert made == set(ACTIONS)


def test_a_wheel_keeps_the_grammar_inside_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = tmp_path / "decisionflow" / "grammars"
    inside.mkdir(parents=True)
    (inside / grammar.GRAMMAR).write_text("start:", encoding="utf-8")
    monkeypatch.setattr(grammar, "PACKAGE", tmp_path / "decisionflow")
    assert grammar.grammar_folder() == inside


def test_reading_a_policy_loads_neither_lark_nor_numpy() -> None:
    code = (
        "import sys; from decisionflow.source import Source; from decisionflow.syntax.parse import parse; "
        "parse(Source('', 'policy a')); print(sorted({'lark', 'numpy', 'networkx'} & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
