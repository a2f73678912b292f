"""What is said about the reasons that a customer is told (DF044x)."""

from __future__ import annotations

from typing import Any

from decisionflow.check.messages.types import described
from decisionflow.check.scope import Declared, Scope
from decisionflow.diagnostics import Diagnostic, Note, did_you_mean
from decisionflow.syntax import tree
from decisionflow.types import Type


def unknown_feature(row: tree.ReasonRow, scope: Scope) -> Diagnostic:
    """A reason for a feature that is not declared."""
    name = row.feature.name
    known = [other for other, declared in scope.declared.items() if declared.kind == "feature"]
    advice = did_you_mean(name, known) or "name a feature of the policy"
    return Diagnostic("DF0201", row.feature.span, f"`{name}` is not a name that this policy declares", advice)


def reason_for_no_feature(row: tree.ReasonRow, declared: Declared[Any]) -> Diagnostic:
    """A reason for a model, a derived value and the like."""
    return Diagnostic(
        "DF0440",
        row.feature.span,
        f"reasons are given for features, and `{declared.name}` is a {declared.noun}",
        "name the features that it is computed from; contributions are traced back to them",
        (Note(declared.span, f"`{declared.name}` is declared here"),),
    )


def reason_twice(row: tree.ReasonRow, first: tree.ReasonRow) -> Diagnostic:
    """Two reasons for one feature in one direction."""
    return Diagnostic(
        "DF0441",
        row.span,
        f"`{row.feature.name} {row.effect}` has a reason already",
        "keep one of the two",
        (Note(first.span, "the first is here"),),
    )


def lowers_without_order(row: tree.ReasonRow, kind: Type, declared: Declared[Any]) -> Diagnostic:
    """`lowers` for values that are neither high nor low."""
    return Diagnostic(
        "DF0442",
        row.span,
        f"`{row.feature.name}` is {described(kind)}: its values are neither high nor low",
        f"write `{row.feature.name} raises …`, which stands for whatever value speaks for an adverse outcome",
        (Note(declared.span, f"`{declared.name}` is declared here"),),
    )


def most_reasons_is_no_count(number: tree.Number) -> Diagnostic:
    """`reasons at most 0`, or half a reason."""
    return Diagnostic("DF0443", number.span, f"{number.spelling} is no number of reasons", "write 1 or more, such as 4")


def reasons_without_adverse(node: tree.Decision, number: tree.Number) -> Diagnostic:
    """A number of reasons where no outcome needs one."""
    return Diagnostic(
        "DF0443",
        number.span,
        f"reasons are given for adverse outcomes, and `{node.name.name}` declares none",
        "say which they are: `adverse LABEL` before `reasons`",
    )
