"""Cells of a table that is kept in a CSV or XLSX file."""

from __future__ import annotations

from typing import Any

import pytest

from decisionflow.source import Source
from decisionflow.syntax import tree
from decisionflow.syntax.cells import parse_cell, parse_outcome
from decisionflow.syntax.phrases import phrase


def cell(text: str, **options: Any) -> str:
    found = parse_cell(Source("pricing.csv row 3, column ltv", text), **options)
    if isinstance(found, tree.AnyValue | tree.Tests):
        return phrase(found)
    assert not isinstance(found, tree.EmptyCell)
    return " ".join(diagnostic.code for diagnostic in found)


def outcome(text: str, **options: Any) -> str:
    found = parse_outcome(Source("pricing.csv row 3, column rate", text), **options)
    return " ".join(item.code for item in found) if isinstance(found, list | tuple) else phrase(found)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("(80%..100%]", "(80% .. 100%]"),
        ("<= 80 %", "<= 80%"),
        ("-", "-"),
        (" a, b ", "a, b"),
        ("not 1, [2..3]", "not 1, [2 .. 3]"),
        ("missing", "missing"),
        ("2026-11-29", "2026-11-29"),
        (">= income * 2", ">= income * 2"),
        ("", "DF0113"),
        ("1 2", "DF0101"),
        ("a and b", "DF0120"),
    ],
)
def test_values(text: str, canonical: str) -> None:
    assert cell(text) == canonical


@pytest.mark.parametrize(
    ("text", "canonical"), [("7,5 %", "7.5%"), ("1,5, 2", "1.5, 2"), ("[0,5..1,5)", "[0.5 .. 1.5)"), ("1.5", "DF0132")]
)
def test_decimal_commas(text: str, canonical: str) -> None:
    assert cell(text, decimal=",") == canonical


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("IN", '"IN"'),
        ("not SE, NO", 'not "SE", "NO"'),
        ('"New York, NY", x', '"New York, NY", "x"'),
        ("missing", "missing"),
        ('"missing"', '"missing"'),
        ("007", '"007"'),
        ("12:30", '"12:30"'),
        (">= low", '>= "low"'),
        ("[low .. high)", '["low" .. "high")'),
    ],
)
def test_labels_need_no_quotes(text: str, canonical: str) -> None:
    assert cell(text, labels=True) == canonical


@pytest.mark.parametrize(
    ("text", "canonical"),
    [("9.25%", "9.25%"), ("min(1, x)", "min(1, x)"), ("", "DF0114"), ("-", "DF0121"), ("1, 2", "DF0121")],
)
def test_outcomes(text: str, canonical: str) -> None:
    assert outcome(text) == canonical


def test_an_outcome_may_be_a_label_of_several_words() -> None:
    assert outcome(" on hold ", labels=True) == '"on hold"'


def test_a_mistake_names_the_cell() -> None:
    found = parse_cell(Source("pricing.csv row 3, column ltv", "1 2"))
    assert isinstance(found, list)
    assert " --> pricing.csv row 3, column ltv:1:3" in str(found[0])
