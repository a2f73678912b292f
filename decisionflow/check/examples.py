"""The tests written in a policy, typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from decisionflow.check import words
from decisionflow.check.constants import known_value
from decisionflow.check.messages import names as name_messages
from decisionflow.check.messages import tests as messages
from decisionflow.check.scope import Context, Declared
from decisionflow.conditions.values import MISSING, Value
from decisionflow.program.cases import Case, Expectation
from decisionflow.program.declarations import CompanionList, Decision
from decisionflow.source import Span
from decisionflow.syntax import tree
from decisionflow.types import DATE, Record, Type

GIVEN = ("feature", "model", "decision")


def checked_examples(
    nodes: Sequence[tree.Example], decisions: dict[str, Decision], context: Context
) -> tuple[Case, ...]:
    """The tests that are sound, in order."""
    seen: dict[str, tree.Example] = {}
    found = []
    for node in nodes:
        if seen.setdefault(node.name.value, node) is not node:
            context.report.add(messages.example_twice(node, seen[node.name.value]))
        given, expected = _given(node, context), _expected(node, decisions, context)
        found.append(Case(node.name.value, given, expected, node.name.span))
    return tuple(found)


def _given(node: tree.Example, context: Context) -> tuple[tuple[str, Value], ...]:
    whole: dict[str, Value] = {}
    parts: dict[str, dict[str, Value]] = {}
    for reference, written in node.given:
        key = reference.name if isinstance(reference, tree.Name) else f"{reference.record.name}.{reference.part.name}"
        record = "" if isinstance(reference, tree.Name) else reference.record.name
        kind = _given_type(reference, context)
        if key in whole or record in whole or (not record and key in parts):
            context.report.add(messages.given_twice(key, reference.span))
            continue
        value = MISSING if written is None else None
        if written is not None and kind is not None:
            value = known_value(written, kind, f"`{key}`", context)
        if record and isinstance(reference, tree.Part):
            parts.setdefault(record, {})[reference.part.name] = value
        else:
            whole[key] = value
    _check_parts(node, parts, context)
    return tuple((whole | parts).items())


def _given_type(reference: tree.Name | tree.Part, context: Context) -> Type | None:
    """The type of what a test gives, None after a message."""
    name = reference if isinstance(reference, tree.Name) else reference.record
    declared = context.scope.declared.get(name.name)
    if declared is None and name.name == words.TODAY:
        return DATE
    if declared is not None and declared.kind not in GIVEN:
        context.report.add(messages.not_given(declared, name.span))
        return None
    return _type_of(reference, context)


def _type_of(reference: tree.Name | tree.Part, context: Context) -> Type | None:
    found = words.part(reference, context) if isinstance(reference, tree.Part) else words.name(reference, context)
    return None if found is None else found.type


def _check_parts(node: tree.Example, parts: dict[str, dict[str, Value]], context: Context) -> None:
    for record, given in parts.items():
        kind = context.scope.types.get(record)
        if not isinstance(kind, Record):
            continue
        lacking = [name for name, _ in kind.parts if name not in given]
        if lacking:
            context.report.add(messages.parts_not_given(record, lacking, _place(node, record)))
        elif MISSING in given.values():
            context.report.add(messages.given_missing(context.scope.declared[record], _place(node, record)))


def _place(node: tree.Example, record: str) -> Span:
    return next(
        reference.span
        for reference, _ in node.given
        if isinstance(reference, tree.Part) and reference.record.name == record
    )


def _expected(node: tree.Example, decisions: dict[str, Decision], context: Context) -> tuple[Expectation, ...]:
    found = (_expectation(item, decisions, context) for item in node.expected)
    return tuple(item for item in found if item is not None)


def _expectation(item: tree.Expectation, decisions: dict[str, Decision], context: Context) -> Expectation | None:
    name = item.name if isinstance(item.name, tree.Name) else item.name.record
    declared = context.scope.declared.get(name.name)
    if declared is not None and declared.kind != "decision":
        context.report.add(messages.not_expected(declared, name.span))
        return None
    kind = _type_of(item.name, context)
    value = None
    if item.value is not None and kind is not None:
        value = known_value(item.value, kind, f"`{item.name.span.text}`", context)
    if name.name not in decisions or declared is None:
        return None
    rule = _rule(item, declared, decisions[name.name], context)
    _check_reason(item, decisions[name.name], context)
    part = item.name.part.name if isinstance(item.name, tree.Part) else ""
    return Expectation(name.name, item.status, value, part, rule, item.reason, item.span)


def _rule(item: tree.Expectation, declared: Declared[Any], decision: Decision, context: Context) -> str | None:
    """The rule that is expected; several that fire together are joined by `;`."""
    if item.by is None:
        return None
    written = item.by.name if isinstance(item.by, tree.Name) else item.by.value
    known = [rule.name for rule in decision.rules]
    if isinstance(decision.body, CompanionList):
        known.append(decision.body.fallback_name)
    for name in [written] if written in known else written.split(";"):
        if name.strip() not in known:
            context.report.add(name_messages.unknown_rule(name.strip(), item.by.span, declared.name, known))
    return written if written in known else ";".join(name.strip() for name in written.split(";"))


def _check_reason(item: tree.Expectation, decision: Decision, context: Context) -> None:
    codes = list(dict.fromkeys(rule.reason.code for rule in decision.rules if rule.reason is not None))
    if item.reason is not None and item.reason not in codes:
        context.report.add(name_messages.unknown_reason(item.reason, item.span, decision.name, codes))
