"""Sizes: what is large is read without recursion, what is too large is said to be."""

from __future__ import annotations

import pytest

from decisionflow.diagnostics import Diagnostic
from decisionflow.syntax import tree
from decisionflow.syntax.limits import Limits
from decisionflow.syntax.parse import decode
from decisionflow.syntax.write import write

from .reading import codes_of, mistakes_of, tree_of

DEEP = 10_000


@pytest.mark.parametrize(
    "text",
    [
        "(" * DEEP + "x" + ")" * DEEP,
        "(" * DEEP,
        "not " * DEEP + "x",
        "- " * DEEP + "x",
        "min(" * DEEP + "x" + ")" * DEEP,
        "if a then b else " * 1000 + "c",
        " * ".join(["x"] * 1000),
    ],
    ids=lambda text: text[:8],
)
def test_deep_nesting_is_a_message(text: str) -> None:
    assert codes_of(f"derived a = {text}") == ["DF0142"]


def test_two_hundred_levels_are_read_and_written() -> None:
    text = "derived a = " + "(" * 199 + "x" + ")" * 199 + "\n"
    assert write(tree_of(text)) == text


def test_a_flat_sum_of_thousands_of_terms() -> None:
    text = "derived a = " + " + x - ".join(["y"] * 3000) + "\n"
    assert write(tree_of(text)) == text


def test_a_flat_condition_of_thousands_of_parts() -> None:
    (derived,) = tree_of("derived a = " + " and ".join(f"x > {number}" for number in range(5000))).declarations
    assert isinstance(derived, tree.Derived)
    assert isinstance(derived.expression, tree.Every)
    assert len(derived.expression.operands) == 5000


def test_a_long_chain_of_derived_values_and_many_rules() -> None:
    chain = "\n".join(f"derived v{number + 1} = v{number} + 1" for number in range(5000))
    rules = "\n".join(f"rule r{number}: if v0 = {number} then a" for number in range(2000))
    file = tree_of(f"{chain}\ndecision d : {{ a }}\n{rules}")
    assert len(file.declarations) == 5001


@pytest.mark.parametrize(
    ("text", "limits", "code"),
    [
        ("derived a = 1", Limits(file_bytes=10), "DF0141"),
        ("derived a = x + y", Limits(expression_characters=4), "DF0143"),
        ('use "long name"', Limits(literal_characters=5), "DF0144"),
        ("decision t : number table\n|a||t|\n|1||2|\n|3||4|", Limits(table_rows=1), "DF0145"),
        ("derived a = ((x))", Limits(nested_levels=1), "DF0142"),
    ],
)
def test_each_limit_has_its_message(text: str, limits: Limits, code: str) -> None:
    assert codes_of(text, limits) == [code]


def test_a_long_line_is_shown_in_part() -> None:
    (found,) = mistakes_of(
        "derived a = " + "1 + " * 90_000 + "]", Limits(expression_characters=10**6, nested_levels=10**6)
    )
    assert found.code == "DF0101"
    assert max(map(len, str(found).splitlines())) < 250


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\0\0", b"caf\xe9", b"policy a\0", b"a" * (8 * 1024 * 1024 + 1)])
def test_a_file_that_is_no_text_is_refused(data: bytes) -> None:
    found = decode("demo.dflow", data)
    assert isinstance(found, Diagnostic)
    assert found.code in ("DF0140", "DF0141")


def test_mistakes_are_counted() -> None:
    assert len(mistakes_of("derived a = $ \n" * 1000)) == Limits().syntax_errors
