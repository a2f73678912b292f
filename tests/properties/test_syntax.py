"""Reading and writing are each other's inverse, and a formatted text is its own formatting."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from decisionflow.source import Source
from decisionflow.syntax import tree
from decisionflow.syntax.format import format_text
from decisionflow.syntax.parse import parse, parse_expression
from decisionflow.syntax.phrases import phrase
from decisionflow.syntax.write import write
from tests.properties.trees import expressions, files, without_places

QUICK = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


def parsed(text: str) -> tree.File:
    found = parse(Source("generated.dflow", text))
    assert isinstance(found, tree.File), text + "\n\n" + "\n".join(map(str, found))
    return found


@QUICK
@given(files())
def test_a_written_tree_reads_back_as_the_same_tree(file: tree.File) -> None:
    assert without_places(parsed(write(file)).declarations) == without_places(file.declarations)


@QUICK
@given(expressions(2))
def test_a_written_expression_reads_back_as_the_same_expression(node: tree.Expression) -> None:
    found = parse_expression(Source("", phrase(node)))
    assert without_places(found) == without_places(node)


@st.composite
def noisy_texts(draw: st.DrawFn) -> str:
    """A policy with line breaks, comments and blank lines strewn over it, wherever a blank stands outside quotes."""
    pieces, quote = [], ""
    for letter in write(draw(files())):
        if letter in '"`' and quote in ("", letter):
            quote = "" if quote else letter
        noise = ""
        if letter == "\n" and draw(st.integers(0, 3)) == 0:
            noise = draw(st.sampled_from(["  # behind\n", "\n\n\n", "\n  # alone\n", "\n# at the margin\n\n", "\r\n"]))
        elif letter == " " and not quote and draw(st.integers(0, 20)) == 0:
            noise = draw(st.sampled_from(["   ", "\t", ' # within, "quoted"\n ']))
        pieces.append(noise or letter)
    return "".join(pieces)


@QUICK
@given(noisy_texts())
def test_formatting_keeps_meaning_and_comments_and_is_its_own_formatting(text: str) -> None:
    before = parse(Source("generated.dflow", text))
    if not isinstance(before, tree.File):
        return
    formatted = format_text(before)
    after = parsed(formatted)
    assert without_places(after.declarations) == without_places(before.declarations)
    assert sorted(comment.text for comment in after.comments) == sorted(comment.text for comment in before.comments)
    assert format_text(after) == formatted


@QUICK
@given(
    st.text(max_size=60)
    | st.lists(
        st.sampled_from(
            [
                "feature",
                "rule",
                "if",
                "then",
                "(",
                "]",
                "|",
                "||",
                "a",
                "1",
                ",",
                "\n",
                '"',
                "=",
                "decision",
                ":",
                "table",
                "- ",
                "missing",
            ]
        ),
        max_size=25,
    ).map(" ".join)
)
def test_any_text_gives_a_tree_or_messages_that_can_be_shown(text: str) -> None:
    found = parse(Source("any.dflow", text))
    assert isinstance(found, tree.File) or (found and all(str(diagnostic) for diagnostic in found))
