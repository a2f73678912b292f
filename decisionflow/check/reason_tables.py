"""The table of reasons: which code a feature gives by being high or low."""

from __future__ import annotations

from collections.abc import Iterable

from decisionflow.check.features import is_ordered
from decisionflow.check.messages import reasons as messages
from decisionflow.check.scope import Context
from decisionflow.program.declarations import FeatureReason, Reason
from decisionflow.syntax import tree
from decisionflow.types import BOOLEAN


def checked_reasons(tables: Iterable[tree.ReasonTable], context: Context) -> tuple[FeatureReason, ...]:
    """The rows of every table in order, without the faulty ones."""
    first: dict[tuple[str, str], tree.ReasonRow] = {}
    found = []
    for row in (row for table in tables for row in table.rows):
        key = row.feature.name, row.effect
        if key in first:
            context.report.add(messages.reason_twice(row, first[key]))
        elif _is_sound(row, context):
            found.append(FeatureReason(*key, Reason(row.reason.code, row.reason.text)))
        first.setdefault(key, row)
    return tuple(found)


def _is_sound(row: tree.ReasonRow, context: Context) -> bool:
    declared = context.scope.declared.get(row.feature.name)
    if declared is None:
        context.report.add(messages.unknown_feature(row, context.scope))
        return False
    if declared.kind != "feature":
        context.report.add(messages.reason_for_no_feature(row, declared))
        return False
    kind = context.scope.types.get(declared.name)
    if kind is not None and row.effect == "lowers" and not (is_ordered(kind) or kind == BOOLEAN):
        context.report.add(messages.lowers_without_order(row, kind, declared))
        return False
    return True


def checked_most_reasons(node: tree.Decision, context: Context) -> int | None:
    """How many reasons a decision gives at most, None where it does not say."""
    number = node.most_reasons
    if number is None:
        return None
    if not isinstance(number.value, int) or number.value < 1:
        context.report.add(messages.most_reasons_is_no_count(number))
        return None
    if not node.adverse:
        context.report.add(messages.reasons_without_adverse(node, number))
    return number.value
