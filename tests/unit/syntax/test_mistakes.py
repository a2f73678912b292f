"""What the parser says of a faulty text."""

from __future__ import annotations

import pytest

from .reading import codes_of, mistakes_of

OFFER = "decision offer : { yes, no }\n"


def test_independent_mistakes_appear_in_one_run() -> None:
    found = mistakes_of(
        """featrue a : number
feature b : nubmer
decision o : { yes, no }
  rule r1: if a < 1 yes
  rule r2: if (a < 2 then no
  rule r3: if a < 3 then
  otherwise no
derived c = 1 +
derived d = a == 2
"""
    )
    assert [(item.code, item.span.line) for item in found if item.span] == [
        ("DF0105", 1),
        ("DF0105", 2),
        ("DF0104", 4),
        ("DF0110", 5),
        ("DF0101", 7),
        ("DF0101", 9),
        ("DF0106", 9),
    ]


@pytest.mark.parametrize(
    ("text", "code", "suggestion"),
    [
        ("featrue a : number", "DF0105", "did you mean `feature`?"),
        ("feature a : nubmer", "DF0105", "did you mean `number`?"),
        ("feature a : number optionl", "DF0105", "did you mean `optional`?"),
        ("feature rule : number", "DF0102", "put it in backquotes: `rule`"),
        ("feature a : { SE, IN }", "DF0103", 'put the label in quotes: "IN"'),
        ("derived a = b == 1", "DF0106", "write `=`"),
        ("derived a = b => 1", "DF0106", "write `>=`"),
        (OFFER + "rule r: if a => 1 then yes", "DF0106", "write `>=`"),
        (OFFER + "rule r: if a > 1 => yes", "DF0106", "write `then`"),
        ("derived a = b <> 1", "DF0106", "write `!=`"),
        ("derived a = b ≤ 1", "DF0106", "write `<=`"),
        ("derived a = b > 1 && c", "DF0106", "write `and`"),
        ("derived a = b > 1 || c", "DF0106", "write `or`"),
        ("parameter a = 0,4", "DF0107", "write `0.4`"),
        ("feature a : number [0,5 .. 1]", "DF0107", "write `0.5`"),
        ("parameter a = “x”", "DF0108", 'write "x"'),
        ("parameter a = 'x'", "DF0108", 'write "x"'),
        ("derived a = [1 .. 2]", "DF0101", ""),
        ("derived a = b is not missing", "DF0124", "write `is present`"),
        ("derived a = b != missing", "DF0123", "write `is present` instead of `!= missing`"),
        (OFFER + "rule r if a then yes", "DF0101", "write `:` before it"),
        ("derived a b + 1", "DF0101", "write `=` before it"),
        (OFFER + "rule r: a > 1 then yes", "DF0101", "write `if` before it"),
        (OFFER + "rule r: when a > 1 then yes", "DF0101", "write `if`"),
        (OFFER + "rule r: if a then yes default no", "DF0105", "write `otherwise`"),
        (OFFER, "DF0101", "give the decision its rules, a table, or `= EXPRESSION`"),
        ("rule r: if a then b", "DF0101", "write it below the `decision` that it belongs to"),
        ("derived a = 1 + if b then 2 else 3", "DF0101", "put `if … then … else …` in parentheses"),
        ("derived a = b between 1 and 2", "DF0105", "write `in [low .. high]`"),
        ("feature a : { 1, 2 }", "DF0101", "a label that is a number stands in quotes"),
        ("feature 1a : number", "DF0101", "a name starts with a letter; any other column name stands in backquotes"),
    ],
)
def test_a_trap_has_its_message_and_a_suggestion(text: str, code: str, suggestion: str) -> None:
    found = mistakes_of(text)
    assert [(item.code, item.help) for item in found] == [(code, suggestion)], "\n".join(map(str, found))


def test_the_caret_stands_under_the_token() -> None:
    (found,) = mistakes_of("feature a : number\nderived b = (a + 1] * 2")
    assert str(found) == "\n".join(
        [
            "error[DF0111]: expected `)` to close `(`, found `]`",
            " --> demo.dflow:2:19",
            "  |",
            "2 | derived b = (a + 1] * 2",
            "  |                   ^",
            "note: `(` is opened here",
            " --> demo.dflow:2:13",
            "  |",
            "2 | derived b = (a + 1] * 2",
            "  |             ^",
            "help: write `)`",
        ]
    )


def test_a_faulty_row_does_not_disturb_the_others() -> None:
    rows = "\n".join(["| 1 2 | 3 || 4 |", "| 1 | 3 || 4 |", "| 1 || 4 |", "| foo bar | 3 || 4 |", "| 1 |  || 4 |"])
    assert codes_of(f"decision t : number\n table\n| a | b || t |\n{rows}") == ["DF0101", "DF0115", "DF0105", "DF0113"]


def test_at_the_end_of_the_file_too() -> None:
    (found,) = mistakes_of("derived a = min(1,")
    assert (found.code, found.message) == ("DF0110", "`(` is not closed before the end of the file")
