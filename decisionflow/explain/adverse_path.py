"""The path of a row to an adverse outcome: the rules taken, and the variables that led there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from decisionflow.conditions.expression import Constant, Expression, Variable, variables
from decisionflow.evaluate.interpreter import Row
from decisionflow.evaluate.outcome import Outcome
from decisionflow.explain.allowed import Allowed, Axis
from decisionflow.explain.explanation import Explanation
from decisionflow.explain.smace import Question, Smace, pushing_side, variable_name
from decisionflow.explain.target import Projected, project
from decisionflow.program.declarations import CompanionList, Decision, Formula, Rule
from decisionflow.program.program import Program


@dataclass(frozen=True, slots=True)
class Root:
    """A variable that led to the adverse outcome.

    `weight` is how much of it the rule carries (|r_v| of SMACE), `side` the way of the variable that is adverse (1 up,
    -1 down). `axis` is None for the expression that gave the outcome: then what is attributed is that it is what it is.
    """

    name: str
    variable: Expression
    weight: float
    side: float
    axis: Axis | None = None

    @classmethod
    def behind(cls, name: str, program: Program) -> Root:
        """An internal variable that has a share in another one."""
        return cls(name, Variable(name, program.type_of(name)), 0.0, 1.0)

    @property
    def allowed(self) -> Allowed | None:
        return self.axis.allowed if self.axis is not None else None


def is_adverse(decision: Decision, outcome: Outcome) -> bool:
    """Whether a decided outcome is, or a collected list holds, one that the decision calls adverse."""
    held = outcome.value if isinstance(outcome.value, tuple) else (outcome.value,)
    return outcome.status == "decided" and any(value in decision.adverse for value in held)


def rules_taken(program: Program, row: Row, decision: Decision) -> tuple[Rule, ...]:
    """The rules that led to the outcome: those that read no model first, else in the order of computing.

    Rules of other decisions count where the rules that fired read them, unless their outcome is not adverse there.
    """
    taken = list(_taken(program, row, decision, set()))
    return tuple(sorted(taken, key=lambda rule: _reads_model(program, rule)))


def roots(smace: Smace, row: Row, explanation: Explanation, question: Question) -> tuple[Root, ...]:
    """What led to the adverse outcome, in order.

    The variables of the rule that fired; where none did, the violated ones of the nearest rule whose outcome is not
    adverse, as far as they were evaluated; and the expression that gave the outcome, where it was computed.
    """
    decision, outcome = smace.program.decisions[question.decision], explanation.outcome
    fired = next(filter(_has_conditions, _agreeing(row, decision, outcome)), None)
    given = _given_by(decision, outcome)
    computed = () if given is None else (Root(variable_name(given), given, 1.0, 1.0),)
    if fired is not None:
        return (*_of_rule(_projected(smace, row, decision, fired, question, fired=True), True), *computed)
    if computed:
        return computed
    nearest = _nearest_favourable(smace, row, decision, question)
    return () if nearest is None else tuple(_evaluated(smace.program, explanation, nearest))


def _taken(program: Program, row: Row, decision: Decision, seen: set[str]) -> Iterator[Rule]:
    outcome = row.decide(decision.name)
    fired = _agreeing(row, decision, outcome)
    read = {name for rule in fired for part in (rule.condition, rule.outcome) for name in program.names_in(part)}
    behind = read.union(*(program.ancestors(name) for name in read if name in program.reads))
    for name in program.order:
        if name in behind and name in program.decisions and name not in seen:
            seen.add(name)
            other = program.decisions[name]
            if not other.adverse or is_adverse(other, row.decide(name)):
                yield from _taken(program, row, other, seen)
    yield from fired


def _agreeing(row: Row, decision: Decision, outcome: Outcome) -> list[Rule]:
    """The rules that fired; where a decision has adverse outcomes, those that gave one: a list may hold others too."""
    fired = [rule for rule in decision.rules if rule.name in outcome.rules]
    if not decision.adverse:
        return fired
    return [rule for rule in fired if row.evaluate(rule.outcome) in decision.adverse]


def _reads_model(program: Program, rule: Rule) -> bool:
    read = {name for name in program.names_in(rule.condition) if name in program.reads}
    return not set(program.models).isdisjoint(read.union(*(program.ancestors(name) for name in read)))


def _given_by(decision: Decision, outcome: Outcome) -> Expression | None:
    """The expression that gave the outcome, None where it was a constant."""
    body = decision.body
    if isinstance(body, Formula):
        return Variable(decision.name, decision.held)
    if isinstance(body, CompanionList) and outcome.rules == (body.fallback_name,):
        return body.fallback
    given = next((rule.outcome for rule in decision.rules if rule.name in outcome.rules), None)
    return None if given is None or isinstance(given, Constant) else given


def _projected(smace: Smace, row: Row, decision: Decision, rule: Rule, question: Question, fired: bool) -> Projected:
    return project(row, rule, smace.opened, smace.ruler(row, decision, rule, question), fired)


def _nearest_favourable(smace: Smace, row: Row, decision: Decision, question: Question) -> Projected | None:
    favourable = [
        rule for rule in decision.rules if _has_conditions(rule) and row.evaluate(rule.outcome) not in decision.adverse
    ]
    found = [_projected(smace, row, decision, rule, question, fired=False) for rule in favourable]
    return min(found, key=lambda one: (bool(one.never_holds), one.distance), default=None)


def _of_rule(target: Projected, holds: bool) -> Iterator[Root]:
    """The variables of a rule that holds, or those that keep another one from holding."""
    for axis in target.axes:
        part = target.contributions.get(axis.variable)
        if part is not None and part.closeness and (holds or part.sign < 0):
            side = pushing_side(axis) * (1.0 if holds else -1.0)
            yield Root(variable_name(axis.variable), axis.variable, part.closeness, side, axis)


def _evaluated(program: Program, explanation: Explanation, target: Projected) -> Iterator[Root]:
    """The violated variables of conditions that were evaluated: of the others, a model was not run for the row."""
    met = next((rule for rule in explanation.trace[explanation.decision].rules if rule.rule == target.rule.name), None)
    read = {
        variable.name
        for one in (met.conditions if met is not None else ())
        if one.truth != "not evaluated"
        for variable in variables(one.condition)
    }
    used = read.union(*(program.ancestors(name) for name in read if name in program.reads))
    violated = _of_rule(target, False)
    return (root for root in violated if any(variable.name in used for variable in variables(root.variable)))


def _has_conditions(rule: Rule) -> bool:
    return not isinstance(rule.condition, Constant)
