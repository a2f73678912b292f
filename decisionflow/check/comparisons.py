"""Comparisons, intervals and sets of typed values: which may be compared, and the node that compares them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from decisionflow.check.conform import as_label, is_word_parameter, widened
from decisionflow.check.messages import names as name_messages
from decisionflow.check.messages import types as messages
from decisionflow.check.scope import Context
from decisionflow.check.wanted import like
from decisionflow.conditions.expression import Among, Bound, Compare, Constant, Expression, Within
from decisionflow.conditions.operators import COMPARISON, fits
from decisionflow.frozen import frozen
from decisionflow.source import Span
from decisionflow.syntax import tree
from decisionflow.types import BOOLEAN, CALENDAR, TEXT, ListOf, Record, Type, Vocabulary

Side = tuple[tree.Expression, Expression | None]


@frozen
class Place:
    """A comparison as it is written: operator, its span, that of the whole, and both sides."""

    operator: str
    span: Span
    whole: Span
    left: tree.Expression
    right: tree.Expression


def compare(place: Place, left: Expression | None, right: Expression | None, context: Context) -> Compare | None:
    """The comparison of two values, None after a message."""
    sides = comparable(place, left, right, context)
    if sides is None:
        return None
    return Compare(COMPARISON[place.operator], *sides, span=place.whole)


def comparable(
    place: Place, left: Expression | None, right: Expression | None, context: Context
) -> tuple[Expression, Expression] | None:
    """Both sides as they are compared, None after a message."""
    if left is None or right is None:
        return None
    if is_word_parameter(left, right.type):
        return _with_label(left, right, place.left.span, context, swapped=True)
    if is_word_parameter(right, left.type):
        return _with_label(right, left, place.right.span, context, swapped=False)
    if not _alike(left.type, right.type):
        context.report.add(messages.compares_unlike(place, left, right, context.scope))
        return None
    if COMPARISON[place.operator].orders and not _has_order(left.type):
        context.report.add(messages.has_no_order(place, left, context.scope))
        return None
    return widened(left, right.type), widened(right, left.type)


def _with_label(
    word: Expression, other: Expression, span: Span, context: Context, swapped: bool
) -> tuple[Expression, Expression] | None:
    label = as_label(word, span, like(other, context.scope), context)
    if label is None:
        return None
    return (label, other) if swapped else (other, label)


def _alike(left: Type, right: Type) -> bool:
    if left == CALENDAR or isinstance(left, Record | ListOf):
        return False
    if isinstance(left, Vocabulary) and isinstance(right, Vocabulary):
        return left.labels == right.labels
    return fits(left, right) or fits(right, left)


def _has_order(kind: Type) -> bool:
    return kind.ordered if isinstance(kind, Vocabulary) else kind not in (TEXT, BOOLEAN)


def within(
    node: tree.Range, value: Side, low: Expression | None, high: Expression | None, context: Context
) -> Within | None:
    """`value in [low .. high)`."""
    ends = (
        (node.low, low, ">=" if node.low.closed else ">"),
        (node.high, high, "<=" if node.high.closed else "<"),
    )
    found: list[tuple[Expression, Expression] | None] = []
    for end, bound, operator in ends:
        found.append(
            comparable(Place(operator, end.value.span, end.value.span, value[0], end.value), value[1], bound, context)
        )
        if found[-1] is None and bound is not None:
            return None
    lower, upper = found
    if lower is None or upper is None:
        return None
    (compared, lowest), (_, highest) = lower, upper
    if _backwards(lowest, highest):
        context.report.add(messages.interval_backwards(node))
        return None
    return Within(compared, Bound(lowest, node.low.closed), Bound(highest, node.high.closed), node.span)


def _backwards(low: Expression, high: Expression) -> bool:
    if not (isinstance(low, Constant) and isinstance(high, Constant)) or low.name or high.name:
        return False
    if isinstance(low.type, Vocabulary):
        return low.type.labels.index(low.value) > low.type.labels.index(high.value)
    return bool(low.value > high.value)


def among(
    node: tree.Set, value: Side, members: Sequence[Expression | None], context: Context, name: str = ""
) -> Among | None:
    """`value in { … }`."""
    found = []
    for written, member in zip(node.members, members, strict=True):
        sides = comparable(Place("=", written.span, written.span, value[0], written), value[1], member, context)
        if sides is None and member is not None:
            return None
        found.append(sides)
    if not found or value[1] is None or any(sides is None for sides in found):
        return None
    known = [sides for sides in found if sides is not None]
    return Among(value[1], tuple(member for _, member in known), name, node.span)


def among_parameter(node: tree.Name, value: Side, context: Context) -> Among | None:
    """`value in NAME`, the name of a parameter that is a set."""
    scope = context.scope
    declared, parameter = scope.declared.get(node.name), scope.parameters.get(node.name)
    if declared is None:
        context.report.add(name_messages.unknown_name(node, scope))
        return None
    if declared.kind != "parameter" or (parameter is not None and not parameter.is_set):
        context.report.add(messages.not_a_set(node, declared))
        return None
    if parameter is None or value[1] is None:
        return None
    choices = []
    for member in parameter.value:
        constant = Constant(member, parameter.type, node.name, node.span)
        sides = comparable(Place("=", node.span, node.span, value[0], node), value[1], constant, context)
        if sides is None:
            return None
        choices.append(replace(sides[1], name="") if isinstance(sides[1], Constant) else sides[1])
    return Among(value[1], tuple(choices), node.name, node.span)
