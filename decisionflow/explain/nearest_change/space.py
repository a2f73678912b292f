"""The features of a row that an advice may speak of, each with its scale and weight."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from decisionflow.conditions.expression import Variable
from decisionflow.conditions.linear import as_number
from decisionflow.conditions.values import is_known
from decisionflow.diagnostics import did_you_mean
from decisionflow.errors import DataError, UnknownNameError
from decisionflow.evaluate.interpreter import Row
from decisionflow.explain.completion import Background
from decisionflow.explain.nearest_change.movable import Movable, movable
from decisionflow.program.declarations import Feature
from decisionflow.types import Boolean, Text, Vocabulary


@dataclass(frozen=True, slots=True)
class Costs:
    """What changes cost: the weight of each feature, 1 where none is given, and the background that scales come from.

    `unscaled` lets a feature without any scale count in its own unit, for questions that ask for no cost.
    """

    weights: Mapping[str, float] = field(default_factory=dict)
    background: Background | None = None
    unscaled: bool = False


def items_of(row: Row, decision: str, costs: Costs) -> tuple[Movable, ...]:
    """The features behind a decision that the row has a value for, in order of declaration.

    A missing value stays missing. Raises DataError where a feature that may change has neither a domain nor background
    values to measure a change with, and UnknownNameError for a weight of no feature.
    """
    features = row.program.features
    for name, weight in costs.weights.items():
        if name not in features:
            hint = did_you_mean(name, features)
            raise UnknownNameError(f"there is no feature `{name}` to give a weight" + (f"; {hint}" if hint else ""))
        if not weight > 0:
            raise DataError(f"the weight of `{name}` is {weight:g}; a weight is a number above 0")
    names = [name for name in row.program.features_of([decision]) if is_known(row.values[name])]
    return tuple(_item(row, features[name], costs) for name in names)


def _item(row: Row, feature: Feature, costs: Costs) -> Movable:
    value = row.values[feature.name]
    return movable(feature, value, _scale(feature, row, costs), costs.weights.get(feature.name, 1.0))


def _scale(feature: Feature, row: Row, costs: Costs) -> float:
    """The width of the domain where both ends are declared, else the range in the background with the row's value."""
    if isinstance(feature.type, Vocabulary | Boolean | Text):
        return 1.0
    domain = feature.domain
    if domain is not None and domain.low is not None and domain.high is not None:
        return as_number(domain.high) - as_number(domain.low) or 1.0
    sample = None if costs.background is None else costs.background.sample(Variable(feature.name, feature.type, True))
    if sample is not None and len(sample):
        here = as_number(row.values[feature.name])
        return float(max(sample.max(), here) - min(sample.min(), here)) or 1.0
    if feature.change.immutable or costs.unscaled:
        return 1.0
    raise DataError(
        f"how far is far for `{feature.name}`? It has no domain with two ends, and there is no background; "
        "declare a domain, or give background data"
    )
