"""How far a value is from the boundary of what a rule allows it (SMACE, Eq. 3), in units of the variable's scale."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from decisionflow.conditions.expression import Expression, Variable
from decisionflow.conditions.intervals import Region
from decisionflow.conditions.linear import as_number
from decisionflow.conditions.values import MISSING, Value
from decisionflow.errors import DataError
from decisionflow.explain.allowed import Axis, Labels
from decisionflow.explain.rule_contribution import RuleContribution, contribution
from decisionflow.program.declarations import Domain, ModelDeclaration
from decisionflow.program.program import Program
from decisionflow.types import BOOLEAN, Vocabulary

ScaleChoice = Literal["domain", "robust"]
CategoryChoice = Literal["shares", "uniform"]
HALF = 0.5
Shares = Callable[[Expression], Mapping[Value, float]]
Sample = Callable[[Expression], NDArray[np.float64] | None]


@dataclass(frozen=True, slots=True)
class Ruler:
    """What distances are measured with.

    `sample` gives the known background values `(n,)` of a variable, None without a background; `shares` the target
    outcome's share among the background rows with each label.
    """

    program: Program
    sample: Sample
    shares: Shares
    scale: ScaleChoice = "domain"
    categories: CategoryChoice = "shares"

    def contribution(self, axis: Axis, thresholds: tuple[float, ...] = ()) -> RuleContribution | None:
        """r_v of one variable, None where it is unknown; `thresholds` are all that the rule sets for it.

        Raises DataError where neither a domain nor a background gives a scale.
        """
        if not axis.is_known:
            return None
        sign = 1 if axis.holds else -1
        if isinstance(axis.allowed, Region):
            scale = self._scale(axis, (*axis.thresholds, *thresholds))
            return contribution(sign, axis.allowed.distance_to_boundary(axis.value), scale)
        if isinstance(axis.allowed, Labels):
            return contribution(sign, self._label_distance(axis.variable, axis.value, axis.allowed), 1.0)
        return contribution(sign, HALF, 1.0)

    def _scale(self, axis: Axis, thresholds: tuple[float, ...]) -> float:
        """The width of the declared domain, else the range in the background, widened to hold value and thresholds."""
        width = _width(declared_domain(self.program, axis.variable))
        if width is not None:
            return width or 1.0
        sample = self.sample(axis.variable)
        if sample is None or not len(sample):
            raise DataError(
                f"how far is far for {_named(axis.variable)}? It has no domain with two ends, and "
                + ("there is no background" if sample is None else "no background row has a value for it")
                + "; declare a domain, or give background data"
            )
        share = (1.0, 99.0) if self.scale == "robust" else (0.0, 100.0)
        low, high = np.percentile(sample, share) if self.scale == "robust" else (sample.min(), sample.max())
        if low == high:
            return 1.0
        finite = [end for end in thresholds if math.isfinite(end)]
        return float(max(high, axis.value, *finite) - min(low, axis.value, *finite))

    def _label_distance(self, variable: Expression, label: Value, allowed: Labels) -> float:
        """To the nearest label on the other side of the allowed set; infinite where there is none."""
        side = allowed.contains(label)
        shares = self.shares(variable) if self.categories == "shares" else {}
        others = [other for other in _labels(variable, allowed, shares) if allowed.contains(other) != side]
        kind = variable.type
        if isinstance(kind, Vocabulary) and kind.ordered:
            rank = kind.labels.index(label)
            steps = min((abs(rank - kind.labels.index(other)) for other in others), default=math.inf)
            return steps / max(1, len(kind.labels) - 1)
        return min((_apart(shares, label, other) for other in others), default=math.inf)


def declared_domain(program: Program, variable: Expression) -> Domain | None:
    """The domain that a variable was declared with; a probability has [0, 1]."""
    if not isinstance(variable, Variable) or variable.name == "today":
        return None
    node = program.node(variable.name)
    if isinstance(node, ModelDeclaration) and node.output.kind == "probability":
        return Domain(0.0, 1.0)
    if variable.part:
        return dict(getattr(node, "part_domains", ())).get(variable.part)
    return getattr(node, "domain", None)


def _width(domain: Domain | None) -> float | None:
    if domain is None or domain.low is None or domain.high is None:
        return None
    return as_number(domain.high) - as_number(domain.low)


def _labels(variable: Expression, allowed: Labels, shares: Mapping[Value, float]) -> list[Value]:
    """The labels that a variable can have: all of its type, or those named in the rule and seen in the background.

    A text has always one more, that nobody has named.
    """
    if isinstance(variable.type, Vocabulary):
        return list(variable.type.labels)
    if variable.type == BOOLEAN:
        return [True, False]
    return [*dict.fromkeys([*sorted(allowed.named), *shares]), MISSING]


def _apart(shares: Mapping[Value, float], label: Value, other: Value) -> float:
    if label not in shares or other not in shares:
        return HALF
    return abs(shares[label] - shares[other])


def _named(variable: Expression) -> str:
    return f"`{variable.name}`" if isinstance(variable, Variable) else "an expression of the rule"
