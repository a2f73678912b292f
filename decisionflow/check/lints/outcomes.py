"""Constant outcomes outside the decision's own domain."""

from __future__ import annotations

from collections.abc import Iterator

from decisionflow.check.lints.subject import Linted
from decisionflow.check.messages import lints as messages
from decisionflow.check.witnesses import written
from decisionflow.conditions.expression import Constant, Expression, MakeRecord
from decisionflow.diagnostics import Diagnostic
from decisionflow.program.declarations import Domain, RuleList


def outcomes(linted: Linted) -> Iterator[Diagnostic]:
    """Outcomes that would make the decision invalid; not where rules are collected into one number."""
    decision = linted.decision
    body = decision.body
    if isinstance(body, RuleList) and body.aggregation not in ("", "list"):
        return
    for rule in decision.rules:
        for value, domain in _limited(rule.outcome, decision.domain, dict(decision.part_domains)):
            if isinstance(value, Constant) and not domain.contains(value.value):
                yield messages.outcome_outside(decision, rule, value.span, written(value.value), domain)


def _limited(
    outcome: Expression, domain: Domain | None, parts: dict[str, Domain]
) -> Iterator[tuple[Expression, Domain]]:
    if domain is not None:
        yield outcome, domain
    if isinstance(outcome, MakeRecord):
        yield from ((value, parts[name]) for name, value in outcome.parts if name in parts)
