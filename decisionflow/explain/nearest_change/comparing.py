"""Comparisons of what expressions come to, as conditions on features."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from decisionflow.conditions.expression import Compare, Expression, is_written
from decisionflow.conditions.intervals import Interval, Region
from decisionflow.conditions.operators import COMPARISON, EQUAL, GREATER, LESS, Comparison
from decisionflow.conditions.values import Value
from decisionflow.explain.allowed import Labels
from decisionflow.explain.nearest_change.contents import Content, Curve, Known, Label, Output, Ratio
from decisionflow.explain.nearest_change.curves import curve_region
from decisionflow.explain.nearest_change.formula import (
    FALSE,
    TRUE,
    Form,
    Formula,
    HalfSpace,
    OnFeature,
    all_of,
    any_of,
)
from decisionflow.explain.nearest_change.spelling import condition_unit
from decisionflow.explain.nearest_change.truths import Truths, never_unknown, tried_out
from decisionflow.program.declarations import Parameter
from decisionflow.types import Type, Vocabulary

ONE = Form(constant=1.0)
OpenedModel = Callable[[str, Comparison, Value], Formula | None]


@dataclass(frozen=True, slots=True)
class Comparing:
    """Compares contents; `kinds` are the types of the features, `model` opens a comparison of a model's output."""

    kinds: Sequence[Type]
    parameters: Mapping[str, Parameter]
    model: OpenedModel

    def compare(
        self, comparison: Comparison, left: Content, right: Content, condition: Expression, order: Vocabulary | None
    ) -> Truths:
        """Where one content compares so with another; `order` where labels are compared."""
        match left, right:
            case Form(), Form():
                return never_unknown(self._forms(comparison, left, right, condition))
            case Ratio(), Form() if not right.features:
                return self._ratio(comparison, left, right.constant, condition)
            case Form(), Ratio() if not left.features:
                return self._ratio(COMPARISON[comparison.mirrored], right, left.constant, condition)
            case Curve(), Form() if not right.features:
                return never_unknown(self._curve(comparison, left, right.constant))
            case Form(), Curve() if not left.features:
                return never_unknown(self._curve(COMPARISON[comparison.mirrored], right, left.constant))
            case ((Label() | Known()), (Label() | Known())):
                return self._labels(comparison, left, right, condition, order)
            case Output(), (Form() | Known()):
                return self._output(comparison, left, right, condition)
            case ((Form() | Known()), Output()):
                return self._output(COMPARISON[comparison.mirrored], right, left, condition)
        return tried_out(condition)

    def _forms(self, comparison: Comparison, left: Form, right: Form, condition: Expression) -> Formula:
        unit = condition_unit(condition, self.parameters)
        written = isinstance(condition, Compare) and is_written(condition.left) and is_written(condition.right)
        if not left.features and not right.features:
            return TRUE if comparison.holds(left.constant, right.constant, not written) else FALSE
        return half_space(comparison, left.plus(right.scaled(-1)), Form(constant=unit), not written)

    def _ratio(self, comparison: Comparison, ratio: Ratio, number: float, condition: Expression) -> Truths:
        """`top / bottom` compared with a number, cleared of the denominator on either side of zero."""
        unit = condition_unit(condition, self.parameters)
        cleared = ratio.top.plus(ratio.bottom.scaled(-number))
        sides = []
        for sign, side, turned in ((1, GREATER, comparison), (-1, LESS, COMPARISON[comparison.mirrored])):
            there = half_space(side, ratio.bottom, ONE)
            sides.append(all_of((there, half_space(turned, cleared, ratio.bottom.scaled(sign * unit)))))
        return never_unknown(any_of(sides), half_space(EQUAL, ratio.bottom, ONE))

    def _curve(self, comparison: Comparison, curve: Curve, number: float) -> Formula:
        region = curve_region(curve, comparison, number, self.kinds[curve.feature])
        return OnFeature(curve.feature, region, computed=True)

    def _labels(
        self,
        comparison: Comparison,
        left: Label | Known,
        right: Label | Known,
        condition: Expression,
        order: Vocabulary | None,
    ) -> Truths:
        match left, right:
            case Known(), Known():
                holds = _labels_hold(comparison, left.value, right.value, order)
                return Truths(TRUE, FALSE) if holds else Truths(FALSE, TRUE)
            case Label(), Known():
                return never_unknown(OnFeature(left.feature, _labels_like(comparison, right.value, order)))
            case Known(), Label():
                mirrored = COMPARISON[comparison.mirrored]
                return never_unknown(OnFeature(right.feature, _labels_like(mirrored, left.value, order)))
            case Label(), Label() if left.feature == right.feature:
                return Truths(TRUE, FALSE) if comparison.closed else Truths(FALSE, TRUE)
        kind = self.kinds[left.feature] if isinstance(left, Label) else None
        if not isinstance(kind, Vocabulary) or not isinstance(left, Label) or not isinstance(right, Label):
            return tried_out(condition)
        return never_unknown(
            any_of(
                all_of(
                    (
                        OnFeature(left.feature, Labels(frozenset([label]))),
                        OnFeature(right.feature, _labels_like(COMPARISON[comparison.mirrored], label, order)),
                    )
                )
                for label in kind.labels
            )
        )

    def _output(self, comparison: Comparison, output: Output, other: Form | Known, condition: Expression) -> Truths:
        if isinstance(other, Form) and other.features:
            return tried_out(condition)
        found = self.model(output.model, comparison, other.value if isinstance(other, Known) else other.constant)
        return tried_out(condition) if found is None else never_unknown(found)


def half_space(comparison: Comparison, form: Form, margin: Form, computed: bool = True) -> Formula:
    """Where a form compares so with zero; of one feature it is a region or a set of labels.

    An excluded end on one feature is passed by the margin over its weight, where that is a number.
    """
    if not form.features:
        return TRUE if comparison.holds(form.constant, 0.0) else FALSE
    if len(form.weights) == 1 and not form.labels:
        ((feature, weight),) = form.weights.items()
        end = -form.constant / weight + 0.0
        turned = comparison if weight > 0 else COMPARISON[comparison.mirrored]
        unit = margin.value({feature: end}) if set(margin.features) <= {feature} else 0.0
        return OnFeature(feature, ray(turned, end), {end: abs(unit / weight)} if unit else {}, computed)
    if len(form.labels) == 1 and not form.weights:
        ((feature, named),) = form.labels.items()
        chosen = [name for name, share in named.items() if comparison.holds(share + form.constant, 0.0)]
        return OnFeature(feature, Labels(frozenset(chosen)))
    return HalfSpace(form, comparison, margin)


def ray(comparison: Comparison, end: float) -> Region:
    """The numbers that compare so with an end."""
    if not comparison.orders:
        point = Region((Interval(end, end, True, True),))
        return point if comparison is EQUAL else point.complement()
    if comparison.side > 0:
        return Region((Interval(end, math.inf, comparison.closed, False),))
    return Region((Interval(-math.inf, end, False, comparison.closed),))


def _labels_like(comparison: Comparison, value: Value, order: Vocabulary | None) -> Labels:
    """The labels that compare so with one."""
    if not comparison.orders:
        return Labels(frozenset([value]), others=not comparison.closed)
    labels = order.labels if order is not None else ()
    return Labels(frozenset(label for label in labels if _labels_hold(comparison, label, value, order)))


def _labels_hold(comparison: Comparison, left: Value, right: Value, order: Vocabulary | None) -> bool:
    if comparison.orders and order is not None:
        return comparison.holds(order.labels.index(left), order.labels.index(right))
    return (left == right) == comparison.closed
