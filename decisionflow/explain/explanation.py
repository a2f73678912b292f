"""What is found out about one row of one decision: the value that every drawing and the JSON contract are made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from decisionflow.conditions.values import Value
from decisionflow.evaluate.outcome import Outcome
from decisionflow.evaluate.trace import Trace, TruthName
from decisionflow.explain.attributions import Attribution


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition of a rule at the row; `margin` is the distance to its boundary in the variable's own unit.

    It is None where there is none (labels, presence, an unknown value) or where it would tell a sensitive value, which
    `value` shows masked. `because` says what is missing or in error.
    """

    rule: str
    text: str
    variable: str
    value: Value
    truth: TruthName
    margin: float | None
    because: str = ""


@dataclass(frozen=True, slots=True)
class VariablePart:
    """The part of one variable in the target rule (r_v), with everything that it was computed from.

    `margin` is infinite where there is no boundary, and where it would tell a sensitive value.
    """

    variable: str
    contribution: float
    sign: int
    margin: float
    scale: float


@dataclass(frozen=True, slots=True)
class FeaturePart:
    """The contribution of one input feature: its own and what comes to it through internal variables.

    `signed` keeps the direction that Eq. 2 of SMACE leaves out: positive where the value pushes towards the rule.
    """

    feature: str
    value: Value
    total: float
    direct: float
    via: Mapping[str, float]
    signed: float


@dataclass(frozen=True, slots=True)
class CustomerReason:
    """A code and a text that the customer may be told, from a rule that was taken or from a feature's contribution."""

    code: str
    text: str
    origin: Literal["rule", "contribution"]
    feature: str | None = None


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a row got its decision, by SMACE; the other methods add theirs under `added`.

    `target_rule` is the rule that the contributions speak of, None where the decision has no rules. `unknown` are its
    variables that cannot be told, `never_holds` those whose conditions contradict each other. `attributions` belong to
    internal variables: models, derived values, decisions. `trace` is the path of the row through the policy. An adverse
    outcome has `customer_reasons`, the first first.
    """

    policy: str
    policy_sha256: str
    decision: str
    row: int
    outcome: Outcome
    target_rule: str | None
    conditions: tuple[Condition, ...]
    variables: tuple[VariablePart, ...]
    contributions: tuple[FeaturePart, ...]
    attributions: Mapping[str, Attribution]
    model_names: frozenset[str]
    model_values: Mapping[str, Value]
    settings: Mapping[str, Any]
    trace: Trace
    unknown: tuple[str, ...] = ()
    never_holds: tuple[str, ...] = ()
    added: Mapping[str, Any] = field(default_factory=dict)
    customer_reasons: tuple[CustomerReason, ...] = ()

    def largest_first(self) -> tuple[FeaturePart, ...]:
        """The contributions by magnitude; those of equal size in order of declaration."""
        return tuple(sorted(self.contributions, key=lambda part: -abs(part.total)))
