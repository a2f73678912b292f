"""The language reference, the grammar and the operators keep together."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from decisionflow.check.checker import check_files
from decisionflow.conditions.operators import COMPARISONS, FUNCTIONS, Function
from decisionflow.source import Source
from decisionflow.syntax import parse as parsing
from decisionflow.syntax import tree
from decisionflow.syntax.format import format_text
from decisionflow.syntax.grammar import tables
from decisionflow.syntax.nodes.expressions import EXPRESSIONS
from decisionflow.syntax.tokens import RESERVED

REFERENCE = (Path(__file__).parents[3] / "docs" / "language.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```policy( files)?\n(.*?)^```", REFERENCE, re.DOTALL | re.MULTILINE)


def name_of(example: tuple[str, str]) -> str:
    return example[1].split()[1]


def read(text: str) -> tree.File:
    found = parsing.parse(Source("language.md", text))
    assert isinstance(found, tree.File), "\n".join(map(str, found))
    return found


@pytest.mark.parametrize("example", EXAMPLES, ids=name_of)
def test_an_example_is_its_own_canonical_text(example: tuple[str, str]) -> None:
    assert format_text(read(example[1])) == example[1]


@pytest.mark.parametrize("example", [item for item in EXAMPLES if not item[0]], ids=name_of)
def test_an_example_that_needs_no_files_has_no_error(example: tuple[str, str]) -> None:
    found = check_files(read(example[1]), None).diagnostics
    errors = [str(diagnostic) for diagnostic in found if diagnostic.severity == "error"]
    assert not errors, "\n".join(errors)


def test_every_rule_of_the_grammar_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: set[str] = set()
    for action, make in parsing.ACTIONS.items():
        monkeypatch.setitem(
            parsing.ACTIONS, action, lambda *parts, make=make, name=action: shown.add(name) or make(*parts)
        )
    for _, text in EXAMPLES:
        read(text)
    assert set(parsing.ACTIONS) - shown == set()
    assert set(EXPRESSIONS) <= shown


def test_every_keyword_is_shown() -> None:
    code = " ".join(re.findall(r"`([^`]+)`", REFERENCE) + [text for _, text in EXAMPLES])
    words = set(re.findall(r"\w+", code))
    assert set(tables().keywords) - words == set()


def test_the_reserved_words_are_listed() -> None:
    paragraph = REFERENCE[REFERENCE.index("Reserved everywhere") : REFERENCE.index("A name like one")]
    assert set(re.findall(r"`(\w+)`", paragraph)) == RESERVED


def test_every_operator_has_its_line() -> None:
    lines = REFERENCE.splitlines()
    for comparison in COMPARISONS:
        assert f"| `{comparison.spelling}` | `{comparison.negation}` |" in lines
    for function in FUNCTIONS:
        assert f"| {_spelled(function)} | {function.description} |" in lines


def _spelled(function: Function) -> str:
    if function.place == "call":
        return f"`{function.spelling}(…)`"
    return f"`{function.spelling}x`" if function.place == "prefix" else f"`{function.spelling}`"
