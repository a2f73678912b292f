"""The JSON contract of `decisionflow explain … --format json`; `docs/explanation.schema.json` is its schema."""

from __future__ import annotations

import math
from datetime import date, datetime, timedelta
from typing import Any, Literal, NotRequired

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from decisionflow.conditions.values import MISSING, Failure, Value
from decisionflow.explain.attributions import Attribution
from decisionflow.explain.explanation import Condition, CustomerReason, Explanation, FeaturePart, VariablePart

Plain = bool | int | float | str | list[Any] | dict[str, Any] | None


class Part(BaseModel):
    """Every part of the contract: further keys may be added, none of these may change meaning."""

    model_config = ConfigDict(extra="allow", frozen=True)


class ReasonPart(Part):
    """A reason of a rule that fired."""

    code: str
    text: str


CustomerReasonPart = TypedDict(
    "CustomerReasonPart",
    {"code": str, "text": str, "from": Literal["rule", "contribution"], "feature": NotRequired[str]},
)
"""What the customer may be told; `feature` says whose contribution it stands for."""


class ConditionPart(Part):
    """A condition of a rule that was met, or of the target rule, at the row."""

    rule: str
    text: str
    variable: str
    value: Plain
    truth: Literal["true", "false", "unknown", "error", "not evaluated"]
    margin: float | None = Field(description="distance to the boundary in the variable's unit, never negative")
    because: str = ""


class ContributionPart(Part):
    """e_j of one feature (SMACE, Eq. 1): `direct` plus every `via` is `total`."""

    feature: str
    value: Plain
    total: float
    direct: float
    via: dict[str, float]
    signed: float = Field(description="with the direction that |phi| leaves out: positive pushes towards the rule")


class ModelPart(Part):
    """An attribution: `base` plus the sum of `phi` is the value on the scale `output`."""

    value: Plain
    attribution: str
    exact: bool
    output: Literal["log-odds", "probability", "value", "raw score"]
    base: float
    phi: dict[str, float]
    background_rows: int
    standard_error: float | None = None
    seed: int | None = None
    intervals: dict[str, tuple[float, float]] | None = Field(
        default=None, description="of an estimate: the 95 % t interval of each phi over its draws"
    )


class VariableDetail(Part):
    """Sign, margin and scale of one variable of the target rule."""

    variable: str
    contribution: float
    sign: Literal[-1, 1]
    margin: float | None
    scale: float


class ExplanationDocument(Part):
    """The answer to "why?" for one row of one decision."""

    policy: str
    policy_sha256: str
    decision: str
    row: int
    status: Literal["decided", "undecided", "conflict", "invalid"]
    value: Plain
    rule: str
    reasons: list[ReasonPart]
    customer_reasons: list[CustomerReasonPart] = Field(description="of an adverse outcome, the first first")
    target_rule: str | None
    conditions: list[ConditionPart]
    rule_contributions: dict[str, float]
    contributions: list[ContributionPart]
    models: dict[str, ModelPart]
    derived: dict[str, ModelPart] = Field(description="attributions of derived values and of other decisions")
    variables: list[VariableDetail]
    unknown: list[str]
    never_holds: list[str]
    problem: str
    values: dict[str, Plain] = Field(description="every value read or computed for the row")
    settings: dict[str, Any]


def document(explanation: Explanation) -> ExplanationDocument:
    """The contract of an explanation; the parts of further methods stand under keys of their own."""
    outcome = explanation.outcome
    parts = {name: _attribution(name, found, explanation) for name, found in explanation.attributions.items()}
    return ExplanationDocument(
        policy=explanation.policy,
        policy_sha256=explanation.policy_sha256,
        decision=explanation.decision,
        row=explanation.row,
        status=outcome.status,
        value=plain(outcome.value),
        rule=outcome.rule,
        reasons=[ReasonPart(code=reason.code, text=reason.text) for reason in outcome.reasons],
        customer_reasons=[_customer_reason(reason) for reason in explanation.customer_reasons],
        target_rule=explanation.target_rule,
        conditions=[_condition(condition) for condition in explanation.conditions],
        rule_contributions={part.variable: part.contribution for part in explanation.variables},
        contributions=[_contribution(part) for part in explanation.largest_first()],
        models={name: part for name, part in parts.items() if name in explanation.model_names},
        derived={name: part for name, part in parts.items() if name not in explanation.model_names},
        variables=[_variable(part) for part in explanation.variables],
        unknown=list(explanation.unknown),
        never_holds=list(explanation.never_holds),
        problem=outcome.problem,
        values={name: plain(value) for name, value in explanation.trace.values.items()},
        settings=dict(explanation.settings),
        **explanation.added,
    )


def plain(value: Value) -> Plain:
    """A value as JSON writes it: missing is null, an error its reason, dates and durations as text."""
    if value is MISSING or value is None:
        return None
    if isinstance(value, Failure):
        return {"error": value.reason}
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, date | timedelta):
        return str(value)
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    return value


def _customer_reason(reason: CustomerReason) -> CustomerReasonPart:
    found: CustomerReasonPart = {"code": reason.code, "text": reason.text, "from": reason.origin}
    return found if reason.feature is None else {**found, "feature": reason.feature}


def _condition(condition: Condition) -> ConditionPart:
    return ConditionPart(
        rule=condition.rule,
        text=condition.text,
        variable=condition.variable,
        value=plain(condition.value),
        truth=condition.truth,
        margin=condition.margin,
        because=condition.because,
    )


def _contribution(part: FeaturePart) -> ContributionPart:
    return ContributionPart(
        feature=part.feature,
        value=plain(part.value),
        total=part.total,
        direct=part.direct,
        via=dict(part.via),
        signed=part.signed,
    )


def _variable(part: VariablePart) -> VariableDetail:
    return VariableDetail(
        variable=part.variable,
        contribution=part.contribution,
        sign=1 if part.sign > 0 else -1,
        margin=part.margin if math.isfinite(part.margin) else None,
        scale=part.scale,
    )


def _attribution(name: str, found: Attribution, explanation: Explanation) -> ModelPart:
    return ModelPart(
        value=plain(explanation.model_values.get(name)),
        attribution=found.method,
        exact=found.exact,
        output=found.output,
        base=found.base,
        phi=dict(found.phi),
        background_rows=found.background_rows,
        standard_error=found.standard_error,
        seed=found.seed,
        intervals=None if found.intervals is None else dict(found.intervals),
    )
