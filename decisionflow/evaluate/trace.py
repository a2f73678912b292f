"""The path of one row through a decision: every rule met, every condition, the values as compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from decisionflow.conditions.expression import (
    Among,
    Compare,
    Expression,
    IsMissing,
    Not,
    Variable,
    Within,
    atoms,
    conjuncts,
    variables,
)
from decisionflow.conditions.values import MISSING, Failure, Value
from decisionflow.evaluate.interpreter import Row
from decisionflow.evaluate.outcome import Outcome, unknown_decision
from decisionflow.program.declarations import Decision, Rule, RuleList

TruthName = Literal["true", "false", "unknown", "error", "not evaluated"]


@dataclass(frozen=True, slots=True)
class ConditionTrace:
    """One condition of a rule: what it said, and the value on its left as it was compared.

    `variable` is the name that it is about, empty where it is about none; `because` names what is missing or in error.
    """

    condition: Expression
    truth: TruthName
    variable: str = ""
    value: Value = None
    because: str = ""


@dataclass(frozen=True, slots=True)
class RuleTrace:
    """One rule that was met, with its conditions in order."""

    rule: str
    truth: TruthName
    conditions: tuple[ConditionTrace, ...]


@dataclass(frozen=True, slots=True)
class DecisionTrace:
    """How one decision came about; rules after the one that fired under `first` were not met and are left out."""

    decision: str
    outcome: Outcome
    rules: tuple[RuleTrace, ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """Every decision of a row in the order in which they are computed, and every value that was computed or read.

    A model that did not run has no value.
    """

    decisions: tuple[DecisionTrace, ...]
    values: dict[str, Value]

    def __getitem__(self, decision: str) -> DecisionTrace:
        """The trace of one decision; raises UnknownNameError, a DataError, where there is none of that name."""
        for found in self.decisions:
            if found.decision == decision:
                return found
        raise unknown_decision(decision, [found.decision for found in self.decisions])


def trace_row(row: Row) -> Trace:
    """The whole trace of a row; runs no model that the decisions themselves do not run."""
    ordered = [name for name in row.program.order if name in row.program.decisions and name not in row.fixed]
    decisions = tuple(trace_decision(row, row.program.decisions[name]) for name in ordered)
    return Trace(decisions, {name: row.values[name] for name in row.program.order if name in row.values})


def trace_decision(row: Row, decision: Decision) -> DecisionTrace:
    """How a row fares in one decision."""
    outcome = row.decide(decision.name)
    if row.invalid_features(decision.name):
        return DecisionTrace(decision.name, outcome, ())
    return DecisionTrace(decision.name, outcome, tuple(trace_rule(row, rule) for rule in _met(row, decision)))


def trace_rule(row: Row, rule: Rule) -> RuleTrace:
    """Every condition of a rule; those behind a model only where the law lets the model run for it."""
    closed = row.is_open(rule.condition)
    runs = closed is not False and not isinstance(closed, Failure)
    conditions = tuple(
        _trace_atom(row, atom, runs or not row.needs_model(part))
        for part in conjuncts(rule.condition)
        for atom in atoms(part)
    )
    return RuleTrace(rule.name, truth_name(row.truth(rule)), conditions)


def truth_name(truth: Value) -> TruthName:
    """The word for a truth value."""
    if isinstance(truth, Failure):
        return "error"
    return "unknown" if truth is MISSING else "true" if truth else "false"


def subject(condition: Expression) -> tuple[str, Expression | None]:
    """What a condition is about: the name of its one variable side, and the expression compared."""
    sides = _sides(condition)
    for side in sides:
        if isinstance(side, Variable):
            return (f"{side.name}.{side.part}" if side.part else side.name), side
    return "", sides[0] if sides else None


def _sides(condition: Expression) -> tuple[Expression, ...]:
    match condition:
        case Compare(left=left, right=right):
            return (left, right)
        case Within(value=value) | Among(value=value) | IsMissing(value=value):
            return (value,)
        case Not(part=part):
            return _sides(part)
        case Variable():
            return (condition,)
    return ()


def _trace_atom(row: Row, atom: Expression, runs: bool) -> ConditionTrace:
    name, side = subject(atom)
    ran = not row.needs_model(atom) or (runs and _has_run(row, atom))
    if not ran:
        return ConditionTrace(atom, "not evaluated", name)
    truth, value = row.evaluate(atom), None if side is None else row.evaluate(side)
    return ConditionTrace(atom, truth_name(truth), name, value, _because(row, atom, truth))


def _has_run(row: Row, atom: Expression) -> bool:
    """Whether every name that the atom reads has its value already, so that reading it runs nothing."""
    return all(variable.name in row.values for variable in variables(atom))


def _because(row: Row, atom: Expression, truth: Value) -> str:
    if isinstance(truth, Failure):
        return truth.reason
    if truth is not MISSING:
        return ""
    missing = [variable.name for variable in variables(atom) if row.evaluate(variable) is MISSING]
    return ", ".join(f"{name} is missing" for name in missing)


def _met(row: Row, decision: Decision) -> tuple[Rule, ...]:
    """The rules that the row came to, `otherwise` included where it decided."""
    body, fired = decision.body, row.outcomes[decision.name].rules
    if isinstance(body, RuleList) and body.hit_policy != "first":
        otherwise = body.otherwise
        return body.rules + ((otherwise,) if otherwise is not None and fired == (otherwise.name,) else ())
    rules = row.rules_of(decision)
    met: list[Rule] = []
    for rule in rules:
        met.append(rule)
        truth = row.truth(rule)
        if truth is True or isinstance(truth, Failure):
            break
    return tuple(met)
