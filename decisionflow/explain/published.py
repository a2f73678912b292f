"""The published schema of an explanation: the contract, and the part that each further method adds to it."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, create_model
from typing_extensions import TypedDict

from decisionflow.explain.anchor import AnchorPart
from decisionflow.explain.attribution_part import AttributionPart
from decisionflow.explain.companion_choice import CompanionPart
from decisionflow.explain.contract import ExplanationDocument, Part, Plain
from decisionflow.explain.local_rules import LocalRulePart


class Stability(Part):
    """How well LIME's runs agree: `agreement` is the mean share that the `top` features of two runs have in common."""

    runs: int
    top: int
    agreement: float
    largest_deviation: float = Field(description="the largest standard deviation of a weight over the runs")


class LimePart(AttributionPart):
    """LIME's local linear model: an attribution whose `value` is the model's own, and its stability."""

    stability: Stability


ChangePart = TypedDict("ChangePart", {"feature": str, "from": Plain, "to": Plain})
"""One feature's change."""


class DecidedPart(TypedDict):
    """What the policy says of the changed row."""

    value: Plain
    rule: str


class OtherChangePart(TypedDict):
    """A further answer, which costs no less."""

    cost: float
    changes: list[ChangePart]
    decided: DecidedPart


class NearestChangePart(TypedDict):
    """The cheapest change of permitted features that gives the outcome `to`; `because` names what forbids any."""

    to: Plain
    status: Literal["optimal", "found", "impossible", "not found"]
    cost: float | None
    bound: float | None
    because: list[str] | None
    changes: list[ChangePart]
    decided: DecidedPart | None
    others: list[OtherChangePart]


class CertificatePart(TypedDict):
    """Where the decision provably stays `value`: in the whole `box`, and along each feature `alone`.

    Each feature has an interval (`low`, `low_closed`, `high`, `high_closed`; null where nothing ends it) or `labels`.
    `held` stay as they are, `missing` have no value at the row.
    """

    value: Plain
    box: dict[str, dict[str, Plain]]
    alone: dict[str, dict[str, Plain]]
    held: list[str]
    missing: list[str]


METHOD_PARTS: dict[str, Any] = {
    "companion": CompanionPart,
    "shap": AttributionPart,
    "shapley": AttributionPart,
    "lime": LimePart,
    "local_rules": list[LocalRulePart],
    "anchor": AnchorPart,
    "nearest_change": NearestChangePart,
    "certificate": CertificatePart,
}


def explanation_schema() -> dict[str, Any]:
    """The JSON schema of the whole document; a method's key is there where the method was asked for."""
    whole = ExplanationDocument.model_json_schema()
    fields: dict[str, Any] = {key: (part, ...) for key, part in METHOD_PARTS.items()}
    added = _as_written(create_model("Methods", **fields).model_json_schema())
    return {
        **whole,
        "$defs": dict(sorted({**whole["$defs"], **added["$defs"]}.items())),
        "properties": {**whole["properties"], **added["properties"]},
    }


def _as_written(schema: Any) -> Any:
    """`class` and `from` are words of Python, so some models carry an underscore that the contract does not."""
    if isinstance(schema, list):
        return [_as_written(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: _as_written(value) for key, value in schema.items()}
    if isinstance(found.get("properties"), dict):
        found["properties"] = {name.rstrip("_"): value for name, value in found["properties"].items()}
        found["required"] = [name.rstrip("_") for name in found.get("required", [])]
    return found
