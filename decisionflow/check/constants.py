"""Values that must be known before a policy runs: domains, defaults, parameters, what a test gives."""

from __future__ import annotations

from decisionflow.check.expressions import typed_expression
from decisionflow.check.messages import declarations as messages
from decisionflow.check.scope import Context
from decisionflow.check.wanted import Wanted
from decisionflow.conditions.expression import Constant, Expression, MakeRecord
from decisionflow.conditions.values import Value
from decisionflow.syntax import tree
from decisionflow.types import Type


def constant(node: tree.Expression, context: Context, wanted: Wanted | None = None) -> Constant | None:
    """The constant that a literal or a parameter is, None after a message."""
    found = typed_expression(node, context, wanted)
    if found is None or isinstance(found, Constant):
        return found
    context.report.add(messages.not_a_literal(node))
    return None


def known_value(node: tree.Expression, kind: Type, place: str, context: Context) -> Value:
    """The value of a literal or a record of literals of a type, None after a message."""
    found = typed_expression(node, context, Wanted(kind, place, None))
    if found is None:
        return None
    value = _value(found)
    if value is None:
        context.report.add(messages.not_a_literal(node))
    return value


def _value(found: Expression) -> Value:
    if isinstance(found, Constant):
        return found.value
    if not isinstance(found, MakeRecord):
        return None
    parts = {name: _value(part) for name, part in found.parts}
    return None if any(value is None for value in parts.values()) else parts
