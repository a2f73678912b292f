"""Sums of models whose attributions are exact: by linearity, the sum of their attributions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from decisionflow.explain.attributions.attribution import Attribution, Attributor, Scale
from decisionflow.explain.attributions.linear import linear_attributor
from decisionflow.explain.attributions.scales import scale_of
from decisionflow.explain.attributions.trees import tree_attributor
from decisionflow.models.estimators import from_estimator
from decisionflow.models.model import Model
from decisionflow.models.pipelines import unwrapped
from decisionflow.types import ModelOutput

MEMBERS: tuple[Callable[[Model, ModelOutput, pd.DataFrame], Attributor | None], ...] = (
    linear_attributor,
    tree_attributor,
)


@dataclass(frozen=True, slots=True)
class SumAttributor:
    """The members' attributions times their weights."""

    members: Sequence[Attributor]
    weights: Sequence[float]
    output: Scale

    def attribute(self, rows: pd.DataFrame) -> list[Attribution]:
        """The attribution of each row, in order."""
        each = [member.attribute(rows) for member in self.members]
        return [self._added(parts) for parts in zip(*each, strict=True)]

    def _added(self, parts: Sequence[Attribution]) -> Attribution:
        weighted = list(zip(self.weights, parts, strict=True))
        return Attribution(
            method="sum",
            exact=True,
            output=self.output,
            base=sum(weight * part.base for weight, part in weighted),
            phi={name: sum(weight * part.phi[name] for weight, part in weighted) for name in parts[0].phi},
            value=sum(weight * part.value for weight, part in weighted),
            background_rows=parts[0].background_rows,
            rows_given=parts[0].rows_given,
        )


def sum_attributor(model: Model, output: ModelOutput, background: pd.DataFrame) -> SumAttributor | None:
    """A vote's mean of probabilities or of numbers; None where it is none, or a member is not exact there."""
    parts = _members(model.subject)
    if parts is None or output.kind not in ("probability", "number"):
        return None
    weights, estimators = parts
    member_output = _member_output(model, output, estimators)
    members = [_attributor(from_estimator(model.name, each), member_output, background) for each in estimators]
    exact = [member for member in members if member is not None]
    if len(exact) < len(members):
        return None
    attributor = SumAttributor(exact, weights, "probability" if output.kind == "probability" else "value")
    additive = np.array([each.value for each in attributor.attribute(background)])
    return attributor if scale_of(model, output, background, additive) == attributor.output else None


def _members(subject: Any) -> tuple[list[float], list[Any]] | None:
    from sklearn.ensemble import VotingClassifier, VotingRegressor

    vote = unwrapped(subject)
    if not isinstance(vote, VotingRegressor) and not (isinstance(vote, VotingClassifier) and vote.voting == "soft"):
        return None
    given = vote._weights_not_none
    weights = np.ones(len(vote.estimators_)) if given is None else np.asarray(given, dtype=np.float64)
    return (weights / weights.sum()).tolist(), list(vote.estimators_)


def _member_output(model: Model, output: ModelOutput, estimators: Sequence[Any]) -> ModelOutput:
    """A vote fits its members on encoded classes, 0 to k − 1."""
    if output.kind == "number":
        return output
    encoded: Any = estimators[0].classes_[model.class_index(output)]
    return ModelOutput("probability", encoded.item() if isinstance(encoded, np.generic) else encoded)


def _attributor(member: Model, output: ModelOutput, background: pd.DataFrame) -> Attributor | None:
    for prepare in MEMBERS:
        found = prepare(member, output, background)
        if found is not None:
            return found if _plain(found, output) else None
    return None


def _plain(found: Attributor, output: ModelOutput) -> bool:
    return getattr(found, "output", None) == ("probability" if output.kind == "probability" else "value")
