"""What the parser makes of a text."""

from __future__ import annotations

import pytest

from decisionflow.source import Source
from decisionflow.syntax import tree
from decisionflow.syntax.parse import decode
from decisionflow.syntax.phrases import phrase
from decisionflow.syntax.tokens import RESERVED

from .reading import expression_of, tree_of

SOFT = (
    *("first", "reason", "date", "at", "row", "missingness", "any", "exactly", "least"),
    *("most", "of", "best", "worst", "unique", "priority", "collect", "list", "sum"),
    *("min", "max", "count", "optional", "default", "immutable", "increasing", "never", "step"),
    *("from", "column", "trim", "case", "others", "as", "sensitive", "keep", "number"),
    *("integer", "boolean", "text", "timestamp", "ordered", "probability", "score", "using", "adverse"),
    *("stats", "sheet", "delimiter", "decimal", "by", "undecided", "invalid", "conflict", "starts"),
    *("ends", "with", "second", "days", "months", "zone", "today", "yes", "no"),
)


@pytest.mark.parametrize("word", SOFT)
def test_a_keyword_of_one_place_is_a_name_and_a_label_elsewhere(word: str) -> None:
    text = f"""
    policy {word}
    feature {word} : {{ {word}, other }} optional others as {word}
    parameter limit = {word}
    derived x = if {word} = {word} and {word} is present then {word} else min({word}, 2)
    model m : probability of {word} using {word}, x as "{word}"
    decision o : {{ {word}, other }} best first adverse {word} first
      rule {word}: if {word} in {{ {word}, a }} and {word} starts with "a" then {word} reason {word} "text"
      otherwise {word}
    decision t : number
      table any
      | {word} | {word} + 1 || t |
      | {word} | not {word}, {word} || {word} | reason {word} "text"
    test "t" given {word} = {word} expect {word} = {word} by {word} reason {word}, {word} undecided
    """
    feature = tree_of(text).declarations[1]
    assert isinstance(feature, tree.Feature)
    assert feature.name.name == word


@pytest.mark.parametrize("word", sorted(RESERVED))
def test_a_reserved_word_is_a_name_in_backquotes_and_a_label_in_quotes(word: str) -> None:
    (feature,) = tree_of(f'feature `{word}` : {{ "{word.upper()}" }}').declarations
    assert isinstance(feature, tree.Feature)
    assert isinstance(feature.type, tree.VocabularyType)
    assert (feature.name.name, feature.type.labels[0].text) == (word, word.upper())


def test_keywords_are_read_in_any_case() -> None:
    (decision,) = tree_of("DECISION o : { a } FIRST Rule r: IF x Is Missing AND y THEN a OTHERWISE a").declarations
    assert isinstance(decision, tree.Decision)
    assert isinstance(decision.body, tree.RulesBody)
    assert phrase(decision.body.rules[0].condition) == "x is missing and y"


def test_names_and_labels_are_composed() -> None:
    (feature,) = tree_of("feature zu\u0308rich : { zu\u0308rich } ").declarations
    assert isinstance(feature, tree.Feature)
    assert isinstance(feature.type, tree.VocabularyType)
    assert feature.name.name == feature.type.labels[0].text == "z\u00fcrich"


def test_quotes_are_doubled_inside() -> None:
    (feature,) = tree_of('feature `a``b` : text "say ""yes"""').declarations
    assert isinstance(feature, tree.Feature)
    assert (feature.name.name, feature.description) == ("a`b", 'say "yes"')


@pytest.mark.parametrize(
    ("spelling", "value"),
    [
        ("1_000", 1000),
        ("2.5e6", 2.5e6),
        ("40%", 0.4),
        ("7.5%", 0.075),
        ("007", 7),
        ("0.1", 0.1),
        ("9007199254740993", 9007199254740993),
    ],
)
def test_numbers(spelling: str, value: float) -> None:
    node = expression_of(spelling)
    assert isinstance(node, tree.Number)
    assert (node.value, type(node.value), node.spelling) == (value, type(value), spelling)


