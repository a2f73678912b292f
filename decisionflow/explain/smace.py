"""SMACE, Algorithm 1: an explainer of decision systems made of rules and models (Lopardo, Garreau and others)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from decisionflow.conditions.expression import Expression, Variable
from decisionflow.conditions.intervals import Region
from decisionflow.conditions.linear import LinearForm, linear_values
from decisionflow.conditions.values import Failure, Value, is_known
from decisionflow.errors import DataError
from decisionflow.evaluate.interpreter import Row
from decisionflow.evaluate.masked import masked_trace, masked_value, tells
from decisionflow.evaluate.trace import trace_row
from decisionflow.explain.aggregation import FeatureContribution, Shares, aggregate, directed, normalised
from decisionflow.explain.allowed import Axis
from decisionflow.explain.attributions import Attribution
from decisionflow.explain.completion import Background
from decisionflow.explain.conditions_met import conditions_met
from decisionflow.explain.distances import CategoryChoice, Ruler, ScaleChoice
from decisionflow.explain.explanation import Explanation, FeaturePart, VariablePart
from decisionflow.explain.node_attribution import Attributions
from decisionflow.explain.target import Projected, target_rule
from decisionflow.explain.versions import versions
from decisionflow.program.declarations import Decision, Rule
from decisionflow.program.program import Program
from decisionflow.syntax.restore import condition_text
from decisionflow.tables.masking import MASK
from decisionflow.tables.scalars import to_scalar, to_stored
from decisionflow.tables.table import KNOWN


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked about a row: by default why it got its decision.

    `rule` names the rule to explain, `why_not` the outcome that was expected instead.
    """

    decision: str
    rule: str | None = None
    why_not: Value = None
    scale: ScaleChoice = "domain"
    categories: CategoryChoice = "shares"


@dataclass
class Smace:
    """SMACE for one policy over one background, None where there is none; what no row changes is worked out once.

    `given` attributes models in place of attributing them row by row.
    """

    program: Program
    background: Background | None
    seed: int = 0
    given: Attributions | None = None

    @cached_property
    def opened(self) -> dict[str, LinearForm]:
        """Derived values that are linear: a condition on one is a half-space over what it is made of."""
        return linear_values({name: item.expression for name, item in self.program.derived.items()}, self.program.order)

    @cached_property
    def attributions(self) -> Attributions | None:
        if self.given is not None or self.background is None:
            return self.given
        return Attributions(self.background, self.seed)

    def attributions_for(self, name: str) -> Attributions:
        """The attributions, which a computed value needs; raises DataError where there is no background."""
        if self.attributions is None:
            raise DataError(
                f"`{name}` is computed, and without a background nothing says what its inputs contribute; "
                'give background data, or declare `background "FILE"` in the policy'
            )
        return self.attributions

    def explain(self, row: Row, number: int, question: Question) -> Explanation:
        """The explanation of a row.

        Raises DataError for an unknown rule or outcome, and where neither a domain nor a background gives a scale or
        an attribution.
        """
        return self._explanation(row, number, question, self.target(row, question))

    def without_contributions(self, row: Row, number: int, question: Question, reason: str) -> Explanation:
        """The explanation of a row of which no rule can be explained; its settings say for what reason."""
        found = self._explanation(row, number, question, None)
        return replace(found, settings={**found.settings, "no_contributions": reason})

    def _explanation(self, row: Row, number: int, question: Question, target: Projected | None) -> Explanation:
        decision = self.program.decisions[question.decision]
        outcome = row.decide(decision.name)
        trace = trace_row(row)
        found = _Contributions(self, row, target)
        return Explanation(
            policy=self.program.name,
            policy_sha256=self.program.fingerprint,
            decision=decision.name,
            row=number,
            outcome=outcome,
            target_rule=None if target is None else target.rule.name,
            conditions=conditions_met(row, trace[decision.name], None if target is None else target.rule),
            variables=found.variables,
            contributions=found.features,
            attributions=found.attributions,
            model_names=frozenset(self.program.models),
            model_values={name: found.value(name) for name in found.attributions},
            settings=self.settings(row, question),
            trace=masked_trace(self.program, trace),
            unknown=tuple(variable_name(one) for one in target.unknown) if target else (),
            never_holds=tuple(variable_name(one) for one in target.never_holds) if target else (),
        )

    def target(self, row: Row, question: Question) -> Projected | None:
        """The rule that the contributions speak of, seen from the row; None where a feature is invalid."""
        decision = self.program.decisions[question.decision]
        outcome = row.decide(decision.name)
        if row.invalid_features(decision.name):
            return None
        return target_rule(
            row,
            decision,
            outcome,
            self.opened,
            lambda rule: self.ruler(row, decision, rule, question),
            question.rule,
            question.why_not,
        )

    def contributions(self, row: Row, target: Projected | None) -> tuple[FeaturePart, ...]:
        """The contributions of the features to a target rule at a row."""
        return _Contributions(self, row, target).features

    def settings(self, row: Row, question: Question) -> dict[str, object]:
        """What has to be known to get the same explanation again."""
        background = self.background
        return {
            "scale": question.scale,
            "categories": question.categories,
            "seed": self.seed,
            "background_sha256": None if background is None else background.sha256,
            "background_rows": 0 if background is None else background.rows,
            "today": row.settings.today.isoformat(),
            "versions": dict(versions()),
        }

    def ruler(self, row: Row, decision: Decision, rule: Rule, question: Question) -> Ruler:
        """What the distances of a rule's variables are measured with."""
        background = self.background
        if background is None:
            return Ruler(self.program, lambda _: None, lambda _: {}, question.scale, question.categories)
        wanted = row.evaluate(rule.outcome)
        return Ruler(
            self.program,
            background.sample,
            lambda variable: outcome_shares(background, decision, wanted, variable),
            question.scale,
            question.categories,
        )


