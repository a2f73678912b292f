"""What SHAP, LIME and Shapley values add to the contract."""

from __future__ import annotations

from typing import Any

from decisionflow.conditions.values import Value
from decisionflow.explain.attributions import Attribution
from decisionflow.explain.contract import Part, Plain, plain


class AttributionPart(Part):
    """`base` plus the sum of `phi` is `value`, on the scale `output` ("value": 1 for the outcome, 0 elsewhere).

    `of` names the model that is explained; null for the decision, of which `outcome` is explained. `undecided_share` is
    the share of the rows tried that were undecided, in conflict or invalid, and counted as 0. `intervals` are those of
    an estimate's `phi`, 95 % t intervals over its draws.
    """

    of: str | None
    outcome: Plain
    attribution: str
    exact: bool
    output: str
    base: float
    phi: dict[str, float]
    value: float
    background_rows: int
    rows_given: int
    standard_error: float | None
    seed: int | None
    undecided_share: float | None = None
    fidelity: float | None = None
    intervals: dict[str, tuple[float, float]] | None = None


def attribution_part(
    found: Attribution, outcome: Value = None, of: str | None = None, undecided: float | None = None, **more: Any
) -> dict[str, Any]:
    """An attribution as the contract has it, with what only its method says."""
    part = AttributionPart(
        of=of,
        outcome=plain(outcome),
        attribution=found.method,
        exact=found.exact,
        output=found.output,
        base=found.base,
        phi=dict(found.phi),
        value=found.value,
        background_rows=found.background_rows,
        rows_given=found.rows_given,
        standard_error=found.standard_error,
        seed=found.seed,
        undecided_share=undecided,
        fidelity=found.fidelity,
        intervals=None if found.intervals is None else dict(found.intervals),
        **more,
    )
    return part.model_dump(mode="json")
