"""What a rule allows each variable at one row: intervals, labels, or being there at all (SMACE, Algorithm 2)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from decisionflow.conditions.expression import (
    Among,
    Compare,
    Expression,
    IsMissing,
    Not,
    Variable,
    Within,
    is_written,
)
from decisionflow.conditions.intervals import Interval, Region, union
from decisionflow.conditions.linear import LinearForm, as_number, linear_form
from decisionflow.conditions.operators import AT_LEAST, AT_MOST, EQUAL, GREATER, LESS, Comparison
from decisionflow.conditions.values import MISSING, Value, is_known
from decisionflow.types import DATE, DURATION, INTEGER, NUMBER, TIMESTAMP, Vocabulary

Lookup = Callable[[Expression], Value]
MEASURED = (NUMBER, INTEGER, DATE, TIMESTAMP, DURATION)


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels, truth values or texts in `named`, or all others where `others`."""

    named: frozenset[Value]
    others: bool = False

    @property
    def is_empty(self) -> bool:
        return not self.named and not self.others

    def contains(self, label: Value) -> bool:
        """Whether a label is allowed."""
        return (label in self.named) != self.others

    def intersect(self, other: Labels) -> Labels:
        """The labels in both."""
        if self.others and other.others:
            return Labels(self.named | other.named, True)
        positive, second = (other, self) if self.others else (self, other)
        return Labels(frozenset(label for label in positive.named if second.contains(label)))


NOTHING = Labels(frozenset())
"""What nothing satisfies; only a value that has to be missing and to be there meets it beside an interval."""


@dataclass(frozen=True, slots=True)
class Presence:
    """Whether the value has to be missing, or has to be there."""

    missing: bool


Allowed = Region | Labels | Presence


@dataclass(frozen=True, slots=True)
class Axis:
    """One variable of a rule with its allowed set at a row: a name, or an expression that is taken whole.

    `value` is the row's (numbers, and days for dates and durations; MISSING where it is). `allowed` is None where it
    cannot be told, because another value in the same condition is missing. `thresholds` are those of the conditions.
    `is_sliced` holds where other values of the row had a part in it.
    """

    variable: Expression
    value: Value
    allowed: Allowed | None
    thresholds: tuple[float, ...] = ()
    is_sliced: bool = False

    @property
    def is_known(self) -> bool:
        return self.allowed is not None and (is_known(self.value) or isinstance(self.allowed, Presence))

    @property
    def holds(self) -> bool:
        """Whether the value is allowed; only asked where that is known."""
        match self.allowed:
            case Region():
                return self.allowed.contains(self.value)
            case Labels():
                return self.allowed.contains(self.value)
            case Presence(missing=missing):
                return (self.value is MISSING) == missing
        raise ValueError("unknown")


def allowed_sets(
    alternative: Iterable[Expression], value_of: Lookup, opened: Mapping[str, LinearForm]
) -> tuple[Axis, ...]:
    """The merged allowed set of every variable that the conditions of an alternative speak of, in order.

    A condition over several variables is an interval along each of them, the others held at the row's values.
    """
    merged: dict[Expression, Axis] = {}
    for condition in alternative:
        for axis in _axes(condition, value_of, opened):
            before = merged.get(axis.variable)
            merged[axis.variable] = _merge(before, axis) if before is not None else axis
    return tuple(merged.values())


def _axes(condition: Expression, value_of: Lookup, opened: Mapping[str, LinearForm]) -> list[Axis]:
    match condition:
        case Compare(comparison=comparison, left=left, right=right):
            if left.type in MEASURED:
                return _half_space(comparison, left, right, value_of, opened)
            return _label_sides(comparison, left, right, value_of)
        case Within(value=value, low=low, high=high):
            ends = ((low, AT_LEAST, GREATER), (high, AT_MOST, LESS))
            return [
                axis
                for end, closed, open_ in ends
                if end is not None
                for axis in _axes(Compare(closed if end.closed else open_, value, end.value), value_of, opened)
            ]
        case Among(value=value, choices=choices):
            return _choices(value, choices, True, value_of, opened)
        case Not(part=Among(value=value, choices=choices)):
            return _choices(value, choices, False, value_of, opened)
        case IsMissing(value=value):
            return [Axis(value, _on_axis(value, value_of), Presence(True))]
        case Not(part=IsMissing(value=value)):
            return [Axis(value, _on_axis(value, value_of), Presence(False))]
        case Not(part=part):
            return [Axis(part, value_of(part), Labels(frozenset([False])))]
    return [Axis(condition, value_of(condition), Labels(frozenset([True])))]


