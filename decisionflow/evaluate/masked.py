"""Sensitive values kept out of a trace and an explanation: masked before anything draws or writes them."""

from __future__ import annotations

from dataclasses import replace

from decisionflow.conditions.expression import Expression, variables
from decisionflow.conditions.values import Value, is_known
from decisionflow.evaluate.trace import ConditionTrace, DecisionTrace, RuleTrace, Trace
from decisionflow.program.program import Program
from decisionflow.tables.masking import MASK, mask, plain_text


def telling_names(program: Program) -> frozenset[str]:
    """The sensitive features, and the derived values that are computed from these alone and so would tell them."""
    sensitive = {name for name, feature in program.features.items() if feature.sensitive}
    if not sensitive:
        return frozenset()
    behind = {name: program.features_of([name]) for name in program.derived}
    return frozenset(sensitive.union(name for name, read in behind.items() if read and sensitive.issuperset(read)))


def tells(program: Program, expression: Expression) -> bool:
    """Whether an expression's value, or its distance to a number, would tell a sensitive value."""
    telling = telling_names(program)
    return bool(telling) and any(variable.name in telling for variable in variables(expression))


def masked_value(program: Program, name: str, value: Value) -> Value:
    """A named value as it may be shown; what is missing or in error stays so."""
    if not is_known(value) or value is None or name not in telling_names(program):
        return value
    feature = program.features.get(name)
    return MASK if feature is None else mask(feature, plain_text(value))


def masked_trace(program: Program, trace: Trace) -> Trace:
    """The trace with the values of sensitive features masked."""
    if not telling_names(program):
        return trace
    values = {name: masked_value(program, name, value) for name, value in trace.values.items()}
    return Trace(tuple(_decision(program, found) for found in trace.decisions), values)


def masked_condition(program: Program, found: ConditionTrace) -> ConditionTrace:
    """A condition of a trace with its value masked, or hidden where it is computed from a sensitive one."""
    if not is_known(found.value) or not tells(program, found.condition):
        return found
    name = found.variable.partition(".")[0]
    return replace(found, value=masked_value(program, name, found.value) if found.variable else MASK)


def _decision(program: Program, found: DecisionTrace) -> DecisionTrace:
    return replace(found, rules=tuple(_rule(program, rule) for rule in found.rules))


def _rule(program: Program, found: RuleTrace) -> RuleTrace:
    return replace(found, conditions=tuple(masked_condition(program, one) for one in found.conditions))
