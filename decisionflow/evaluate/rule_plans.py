"""Rules and decisions made ready: their expressions compiled, what they depend on looked up once."""

from __future__ import annotations

from dataclasses import dataclass

from decisionflow.conditions.expression import Expression, conjuncts, is_written
from decisionflow.evaluate.block import Block
from decisionflow.evaluate.compiling import Compiled, Compiler
from decisionflow.evaluate.constants import converted
from decisionflow.evaluate.logic import conjunction
from decisionflow.evaluate.settling import OutsideDomain, outside_domain
from decisionflow.evaluate.vector import Mask, Vector, either
from decisionflow.program.declarations import CompanionList, Decision, Formula, Rule, RuleList
from decisionflow.types import Type


@dataclass(frozen=True, slots=True)
class RulePlan:
    """A rule: its conditions without models, those with one, and its outcome in the decision's type."""

    place: int
    plain: Compiled | None
    modelled: tuple[Compiled, ...]
    outcome: Compiled
    written: bool = False

    def truth(self, block: Block, rows: Mask) -> Vector:
        """Whether the condition holds; where the plain conditions are false or in error no model matters (law 5)."""
        if self.plain is None:
            return conjunction([part(block) for part in self.modelled])
        closed = self.plain(block)
        if not self.modelled or not (rows & (closed.values | (closed.known is not True and ~closed.known))).any():
            return closed
        found = conjunction([closed, *(part(block) for part in self.modelled)])
        failed = closed.failed
        return found if isinstance(failed, bool) else either(failed, closed, found)


@dataclass(frozen=True, slots=True)
class DecisionPlan:
    """A decision: the features behind it, its rules, and the rule or expression that answers where none fires."""

    decision: Decision
    features: tuple[str, ...]
    rules: tuple[RulePlan, ...]
    last: RulePlan | None
    outside: OutsideDomain | None

    @property
    def name(self) -> str:
        return self.decision.name


def plan_decision(compiler: Compiler, decision: Decision) -> DecisionPlan:
    """A decision made ready."""
    features, outside = compiler.program.features_of([decision.name]), outside_domain(decision)
    body, kind = decision.body, _outcome_type(decision)
    if isinstance(body, Formula):
        last = RulePlan(0, None, (), _typed(compiler, body.expression, kind))
        return DecisionPlan(decision, features, (), last, outside)
    rules = tuple(_plan_rule(compiler, place, rule, kind) for place, rule in enumerate(body.rules))
    return DecisionPlan(decision, features, rules, _last(compiler, body, kind, len(rules)), outside)


def _last(compiler: Compiler, body: RuleList | CompanionList, kind: Type | None, place: int) -> RulePlan | None:
    if isinstance(body, CompanionList):
        return RulePlan(place, None, (), _typed(compiler, body.fallback, kind))
    return None if body.otherwise is None else _plan_rule(compiler, place, body.otherwise, kind)


def _plan_rule(compiler: Compiler, place: int, rule: Rule, kind: Type | None) -> RulePlan:
    parts = conjuncts(rule.condition)
    plain = [part for part in parts if not compiler.needs_model(part)]
    modelled = tuple(compiler.compile(part) for part in parts if compiler.needs_model(part))
    return RulePlan(
        place,
        compiler.conjunction(plain) if plain else None,
        modelled,
        _typed(compiler, rule.outcome, kind),
        is_written(rule.outcome),
    )


def _outcome_type(decision: Decision) -> Type | None:
    """The type that outcomes are brought to; None where they are only counted."""
    counts = isinstance(decision.body, RuleList) and decision.body.aggregation == "count"
    return None if counts else decision.type


def _typed(compiler: Compiler, expression: Expression, wanted: Type | None) -> Compiled:
    inner, given = compiler.compile(expression), expression.type
    if wanted is None or given == wanted:
        return inner

    def typed(block: Block) -> Vector:
        found = inner(block)
        return Vector(converted(found.values, given, wanted), found.states, found.needs)

    return typed