def _half_space(
    comparison: Comparison, left: Expression, right: Expression, value_of: Lookup, opened: Mapping[str, LinearForm]
) -> list[Axis]:
    form = linear_form(left, opened).plus(linear_form(right, opened).scaled(-1))
    values = {axis: _on_axis(axis, value_of) for axis in form.weights}
    side = _side(left, right, value_of)
    found = []
    for axis, weight in form.weights.items():
        others = [(form.weights[other], values[other]) for other in form.weights if other != axis]
        if not all(is_known(value) for _, value in others):
            found.append(Axis(axis, values[axis], None))
            continue
        rest = math.fsum([form.constant, *(share * value for share, value in others)])
        threshold = _beside(values[axis], (0.0 - rest) / weight, side if weight > 0 else -side)
        allowed = _ray(comparison if weight > 0 else _mirrored(comparison), threshold)
        found.append(Axis(axis, values[axis], allowed, (threshold,), bool(others)))
    return found


def _side(left: Expression, right: Expression, value_of: Lookup) -> float:
    """Which side is the larger, as the policy compares them: 1 the left, -1 the right, 0 neither, NaN unknown."""
    equal = value_of(Compare(EQUAL, left, right))
    if not is_known(equal):
        return math.nan
    return 0 if equal else 1 if value_of(Compare(GREATER, left, right)) else -1


def _beside(value: Value, threshold: float, side: float) -> float:
    """The threshold on the side of the value where the policy sees it: solving for one variable rounds."""
    if not is_known(value) or math.isnan(side) or (value > threshold) - (value < threshold) == side:
        return threshold
    return value if side == 0 else math.nextafter(value, -side * math.inf)


def _mirrored(comparison: Comparison) -> Comparison:
    return {"<": GREATER, "<=": AT_LEAST, ">": LESS, ">=": AT_MOST}.get(comparison.spelling, comparison)


def _ray(comparison: Comparison, threshold: float) -> Region:
    point = Region((Interval(threshold, threshold, True, True),))
    if not comparison.orders:
        return point if comparison is EQUAL else point.complement()
    closed = comparison.closed
    if comparison.side > 0:
        return Region((Interval(threshold, math.inf, closed, False),))
    return Region((Interval(-math.inf, threshold, False, closed),))


def _label_sides(comparison: Comparison, left: Expression, right: Expression, value_of: Lookup) -> list[Axis]:
    sides = ((left, right, comparison), (right, left, _mirrored(comparison)))
    varying = [(one, other, meaning) for one, other, meaning in sides if not _is_constant(one)]
    return [
        Axis(one, value_of(one), _labels(meaning, one, value_of(other)), is_sliced=len(varying) > 1)
        for one, other, meaning in varying
    ]


def _labels(comparison: Comparison, variable: Expression, other: Value) -> Labels | None:
    if not is_known(other):
        return None
    if not comparison.orders:
        return Labels(frozenset([other]), others=not comparison.closed)
    labels = variable.type.labels if isinstance(variable.type, Vocabulary) else ()
    rank = labels.index(other)
    return Labels(frozenset(label for place, label in enumerate(labels) if comparison.holds(place, rank)))


def _choices(
    value: Expression,
    choices: tuple[Expression, ...],
    inside: bool,
    value_of: Lookup,
    opened: Mapping[str, LinearForm],
) -> list[Axis]:
    given = [value_of(choice) for choice in choices]
    if not all(is_known(choice) for choice in given):
        return [Axis(value, value_of(value), None)]
    if value.type not in MEASURED:
        return [Axis(value, value_of(value), Labels(frozenset(given), others=not inside))]
    found = [_half_space(EQUAL, value, choice, value_of, opened) for choice in choices]
    together = []
    for axes in zip(*found, strict=True):
        points = union(
            interval for axis in axes if isinstance(axis.allowed, Region) for interval in axis.allowed.intervals
        )
        region = points if inside else points.complement()
        thresholds = tuple(end for axis in axes for end in axis.thresholds)
        together.append(
            replace(axes[0], allowed=region if axes[0].allowed is not None else None, thresholds=thresholds)
        )
    return together


def _merge(first: Axis, second: Axis) -> Axis:
    thresholds = first.thresholds + second.thresholds
    allowed, sliced = _both(first.allowed, second.allowed), first.is_sliced or second.is_sliced
    return replace(first, allowed=allowed, thresholds=thresholds, is_sliced=sliced)


def _both(first: Allowed | None, second: Allowed | None) -> Allowed | None:
    """The intersection; being there is implied by every condition on the value, being missing contradicts it."""
    if first is None or second is None:
        return None
    for one, other in ((first, second), (second, first)):
        if isinstance(one, Presence):
            if isinstance(other, Presence):
                return one if one == other else NOTHING
            return NOTHING if one.missing else other
    if isinstance(first, Region) and isinstance(second, Region):
        return first.intersect(second)
    if isinstance(first, Labels) and isinstance(second, Labels):
        return first.intersect(second)
    return NOTHING


def _on_axis(variable: Expression, value_of: Lookup) -> Value:
    """The row's value, a number of days for dates and durations."""
    value = value_of(variable)
    return as_number(value) if is_known(value) and variable.type in MEASURED else value


def _is_constant(expression: Expression) -> bool:
    return not isinstance(expression, Variable) and is_written(expression)
