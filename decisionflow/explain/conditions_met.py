"""The conditions of the rules that a row came to, with how far each is from turning; sensitive values are masked."""

from __future__ import annotations

from decisionflow.conditions.expression import Among, Compare, Constant, Expression, Not, Within
from decisionflow.conditions.linear import as_number
from decisionflow.conditions.values import Value, is_known
from decisionflow.evaluate.interpreter import Row
from decisionflow.evaluate.masked import masked_condition, tells
from decisionflow.evaluate.trace import ConditionTrace, DecisionTrace, RuleTrace, trace_rule
from decisionflow.explain.allowed import MEASURED
from decisionflow.explain.explanation import Condition
from decisionflow.program.declarations import Rule
from decisionflow.syntax.restore import condition_text


def conditions_met(row: Row, trace: DecisionTrace, target: Rule | None) -> tuple[Condition, ...]:
    """Every condition of every rule met, in order, then those of the target rule where the row did not come to it."""
    met = trace.rules
    if target is not None and all(rule.rule != target.name for rule in met):
        met = (*met, trace_rule(row, target))
    return tuple(found for rule in met for found in _of_rule(row, rule))


def _of_rule(row: Row, rule: RuleTrace) -> list[Condition]:
    return [_condition(row, rule.rule, found) for found in rule.conditions if not isinstance(found.condition, Constant)]


def _condition(row: Row, rule: str, found: ConditionTrace) -> Condition:
    evaluated = found.truth in ("true", "false")
    hidden = tells(row.program, found.condition)
    margin = condition_margin(row, found.condition) if evaluated and not hidden else None
    text = condition_text(found.condition)
    found = masked_condition(row.program, found)
    return Condition(rule, text, found.variable, found.value, found.truth, margin, found.because)


def condition_margin(row: Row, condition: Expression) -> float | None:
    """Distance from the value to where the condition turns, in its own unit, days for dates and durations."""
    match condition:
        case Compare(left=left, right=right) if left.type in MEASURED:
            return _apart(row, left, right)
        case Within(value=value, low=low, high=high) if value.type in MEASURED:
            ends = [_apart(row, value, end.value) for end in (low, high) if end is not None]
            return min((end for end in ends if end is not None), default=None)
        case Among(value=value, choices=choices) if value.type in MEASURED:
            found = [_apart(row, value, choice) for choice in choices]
            return min((one for one in found if one is not None), default=None)
        case Not(part=part):
            return condition_margin(row, part)
    return None


def _apart(row: Row, left: Expression, right: Expression) -> float | None:
    values: list[Value] = [row.evaluate(left), row.evaluate(right)]
    if not all(is_known(value) for value in values):
        return None
    return abs(as_number(values[0]) - as_number(values[1]))