@pytest.mark.parametrize(
    ("text", "grouped"),
    [
        ("a or b and c", "a or (b and c)"),
        ("not a and b", "(not a) and b"),
        ("a + b * c", "a + (b * c)"),
        ("a - b - c", "(a - b) - c"),
        ("-a * b", "(-a) * b"),
        ("a * b ^ 2", "a * (b ^ 2)"),
        ("a + b < c", "(a + b) < c"),
        ("not a = b", "not (a = b)"),
        ("if a then b else c + 1", "if a then b else (c + 1)"),
    ],
)
def test_precedence(text: str, grouped: str) -> None:
    def bare(node: tree.Expression) -> object:
        if isinstance(node, tree.Group):
            return bare(node.inner)
        parts = [
            getattr(node, name) for name in node.__slots__ if name not in ("span", "operator_span", "operator_spans")
        ]
        return [type(node).__name__, *(_open(part) for part in parts)]

    def _open(part: object) -> object:
        if isinstance(part, tuple):
            return [_open(item) for item in part]
        return bare(part) if hasattr(part, "span") else part  # type: ignore[arg-type]

    assert bare(expression_of(text)) == bare(expression_of(grouped))


def test_a_chain_keeps_its_operands() -> None:
    node = expression_of("18 <= age < 65")
    assert isinstance(node, tree.Chain)
    assert (node.operators, [operand.span.text for operand in node.operands]) == (("<=", "<"), ["18", "age", "65"])


def test_a_record_is_told_from_comparisons_in_a_count() -> None:
    assert isinstance(expression_of("(rate = 5%, limit = 1000)"), tree.Fields)
    assert isinstance(expression_of("at least 1 of (a = 1, b = 2)"), tree.Count)
    assert isinstance(expression_of("(a = 1)"), tree.Group)


def test_rows_may_be_wrapped_or_share_a_line() -> None:
    wrapped = "decision t : number table\n | a | b || t |\n | 1 |\n 2 || 3 |\n | 4 | - || 5 |"
    one_line = "decision t : number table | a | b || t | | 1 | 2 || 3 | | 4 | - || 5 |"
    for text in (wrapped, one_line):
        (decision,) = tree_of(text).declarations
        assert isinstance(decision, tree.Decision)
        assert isinstance(decision.body, tree.Table)
        assert [(len(row.cells), len(row.outcomes)) for row in decision.body.rows] == [(2, 1), (2, 1)]


def test_rows_take_names_from_a_first_column() -> None:
    (decision,) = tree_of('decision t : number table\n | rule | a || t |\n | R1 | 1 || 3 | reason X "y"').declarations
    assert isinstance(decision, tree.Decision)
    assert isinstance(decision.body, tree.Table)
    row = decision.body.rows[0]
    assert row.name is not None
    assert row.reason is not None
    assert (row.name.name, row.reason.code, len(row.cells)) == ("R1", "X", 1)


def test_by_row_and_by_otherwise() -> None:
    (example,) = tree_of('test "t" expect a = 1 by row 2, b = 2 by otherwise').declarations
    assert isinstance(example, tree.Example)
    first, second = example.expected
    assert isinstance(first.by, tree.Text)
    assert isinstance(second.by, tree.Name)
    assert (first.by.value, second.by.name) == ("row 2", "otherwise")


def test_spans_are_places_in_the_text() -> None:
    file = tree_of("\n\nderived x = a +\n  b")
    (derived,) = file.declarations
    assert isinstance(derived, tree.Derived)
    assert (derived.span.place, derived.expression.span.text) == ("demo.dflow:3:1", "a +\n  b")


def test_a_byte_order_mark_is_no_character() -> None:
    source = decode("demo.dflow", b"\xef\xbb\xbfpolicy a")
    assert isinstance(source, Source)
    assert source.text == "policy a"
