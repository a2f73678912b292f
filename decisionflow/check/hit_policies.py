"""Hit policies: which suit a decision's type, and what the decision then holds."""

from __future__ import annotations

from typing import cast

from decisionflow.check.messages import declarations as messages
from decisionflow.check.scope import Context
from decisionflow.program.declarations import Aggregation, HitPolicyName
from decisionflow.syntax import tree
from decisionflow.types import INTEGER, NUMBER, ListOf, Type, Vocabulary


def hit_policy_of(node: tree.Decision, kind: Type | None, context: Context) -> tuple[HitPolicyName, Aggregation]:
    """The hit policy and aggregation of a decision with rules; a message where they do not suit its type."""
    written = node.hit_policy
    if written is None:
        return "first", ""
    if kind is not None:
        _check_suits(node, written, kind, context)
    aggregation = written.aggregation or "list" if written.name == "collect" else ""
    return cast(HitPolicyName, written.name), cast(Aggregation, aggregation)


def _check_suits(node: tree.Decision, written: tree.HitPolicy, kind: Type, context: Context) -> None:
    if written.name == "priority" and not isinstance(kind, Vocabulary):
        context.report.add(messages.priority_unsuited(node, written, kind))
    if written.aggregation in ("sum", "min", "max") and kind not in (NUMBER, INTEGER):
        context.report.add(messages.aggregation_unsuited(node, written, kind))


def held_type(node: tree.Decision, kind: Type) -> Type:
    """What others read of a decision whose outcomes have a type: a list or a count under `collect`."""
    written = node.hit_policy
    if written is None or written.name != "collect":
        return kind
    if written.aggregation == "count":
        return INTEGER
    return ListOf(kind) if written.aggregation in ("", "list") else kind
