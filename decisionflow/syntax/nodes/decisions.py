"""Decisions: their bodies, rules, reasons and figures."""

# ruff: noqa: ARG001 -- every maker takes the same arguments
from __future__ import annotations

from dataclasses import replace
from typing import Any

from decisionflow.frozen import frozen
from decisionflow.source import Span
from decisionflow.syntax import tree
from decisionflow.syntax.nodes.building import Building, Make, described, spelled
from decisionflow.syntax.nodes.declarations import first, only
from decisionflow.syntax.nodes.rows import inline_table
from decisionflow.syntax.tokens import Token


@frozen
class Direction:
    """`best first` or `worst first`."""

    best_first: bool
    span: Span


@frozen
class Adverse:
    """`adverse LABEL, …`."""

    labels: tuple[tree.Label, ...]
    span: Span


@frozen
class MostReasons:
    """`reasons at most N`."""

    number: tree.Number
    span: Span


@frozen
class TableBody:
    """A table and the hit policy written after the word."""

    table: tree.Table | tree.TableFrom
    hit_policy: tree.HitPolicy | None


def decision(build: Building, parts: list[Any], span: Span) -> tree.Decision:
    name, kind, *clauses, body = parts
    if isinstance(body, TableBody):
        clauses += [body.hit_policy] if body.hit_policy else []
        body = body.table
    direction = only(build, clauses, Direction, "direction")
    adverse = only(build, clauses, Adverse, "adverse")
    most = only(build, clauses, MostReasons, "number of reasons")
    return tree.Decision(
        name,
        kind,
        only(build, clauses, (tree.Range, tree.HalfDomain), "domain"),
        direction.best_first if direction else None,
        adverse.labels if adverse else (),
        most.number if most else None,
        only(build, clauses, tree.HitPolicy, "hit policy"),
        described(only(build, clauses, Token, "description")),
        _with_records(body) if isinstance(kind, tree.RecordType) else body,
        span,
    )


def direction(build: Building, parts: list[Any], span: Span) -> Direction:
    return Direction(parts[0].text.lower() == "best", span)


def adverse(build: Building, parts: list[Any], span: Span) -> Adverse:
    return Adverse(tuple(parts), span)


def most_reasons(build: Building, parts: list[Any], span: Span) -> MostReasons:
    return MostReasons(parts[-1], span)


def hit_policy(build: Building, parts: list[Any], span: Span) -> tree.HitPolicy:
    name, *aggregation = (token.text.lower() for token in parts)
    if name == "collect":
        return tree.HitPolicy(name, aggregation[0] if aggregation else "list", span)
    return tree.HitPolicy(name, "", span)


def rules(build: Building, parts: list[Any], span: Span) -> tree.RulesBody:
    found = tuple(part for part in parts if isinstance(part, tree.Rule))
    otherwise = parts[-1] if isinstance(parts[-1], tree.Otherwise) else None
    return tree.RulesBody(found, otherwise, span)


def rule(build: Building, parts: list[Any], span: Span) -> tree.Rule:
    name, condition, outcome, *clauses = parts
    reason = only(build, clauses, tree.Reason, "reason")
    return tree.Rule(name, condition, outcome, reason, only(build, clauses, tree.Stats, "stats"), span)


def unnamed_rule(build: Building, parts: list[Any], span: Span) -> tree.Rule:
    return rule(build, [None, *parts], span)


def otherwise(build: Building, parts: list[Any], span: Span) -> tree.Otherwise:
    outcome, reason = parts[-2:]
    return tree.Otherwise(outcome, reason, span)


def reason(build: Building, parts: list[Any], span: Span) -> tree.Reason:
    return tree.Reason(parts[0], described(parts[1]), span)


def reason_table(build: Building, parts: list[Any], span: Span) -> tree.ReasonTable:
    return tree.ReasonTable(tuple(parts), span)


def reason_row(build: Building, parts: list[Any], span: Span) -> tree.ReasonRow:
    feature, effect, code, text = parts
    return tree.ReasonRow(feature, effect.text.lower(), tree.Reason(code, described(text), span), span)


def stats(build: Building, parts: list[Any], span: Span) -> tree.Stats:
    return tree.Stats(tuple(parts), span)


def figure(build: Building, parts: list[Any], span: Span) -> tuple[str, tree.Number]:
    return spelled(parts[0]), parts[1]


def table(build: Building, parts: list[Any], span: Span) -> TableBody:
    hit_policy, *cells, otherwise = parts
    return TableBody(inline_table(build, cells, otherwise, span), hit_policy)


def table_from(build: Building, parts: list[Any], span: Span) -> TableBody:
    hit_policy, path, *options, otherwise = parts
    return TableBody(tree.TableFrom(path, tuple(options), otherwise, span), hit_policy)


def companion(build: Building, parts: list[Any], span: Span) -> tree.Companion:
    return tree.Companion(parts[0], tuple(parts[1:]), span)


def formula(build: Building, parts: list[Any], span: Span) -> tree.Formula:
    return tree.Formula(parts[0], span)


def _with_records(body: tree.Body) -> tree.Body:
    """Read `( rate = 5% )` as a record of one part: nothing but the decision's type tells it from a comparison."""
    if isinstance(body, tree.Formula):
        return replace(body, expression=_record(body.expression))
    if isinstance(body, tree.Companion):
        return replace(body, rules=tuple(replace(rule, outcome=_record(rule.outcome)) for rule in body.rules))
    otherwise = body.otherwise and replace(body.otherwise, outcome=_record(body.otherwise.outcome))
    if isinstance(body, tree.RulesBody):
        found = tuple(replace(rule, outcome=_record(rule.outcome)) for rule in body.rules)
        return replace(body, rules=found, otherwise=otherwise)
    return replace(body, otherwise=otherwise)


def _record(outcome: tree.Expression) -> tree.Expression:
    if isinstance(outcome, tree.Group) and isinstance(outcome.inner, tree.Chain):
        name, operators = outcome.inner.operands[0], outcome.inner.operators
        if isinstance(name, tree.Name) and operators == ("=",):
            return tree.Fields(((name, outcome.inner.operands[1]),), outcome.span)
    return outcome


DECISIONS: dict[str, Make] = {
    "decision": decision,
    "direction": direction,
    "adverse": adverse,
    "most_reasons": most_reasons,
    "hit_policy": hit_policy,
    "rules": rules,
    "rule": rule,
    "unnamed_rule": unnamed_rule,
    "otherwise": otherwise,
    "reason": reason,
    "reasons": reason_table,
    "reason_row": reason_row,
    "effect": first,
    "stats": stats,
    "figure": figure,
    "table": table,
    "table_from": table_from,
    "companion": companion,
    "formula": formula,
}
