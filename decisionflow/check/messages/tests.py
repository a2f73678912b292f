"""What is said about the tests of a policy (DF0433 to DF0436)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from decisionflow.check.messages.names import listed
from decisionflow.check.scope import Declared
from decisionflow.diagnostics import Diagnostic, Note
from decisionflow.source import Span
from decisionflow.syntax import tree


def example_twice(node: tree.Example, first: tree.Example) -> Diagnostic:
    """Two tests of one name."""
    return Diagnostic(
        "DF0433",
        node.name.span,
        f'test "{node.name.value}" is written twice',
        "results name the test: give each its own name",
        (Note(first.name.span, "it is written here first"),),
    )


def given_twice(name: str, span: Span) -> Diagnostic:
    """A value that a test gives twice."""
    return Diagnostic("DF0434", span, f"`{name}` is given twice", "take one of them out")


def not_given(declared: Declared[Any], span: Span) -> Diagnostic:
    """A test that gives what it cannot."""
    is_parameter = declared.kind == "parameter"
    return Diagnostic(
        "DF0435",
        span,
        f"a test gives features, models and decisions, and `{declared.name}` is a {declared.noun}",
        "a parameter keeps its value in tests" if is_parameter else "give the features that it is computed from",
        (Note(declared.span, f"`{declared.name}` is declared here"),),
    )


def not_expected(declared: Declared[Any], span: Span) -> Diagnostic:
    """A test that expects what is no decision."""
    return Diagnostic(
        "DF0435",
        span,
        f"a test expects decisions, and `{declared.name}` is a {declared.noun}",
        f"expect a decision that reads `{declared.name}`",
        (Note(declared.span, f"`{declared.name}` is declared here"),),
    )


def given_missing(declared: Declared[Any], span: Span) -> Diagnostic:
    """A model or a decision that a test gives as missing by parts."""
    return Diagnostic("DF0435", span, f"a part of `{declared.name}` cannot be missing on its own", "give all its parts")


def parts_not_given(name: str, lacking: Sequence[str], span: Span) -> Diagnostic:
    """A record of which a test gives some parts only."""
    return Diagnostic("DF0436", span, f"`{name}` is given without {listed(lacking)}", "give all of its parts")
