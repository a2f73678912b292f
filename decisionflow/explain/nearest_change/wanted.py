"""Where a decision comes out as wanted, as a formula over conditions on the features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from decisionflow.conditions.expression import And, Compare, Constant, Expression, IsMissing, MakeRecord, Variable
from decisionflow.conditions.operators import EQUAL
from decisionflow.conditions.values import Value, is_known
from decisionflow.explain.nearest_change.firings import Opener, firings, is_first, rules_in_order, within_domain
from decisionflow.explain.nearest_change.formula import Formula, Tried, all_of, any_of, is_false, is_true, negation
from decisionflow.program.declarations import Decision, Rule


@dataclass(frozen=True, slots=True)
class Wanted:
    """The outcome looked for: `value`, or where `other`, any decided value but that one."""

    value: Value
    other: bool = False


def wanted_formula(opening: Opener, decision: Decision, wanted: Wanted) -> Formula:
    """Where the decision is decided as wanted."""
    gives = _Gives(opening, decision, wanted)
    if is_first(opening, decision):
        return _first(opening, rules_in_order(opening, decision), gives)
    fires = firings(opening, decision)
    if fires is None:
        return gives.tried()
    return any_of(all_of((gives.where(each.outcome), each.where)) for each in fires if each.outcome is not None)


@dataclass(frozen=True, slots=True)
class _Gives:
    opening: Opener
    decision: Decision
    wanted: Wanted

    def where(self, outcome: Expression) -> Formula:
        """Where an outcome is as wanted, and allowed by the decision's domain."""
        found = self.opening.truths(self._same(outcome))
        is_wanted = found.false if self.wanted.other else found.true
        return all_of((is_wanted, within_domain(self.opening, self.decision, outcome).true))

    def tried(self) -> Formula:
        """The same of a decision that cannot be opened rule by rule."""
        return Tried(self._same(Variable(self.decision.name, self.decision.held)), not self.wanted.other)

    def _same(self, outcome: Expression) -> Expression:
        """That an outcome is the value; where there is none to be, that it is missing."""
        known = is_known(self.wanted.value) and self.wanted.value is not None
        return _equals(outcome, self.wanted.value) if known else IsMissing(outcome)


def _first(opening: Opener, rules: Sequence[Rule], gives: _Gives) -> Formula:
    """Some rule that gives it is true, and none before it stops the row."""
    found: list[Formula] = []
    before: list[Formula] = []
    for rule in rules:
        truth, given = opening.truths(rule.condition), gives.where(rule.outcome)
        found.append(all_of((given, truth.true, *before)))
        if not is_true(given):
            before.append(negation(truth.true))
        if not is_false(truth.error):
            before.append(negation(truth.error))
    return any_of(found)


def _equals(outcome: Expression, value: Value) -> Expression:
    """That an outcome is a value; of a record that is written out, that its parts are."""
    if isinstance(outcome, MakeRecord):
        return And(tuple(_equals(part, value[name]) for name, part in outcome.parts))
    return Compare(EQUAL, outcome, Constant(value, outcome.type))
