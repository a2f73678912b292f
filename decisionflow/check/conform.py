"""Whether a typed value fits the place where it stands, and the value as that place takes it."""

from __future__ import annotations

from dataclasses import replace

from decisionflow.check.messages import names as name_messages
from decisionflow.check.messages import types as messages
from decisionflow.check.scope import Context
from decisionflow.check.wanted import Wanted
from decisionflow.conditions.expression import Constant, Expression
from decisionflow.conditions.operators import fits
from decisionflow.source import Span
from decisionflow.syntax import tree
from decisionflow.types import INTEGER, NUMBER, TEXT, Record, Type, Vocabulary


def conform(found: Expression | None, node: tree.Expression, wanted: Wanted, context: Context) -> Expression | None:
    """The value if its type fits what is wanted, an integer literal as a number where one is; else a message."""
    if found is None:
        return None
    if is_word_parameter(found, wanted.type):
        return as_label(found, node.span, wanted, context)
    if takes(found.type, wanted.type):
        return widened(found, wanted.type)
    context.report.add(messages.wrong_type(found, node, wanted, context.scope))
    return None


def takes(given: Type, wanted: Type) -> bool:
    """Whether a value of one type may stand where another is wanted."""
    if isinstance(given, Vocabulary) and isinstance(wanted, Vocabulary):
        return given.labels == wanted.labels
    if isinstance(given, Record) and isinstance(wanted, Record):
        parts = dict(wanted.parts)
        return {name for name, _ in given.parts} == set(parts) and all(
            takes(part, parts[name]) for name, part in given.parts
        )
    return fits(given, wanted)


def widened(found: Expression, wanted: Type) -> Expression:
    """An integer constant as a number where a number is wanted; anything else as it is."""
    if isinstance(found, Constant) and found.type == INTEGER and wanted == NUMBER:
        return replace(found, value=float(found.value), type=NUMBER)
    return found


def common_type(left: Type, right: Type) -> Type | None:
    """The type that holds the values of both, None where there is none."""
    if takes(left, right):
        return right
    return left if takes(right, left) else None


def is_word_parameter(found: Expression, wanted: Type) -> bool:
    """Whether a parameter's text stands where a label is wanted."""
    return isinstance(found, Constant) and found.type == TEXT and bool(found.name) and isinstance(wanted, Vocabulary)


def as_label(found: Expression, span: Span, wanted: Wanted, context: Context) -> Expression | None:
    """A parameter's text as the label that it names."""
    assert isinstance(found, Constant)
    assert isinstance(wanted.type, Vocabulary)
    if found.value in wanted.type.labels:
        return replace(found, type=wanted.type)
    context.report.add(name_messages.unknown_label(found.value, span, wanted, context.scope, found.name))
    return None
