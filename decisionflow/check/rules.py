"""Rules typed: conditions, outcomes, reasons, figures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from decisionflow.check.expressions import typed_expression
from decisionflow.check.messages import declarations as messages
from decisionflow.check.messages import names as name_messages
from decisionflow.check.scope import Context
from decisionflow.check.wanted import Wanted, condition
from decisionflow.program.declarations import Reason, Rule, always
from decisionflow.source import Span
from decisionflow.syntax import tree

SHARES = ("coverage", "accuracy", "black_box")


def checked_rules(nodes: Sequence[tree.Rule], wanted: Wanted | None, context: Context) -> tuple[Rule, ...]:
    """The rules that are sound, in order; `wanted` is None where the decision's type is faulty."""
    found = (_rule(node, number, wanted, context) for number, node in enumerate(nodes, 1))
    return tuple(rule for rule in found if rule is not None)


def _rule(node: tree.Rule, number: int, wanted: Wanted | None, context: Context) -> Rule | None:
    name, span = rule_name(node, number)
    holds = typed_expression(node.condition, context, condition(f"the condition of rule `{name}`"))
    outcome = typed_expression(node.outcome, context, wanted) if wanted is not None else None
    stats = _stats(node.stats, context)
    if holds is None or outcome is None:
        return None
    return Rule(name, holds, outcome, reason_of(node.reason), stats, span)


def rule_name(node: tree.Rule, number: int) -> tuple[str, Span]:
    """What results call a rule, and where that is written; unnamed ones are counted."""
    return (node.name.name, node.name.span) if node.name is not None else (f"rule {number}", node.condition.span)


def checked_otherwise(node: tree.Otherwise | None, wanted: Wanted | None, context: Context) -> Rule | None:
    """The `otherwise` as a rule that always holds."""
    if node is None or wanted is None:
        return None
    outcome = typed_expression(node.outcome, context, wanted)
    return None if outcome is None else always("otherwise", outcome, reason_of(node.reason), node.span)


def reason_of(node: tree.Reason | None) -> Reason | None:
    """The reason as the program keeps it."""
    return None if node is None else Reason(node.code, node.text)


def _stats(node: tree.Stats | None, context: Context) -> tuple[tuple[str, float], ...]:
    if node is None:
        return ()
    seen: dict[str, float] = {}
    for name, figure in node.figures:
        if name in seen:
            context.report.add(messages.figure_twice(name, figure.span))
        if name in SHARES and not 0 <= figure.value <= 1:
            context.report.add(messages.share_outside(name, figure))
        seen.setdefault(name, float(figure.value))
    return tuple(seen.items())


def check_rule_names(decision: str, named: Iterable[tuple[str, Span]], context: Context) -> None:
    """A message where two rules of a decision have one name, or names that differ only by case."""
    seen: dict[str, Span] = {}
    folded: dict[str, str] = {}
    for name, span in named:
        similar = folded.setdefault(name.casefold(), name)
        if name in seen:
            context.report.add(name_messages.rule_twice(name, span, seen[name], decision))
        elif similar != name:
            context.report.add(name_messages.differs_by_case(name, span, similar, seen[similar], "rules"))
        seen.setdefault(name, span)
