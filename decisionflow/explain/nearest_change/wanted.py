"""Where a decision comes out as wanted, as a formula over conditions on the features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from decisionflow.conditions.expression import (
    And,
    Compare,
    Constant,
    Expression,
    IsMissing,
    MakeRecord,
    Variable,
    Within,
)
from decisionflow.conditions.expression import (
    Bound as IntervalEnd,
)
from decisionflow.conditions.operators import EQUAL
from decisionflow.conditions.values import Value, is_known
from decisionflow.explain.nearest_change.formula import (
    Formula,
    Tried,
    all_of,
    any_of,
    is_false,
    is_true,
    negation,
)
from decisionflow.explain.nearest_change.opening import Opening, Truths
from decisionflow.program.declarations import CompanionList, Decision, Domain, Rule, RuleList
from decisionflow.program.declarations import Formula as FormulaBody
from decisionflow.types import Vocabulary


@dataclass(frozen=True, slots=True)
class Wanted:
    """The outcome looked for: `value`, or where `other`, any decided value but that one."""

    value: Value
    other: bool = False


def wanted_formula(opening: Opening, decision: Decision, wanted: Wanted) -> Formula:
    """Where the decision is decided as wanted."""
    gives = _Gives(opening, decision, wanted)
    body = decision.body
    if isinstance(body, FormulaBody):
        return gives.where(body.expression)
    stochastic = isinstance(body, CompanionList) and opening.row.settings.stochastic
    if not stochastic and (isinstance(body, CompanionList) or body.hit_policy == "first"):
        return _first(opening, opening.rules_in_order(decision.name), gives)
    if isinstance(body, RuleList) and body.hit_policy in ("unique", "any", "priority") and _are_constant(body):
        return _all(opening, decision, body, gives)
    return gives.tried()


@dataclass(frozen=True, slots=True)
class _Gives:
    opening: Opening
    decision: Decision
    wanted: Wanted

    def where(self, outcome: Expression) -> Formula:
        """Where an outcome is as wanted, and allowed by the decision's domain."""
        found = self._truths(outcome)
        is_wanted = found.false if self.wanted.other else found.true
        return all_of((is_wanted, *self._allowed(outcome)))

    def tried(self) -> Formula:
        """The same of a decision that cannot be opened rule by rule."""
        return Tried(self._same(Variable(self.decision.name, self.decision.held)), not self.wanted.other)

    def _truths(self, outcome: Expression) -> Truths:
        """Where an outcome is the value; where there is none to be, where it is missing."""
        return self.opening.truths(self._same(outcome))

    def _same(self, outcome: Expression) -> Expression:
        known = is_known(self.wanted.value) and self.wanted.value is not None
        return _equals(outcome, self.wanted.value) if known else IsMissing(outcome)

    def _allowed(self, outcome: Expression) -> list[Formula]:
        domains = dict(self.decision.part_domains)
        if self.decision.domain is not None:
            parts = [(outcome, self.decision.domain)]
        elif isinstance(outcome, MakeRecord):
            parts = [(part, domains[name]) for name, part in outcome.parts if name in domains]
        else:
            parts = []
        return [self.opening.truths(_within(part, domain)).true for part, domain in parts]


def _first(opening: Opening, rules: Sequence[Rule], gives: _Gives) -> Formula:
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


def _all(opening: Opening, decision: Decision, body: RuleList, gives: _Gives) -> Formula:
    """Some rule that gives it is true, and none that forbids it: any other, an unlike one, or a better one."""
    truths = [opening.truths(rule.condition) for rule in body.rules]
    sound = [negation(truth.error) for truth in truths if not is_false(truth.error)]
    found = []
    for at, rule in enumerate(body.rules):
        rivals = [
            negation(truths[other].true)
            for other, rival in enumerate(body.rules)
            if other != at and _forbids(decision, body, rule, rival, is_true(gives.where(rival.outcome)))
        ]
        found.append(all_of((gives.where(rule.outcome), truths[at].true, *sound, *rivals)))
    if body.otherwise is not None:
        none = [negation(truth.true) for truth in truths]
        found.append(all_of((gives.where(body.otherwise.outcome), *sound, *none)))
    return any_of(found)


def _forbids(decision: Decision, body: RuleList, rule: Rule, rival: Rule, as_good: bool) -> bool:
    """Whether a rival that is true too keeps the decision from being as wanted; `as_good` if it gives that itself."""
    mine, theirs = _constant(rule.outcome), _constant(rival.outcome)
    if body.hit_policy == "priority" and isinstance(decision.type, Vocabulary):
        return not as_good and decision.type.labels.index(theirs) < decision.type.labels.index(mine)
    return body.hit_policy == "unique" or mine != theirs


def _are_constant(body: RuleList) -> bool:
    return body.hit_policy == "unique" or all(isinstance(rule.outcome, Constant) for rule in body.rules)


def _constant(outcome: Expression) -> Value:
    return outcome.value if isinstance(outcome, Constant) else None


def _equals(outcome: Expression, value: Value) -> Expression:
    """That an outcome is a value; of a record that is written out, that its parts are."""
    if isinstance(outcome, MakeRecord):
        return And(tuple(_equals(part, value[name]) for name, part in outcome.parts))
    return Compare(EQUAL, outcome, Constant(value, outcome.type))


def _within(part: Expression, domain: Domain) -> Expression:
    ends = [
        None if end is None else IntervalEnd(Constant(end, part.type), closed)
        for end, closed in ((domain.low, domain.low_closed), (domain.high, domain.high_closed))
    ]
    return Within(part, ends[0], ends[1])
