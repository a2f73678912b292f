"""The choice that a companion rule list leaves: the rule's answer beside the black box's, each with its accuracy.

Source: Companion rule lists (Pan, Wang, Hara: "Interpretable companions for black-box models", 2020).
"""

from __future__ import annotations

import math
from typing import Any

from decisionflow.conditions.expression import variables
from decisionflow.conditions.values import Failure, is_known
from decisionflow.evaluate.masked import tells
from decisionflow.explain.attribution_part import AttributionPart, attribution_part
from decisionflow.explain.contract import Part, Plain, plain
from decisionflow.explain.explainers import Asked
from decisionflow.explain.smace import variable_name
from decisionflow.explain.target import Projected, project
from decisionflow.program.declarations import CompanionList, Decision, Rule


class RuleAnswer(Part):
    """What the rule that covers the row says; shares are those of `stats`, null where the policy has none."""

    rule: str
    value: Plain
    accuracy: float | None
    coverage: float | None


class BlackBoxAnswer(Part):
    """What the fall-back says of the row; `accuracy` is its own on the rows that the covering rule takes.

    `attributions` has one for each model that it reads (for the fall-back itself where it reads none), none without a
    background. `problem` says why there is no value.
    """

    name: str
    value: Plain
    accuracy: float | None
    problem: str
    attributions: dict[str, AttributionPart]


class NearestRule(Part):
    """The rule whose conditions the row misses by least: `distance` is the sum of d_v over the violated variables.

    `margins` are the violated variables' distances in their own units, `unknown` those that cannot be told.
    """

    rule: str
    value: Plain
    distance: float
    margins: dict[str, float | None]
    unknown: list[str]


class CompanionPart(Part):
    """Both answers to a row, and which of them was given; for an uncovered row the nearest rule in place of one."""

    answered_by: str
    agree: bool | None
    rule: RuleAnswer | None
    black_box: BlackBoxAnswer
    failed_rules: list[str]
    nearest_rule: NearestRule | None


def companion_part(asked: Asked) -> dict[str, Any]:
    """The rule that covers the row with the earlier ones that failed, or "no rule applies", and the black box's say.

    The black box is asked here even where a rule answered, as the user is to choose between the two.
    """
    decision = asked.smace.program.decisions[asked.question.decision]
    body = decision.body
    if not isinstance(body, CompanionList):
        raise TypeError(f"{decision.name} is no companion list")
    rules = asked.row.rules_of(decision)
    place = next((number for number, rule in enumerate(rules) if asked.row.truth(rule) is True), None)
    covering = None if place is None else rules[place]
    black_box = _black_box(asked, body, covering)
    answer = None if covering is None else _answer(asked, covering)
    part = CompanionPart(
        answered_by=asked.explanation.outcome.rule,
        agree=None if answer is None or black_box.value is None else answer.value == black_box.value,
        rule=answer,
        black_box=black_box,
        failed_rules=[rule.name for rule in rules[:place]],
        nearest_rule=None if covering is not None else _nearest(asked, decision, rules),
    )
    return part.model_dump(mode="json")


def _answer(asked: Asked, rule: Rule) -> RuleAnswer:
    stats = dict(rule.stats)
    value = plain(asked.row.evaluate(rule.outcome))
    return RuleAnswer(rule=rule.name, value=value, accuracy=stats.get("accuracy"), coverage=stats.get("coverage"))


def _black_box(asked: Asked, body: CompanionList, covering: Rule | None) -> BlackBoxAnswer:
    value = asked.row.evaluate(body.fallback)
    problem = value.reason if isinstance(value, Failure) else "" if is_known(value) else "missing"
    return BlackBoxAnswer(
        name=body.fallback_name,
        value=plain(value) if is_known(value) else None,
        accuracy=None if covering is None else dict(covering.stats).get("black_box"),
        problem=problem,
        attributions={} if problem else _attributions(asked, body),
    )


def _attributions(asked: Asked, body: CompanionList) -> dict[str, AttributionPart]:
    attributions, program = asked.smace.attributions, asked.smace.program
    if attributions is None:
        return {}
    read = [one for one in variables(body.fallback) if one.name in program.models]
    parts = {one.name: attributions.of(asked.row, one) for one in read}
    if not parts:
        parts = {body.fallback_name: attributions.of(asked.row, body.fallback)}
    return {
        name: AttributionPart.model_validate(attribution_part(found, of=name if name in program.models else None))
        for name, found in parts.items()
    }


def _nearest(asked: Asked, decision: Decision, rules: tuple[Rule, ...]) -> NearestRule | None:
    """The nearest rule in use; one that cannot be told is nearer than none."""
    smace, row = asked.smace, asked.row
    if row.invalid_features(decision.name):
        return None
    seen = [project(row, rule, smace.opened, smace.ruler(row, decision, rule, asked.question)) for rule in rules]
    possible = [one for one in seen if not one.never_holds]
    if not possible:
        return None
    nearest = min(possible, key=lambda one: (bool(one.unknown), one.distance))
    return NearestRule(
        rule=nearest.rule.name,
        value=plain(row.evaluate(nearest.rule.outcome)),
        distance=nearest.distance,
        margins=_margins(asked, nearest),
        unknown=[variable_name(one) for one in nearest.unknown],
    )


def _margins(asked: Asked, nearest: Projected) -> dict[str, float | None]:
    return {
        variable_name(variable): None
        if tells(asked.smace.program, variable) or not math.isfinite(part.margin)
        else part.margin
        for variable, part in nearest.contributions.items()
        if part.sign < 0
    }
