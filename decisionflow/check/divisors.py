"""Divisions whose divisor may be zero, which gives an error value (law 4)."""

from __future__ import annotations

from collections.abc import Iterator

from decisionflow.check.excerpts import excerpt
from decisionflow.check.messages import types as messages
from decisionflow.check.ranges import Guards, Ranges, both, guards_of
from decisionflow.check.report import Report
from decisionflow.conditions.expression import And, Apply, Choose, Expression, Or, children, walk
from decisionflow.conditions.operators import DIVIDE
from decisionflow.program.declarations import Decision, Formula, Rule, RuleList
from decisionflow.program.program import Program

Guarded = tuple[Expression, Guards]


def check_divisors(program: Program, report: Report) -> None:
    """A warning for every divisor that zero is not kept from: by its domain, or by a condition around it."""
    ranges = Ranges(program)
    for expression, guards in _guarded(program):
        for divisor, known in _divisors(expression, guards):
            if ranges.may_be_zero(divisor, known) and divisor.span is not None:
                report.add(messages.divisor_may_be_zero(divisor.span, excerpt(divisor.span)))


def _guarded(program: Program) -> Iterator[Guarded]:
    """Every expression that divides, with what is known wherever it is computed."""
    for derived in program.derived.values():
        if _divides(derived.expression):
            yield derived.expression, {}
    for decision in program.decisions.values():
        if any(map(_divides, decision.expressions)):
            yield from _in_decision(decision)


def _divides(expression: Expression) -> bool:
    return any(isinstance(node, Apply) and node.function is DIVIDE for node in walk(expression))


def _in_decision(decision: Decision) -> Iterator[Guarded]:
    body = decision.body
    if isinstance(body, Formula):
        yield body.expression, {}
        return
    in_order = not isinstance(body, RuleList) or body.hit_policy == "first"
    passed: Guards = {}
    for rule in decision.rules:
        yield from _in_rule(rule, passed)
        if in_order:
            passed = both(passed, guards_of(rule.condition, False))
    if not isinstance(body, RuleList):
        yield body.fallback, passed


def _in_rule(rule: Rule, passed: Guards) -> Iterator[Guarded]:
    if _divides(rule.condition):
        yield rule.condition, passed
    if _divides(rule.outcome):
        yield rule.outcome, both(passed, guards_of(rule.condition, True))


def _divisors(expression: Expression, guards: Guards) -> Iterator[Guarded]:
    """The divisors inside an expression, with what the conditions around each say."""
    waiting = [(expression, guards)]
    while waiting:
        node, known = waiting.pop()
        if isinstance(node, Apply) and node.function is DIVIDE:
            yield node.arguments[1], known
        if isinstance(node, Choose):
            waiting.append((node.condition, known))
            waiting.append((node.then, both(known, guards_of(node.condition, True))))
            waiting.append((node.otherwise, both(known, guards_of(node.condition, False))))
        elif isinstance(node, And | Or):
            waiting += _parts(node, known)
        else:
            waiting += [(part, known) for part in children(node)]


def _parts(node: And | Or, known: Guards) -> Iterator[Guarded]:
    """A part decides nothing where another part settles the whole: false in `and`, true in `or`."""
    holds = isinstance(node, And)
    for part in filter(_divides, node.parts):
        inner = known
        for other in node.parts:
            if other is not part:
                inner = both(inner, guards_of(other, holds))
        yield part, inner
