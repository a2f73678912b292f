"""Which rule an explanation is about, and which of its alternatives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from decisionflow.conditions.alternatives import Alternative, TooManyAlternatives, alternatives
from decisionflow.conditions.expression import Expression
from decisionflow.conditions.linear import LinearForm
from decisionflow.conditions.values import Value, is_known
from decisionflow.diagnostics import did_you_mean
from decisionflow.errors import DataError, UnknownNameError
from decisionflow.evaluate.combining import same
from decisionflow.evaluate.interpreter import Row
from decisionflow.evaluate.outcome import Outcome
from decisionflow.explain.allowed import Axis, allowed_sets
from decisionflow.explain.distances import Ruler
from decisionflow.explain.rule_contribution import RuleContribution
from decisionflow.program.declarations import CompanionList, Decision, Formula, Rule, RuleList
from decisionflow.types import BOOLEAN

RulerFor = Callable[[Rule], Ruler]


@dataclass(frozen=True, slots=True)
class Projected:
    """A rule seen from a row: the alternative that is looked at, and the part of each of its variables.

    `unknown` are the variables that cannot be told; `distance` is the sum of d_v over the violated ones. A rule that
    `never_holds` has an empty allowed set, for these variables.
    """

    rule: Rule
    axes: tuple[Axis, ...]
    contributions: Mapping[Expression, RuleContribution]
    unknown: tuple[Expression, ...]
    never_holds: tuple[Expression, ...] = ()

    @property
    def distance(self) -> float:
        return sum(part.distance for part in self.contributions.values() if part.sign < 0)


def target_rule(
    row: Row,
    decision: Decision,
    outcome: Outcome,
    opened: Mapping[str, LinearForm],
    rulers: RulerFor,
    rule: str | None = None,
    why_not: Value = None,
) -> Projected | None:
    """The rule that fired; the one named; the nearest one for `why_not`; else the nearest with another outcome.

    Where nothing but `otherwise` or the fall-back gives `why_not`, the question is why the rule that fired did. None
    where the decision has no such rule. Raises DataError for a rule or an outcome that the decision does not have.
    """
    candidates, fired = _candidates(row, decision, outcome, rule, why_not)
    found = [project(row, candidate, opened, rulers(candidate), fired) for candidate in candidates]
    reachable = [one for one in found if not one.never_holds] or found
    return min(reachable, key=lambda one: one.distance, default=None)


def project(row: Row, rule: Rule, opened: Mapping[str, LinearForm], ruler: Ruler, fired: bool = False) -> Projected:
    """A rule seen from a row: its first true alternative where it fired, else its nearest one."""
    found = [allowed_sets(alternative, row.evaluate, opened) for alternative in _alternatives(rule)]
    thresholds: dict[Expression, tuple[float, ...]] = {}
    for axis in (axis for axes in found for axis in axes):
        thresholds[axis.variable] = thresholds.get(axis.variable, ()) + axis.thresholds
    choices = [_project(rule, axes, thresholds, ruler) for axes in found]
    if not choices:
        return Projected(rule, (), {}, ())
    if fired or any(_is_true(choice) for choice in choices):
        return next((choice for choice in choices if _is_true(choice)), choices[0])
    possible = [choice for choice in choices if not choice.never_holds] or choices
    return min(possible, key=lambda choice: choice.distance)


def rules_of(decision: Decision) -> tuple[Rule, ...]:
    """The rules that can be a target: without `otherwise`; a formula with a truth value is one rule of its own name."""
    if isinstance(decision.body, Formula):
        expression = decision.body.expression
        return (Rule(decision.name, expression, expression),) if expression.type == BOOLEAN else ()
    return decision.body.rules


def _candidates(
    row: Row, decision: Decision, outcome: Outcome, rule: str | None, why_not: Value
) -> tuple[tuple[Rule, ...], bool]:
    rules = rules_of(decision)
    if rule is not None:
        return (_rule_named(decision, rules, rule),), False
    if why_not is not None:
        leading = tuple(one for one in rules if _gives(row, decision, one, why_not))
        if leading or not _default_gives(row, decision, why_not):
            return _needed(decision, rules, leading, why_not), False
    fired = tuple(one for one in rules if one.name in outcome.rules)
    if fired or isinstance(decision.body, Formula):
        return (fired or rules)[:1], bool(fired)
    others = tuple(one for one in rules if not _gives(row, decision, one, outcome.value))
    return others or rules, False


def _rule_named(decision: Decision, rules: tuple[Rule, ...], name: str) -> Rule:
    for rule in rules:
        if rule.name == name:
            return rule
    hint = did_you_mean(name, [rule.name for rule in rules])
    if isinstance(decision.body, RuleList) and decision.body.otherwise is not None and name == "otherwise":
        hint = "`otherwise` has no conditions of its own"
    raise UnknownNameError(f"decision `{decision.name}` has no rule `{name}`" + (f"; {hint}" if hint else ""))


def _needed(decision: Decision, rules: tuple[Rule, ...], leading: tuple[Rule, ...], wanted: Value) -> tuple[Rule, ...]:
    if not leading:
        raise DataError(
            f"no rule of `{decision.name}` gives {wanted}; its rules are " + ", ".join(r.name for r in rules)
        )
    return leading


def _default_gives(row: Row, decision: Decision, wanted: Value) -> bool:
    """Whether `otherwise` or the fall-back gives an outcome: then the rule that fired is what stands in its way."""
    body = decision.body
    if isinstance(body, RuleList):
        return body.otherwise is not None and _gives(row, decision, body.otherwise, wanted)
    if isinstance(body, CompanionList):
        return _gives(row, decision, Rule(body.fallback_name, body.fallback, body.fallback), wanted)
    return False


def _gives(row: Row, decision: Decision, rule: Rule, value: Value) -> bool:
    given = row.evaluate(rule.outcome)
    return value is not None and is_known(given) and same(given, value, decision.type, tolerant=True)


def _alternatives(rule: Rule) -> tuple[Alternative, ...]:
    try:
        return alternatives(rule.condition)
    except TooManyAlternatives as reason:
        raise DataError(f"rule `{rule.name}` is too entangled to explain: {reason}") from reason


def _project(
    rule: Rule, axes: tuple[Axis, ...], thresholds: Mapping[Expression, tuple[float, ...]], ruler: Ruler
) -> Projected:
    parts = {axis.variable: ruler.contribution(axis, thresholds[axis.variable]) for axis in axes}
    known = {variable: part for variable, part in parts.items() if part is not None}
    empty = tuple(axis.variable for axis in axes if not axis.is_sliced and getattr(axis.allowed, "is_empty", False))
    return Projected(rule, axes, known, tuple(variable for variable in parts if variable not in known), empty)


def _is_true(choice: Projected) -> bool:
    return not choice.unknown and all(part.sign > 0 for part in choice.contributions.values())