@dataclass
class _Contributions:
    """Parts of the target rule's variables, and what they come to for each feature."""

    smace: Smace
    row: Row
    target: Projected | None

    @cached_property
    def parts(self) -> dict[str, tuple[Axis, VariablePart]]:
        found = {}
        for axis in self.target.axes if self.target else ():
            part = self.target.contributions.get(axis.variable) if self.target else None
            if part is not None:
                name = variable_name(axis.variable)
                margin = math.inf if tells(self.smace.program, axis.variable) else part.margin
                found[name] = axis, VariablePart(name, part.value, part.sign, margin, part.scale)
        return found

    @property
    def variables(self) -> tuple[VariablePart, ...]:
        return tuple(part for _, part in self.parts.values())

    @cached_property
    def attributions(self) -> dict[str, Attribution]:
        """Of every internal variable that carries a part of the rule, directly or through another."""
        found: dict[str, Attribution] = {}
        program = self.smace.program
        waiting = [name for name, (_, part) in self.parts.items() if part.contribution and name not in program.features]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found[name] = self._attribution(name)
                waiting += [used for used, phi in found[name].phi.items() if phi and self._is_computed(used)]
        return found

    def _is_computed(self, name: str) -> bool:
        """Whether a name is computed and has a value at the row: of an error there is nothing to attribute."""
        return name not in self.smace.program.features and not isinstance(self.row.value_of(name), Failure)

    def _attribution(self, name: str) -> Attribution:
        allowed = self.parts[name][0].allowed if name in self.parts else None
        return self.smace.attributions_for(name).of(self.row, self._variable(name), allowed)

    def value(self, name: str) -> Value:
        """The value at the row of a variable that was attributed, masked where it would tell a sensitive one."""
        program, variable = self.smace.program, self._variable(name)
        value = self.row.evaluate(variable)
        if isinstance(variable, Variable):
            return masked_value(program, variable.name, value)
        return MASK if tells(program, variable) else value

    def _variable(self, name: str) -> Expression:
        part = self.parts.get(name)
        return Variable(name, self.smace.program.type_of(name)) if part is None else part[0].variable

    @cached_property
    def features(self) -> tuple[FeaturePart, ...]:
        found = self.attributions
        phi = {name: attribution.phi for name, attribution in found.items()}
        totals = self._aggregated(lambda name, _: normalised(phi.get(name, {})), signed=False)
        pushes = self._aggregated(lambda name, is_root: directed(phi.get(name, {}), is_root), signed=True)
        signs = {part.feature: part.total for part in pushes}
        return tuple(
            FeaturePart(
                part.feature,
                masked_value(self.smace.program, part.feature, self.row.values[part.feature]),
                part.total,
                part.direct,
                part.via,
                signs.get(part.feature, 0.0),
            )
            for part in totals
        )

    def _aggregated(self, shares: Shares, signed: bool) -> tuple[FeatureContribution, ...]:
        features = self.smace.program.features
        direct = {name: part.contribution for name, (_, part) in self.parts.items() if name in features}
        through = {
            name: abs(part.contribution) * pushing_side(axis) if signed else part.contribution
            for name, (axis, part) in self.parts.items()
            if name not in features
        }
        return aggregate(self.smace.program, direct, through, shares)


def variable_name(variable: Expression) -> str:
    """How results name a variable: by its name, or an expression that is taken whole by its text."""
    if not isinstance(variable, Variable):
        return condition_text(variable)
    return f"{variable.name}.{variable.part}" if variable.part else variable.name


def pushing_side(axis: Axis) -> float:
    """Which way of a variable leads deeper into its allowed set: 1 up, -1 down; for labels up, to being allowed."""
    if not isinstance(axis.allowed, Region):
        return 1.0
    ends = [(abs(axis.value - interval.low), 1.0) for interval in axis.allowed.intervals]
    ends += [(abs(axis.value - interval.high), -1.0) for interval in axis.allowed.intervals]
    return min(ends, default=(0.0, 1.0))[1]


def outcome_shares(
    background: Background, decision: Decision, wanted: Value, variable: Expression
) -> dict[Value, float]:
    """The share of background rows that get an outcome, among those with each label of a variable."""
    if not is_known(wanted) or isinstance(wanted, dict):
        return {}
    answers = background.column(Variable(decision.name, decision.held))
    hits = (answers.state() == KNOWN) & _equals(answers.values, decision, wanted)
    labels = background.column(variable)
    known = labels.state() == KNOWN
    distinct, places = np.unique(labels.values[known].astype(object), return_inverse=True)
    counts = np.bincount(places, minlength=len(distinct))
    shares = np.bincount(places, hits[known], minlength=len(distinct)) / np.maximum(counts, 1)
    return {to_scalar(label, variable.type): float(share) for label, share in zip(distinct, shares, strict=True)}


def _equals(stored: NDArray[Any], decision: Decision, wanted: Value) -> NDArray[np.bool_]:
    if decision.held != decision.type:
        return np.zeros(len(stored), bool)
    equal: NDArray[np.bool_] = np.asarray(stored == to_stored(wanted, decision.type))
    return equal
