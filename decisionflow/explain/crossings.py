"""What happens where one variable alone crosses its boundary: the policy decides the row anew."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from decisionflow.conditions.expression import Expression, Variable
from decisionflow.conditions.intervals import Interval, Region
from decisionflow.conditions.values import MISSING, Value, is_known
from decisionflow.evaluate.interpreter import Row
from decisionflow.evaluate.masked import masked_value, tells
from decisionflow.evaluate.outcome import Outcome
from decisionflow.explain.allowed import Axis, Labels, Presence
from decisionflow.explain.smace import Question, Smace, variable_name
from decisionflow.program.program import Program
from decisionflow.tables.scalars import to_scalar
from decisionflow.types import BOOLEAN, DATE, DURATION, INTEGER, NUMBER, TIMESTAMP, Type, Vocabulary

SECONDS_A_DAY = 86_400
Try = tuple[Value, Outcome | None, str]
FINEST = 6
"""Decimals of a boundary beyond which its last one is no step."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """A variable of the target rule, its nearest boundary, and the decision where it alone lies just beyond.

    `boundary` is the end of what the rule allows, None for labels; `distance` is in the variable's unit, in days for
    dates. `to` is the value beyond. `outcome` is None where there is none to try, `because` then says why. A sensitive
    value shows masked, without its distance.
    """

    variable: str
    value: Value
    boundary: Value
    distance: float | None
    to: Value
    outcome: Outcome | None
    changes: bool | None
    because: str = ""


def crossings(smace: Smace, row: Row, question: Question) -> tuple[Crossing, ...]:
    """One for each variable of the target rule that is known at the row, in the order of the rule."""
    target = smace.target(row, question)
    axes = target.axes if target is not None else ()
    now = row.decide(question.decision)
    return tuple(_crossing(row, question.decision, now, axis) for axis in axes if axis.is_known)


def _crossing(row: Row, decision: str, now: Outcome, axis: Axis) -> Crossing:
    name, program = variable_name(axis.variable), row.program
    ends = _nearest_ends(axis)
    end = ends[0] if ends else None
    distance = None if end is None else abs(axis.value - end[0])
    beyond = [to for one in ends for to in _beyond_end(program, axis, one)] if ends else _beyond_labels(axis)
    to, outcome, because = _most_telling([(to, *_tried(row, decision, axis.variable, to)) for to in beyond], now)
    value = row.evaluate(axis.variable)
    boundary = None if end is None else _as_value(end[0], axis.variable.type)
    changes = None if outcome is None else _differs(outcome, now)
    if tells(program, axis.variable):
        return Crossing(name, masked_value(program, name, value), boundary, None, to, outcome, changes, because)
    if axis.is_sliced and any(tells(program, other) for other in _sources(program)):
        boundary, distance, to = None, None, None
    return Crossing(name, value, boundary, distance, to, outcome, changes, because)


def _most_telling(tried: Sequence[Try], now: Outcome) -> Try:
    """The first try that changes the decision, else the first that could be made, else the first."""
    changing = (one for one in tried if one[1] is not None and _differs(one[1], now))
    possible = (one for one in tried if one[1] is not None)
    return next(changing, None) or next(possible, None) or next(iter(tried), (None, None, "no value lies beyond"))


def _sources(program: Program) -> Iterator[Expression]:
    return (Variable(name, feature.type) for name, feature in program.features.items())


def _differs(outcome: Outcome, now: Outcome) -> bool:
    return (outcome.status, outcome.value) != (now.status, now.value)


def _nearest_ends(axis: Axis) -> list[tuple[float, bool, bool]]:
    """The nearest ends of the allowed set: where, whether lower ends of an interval, and whether allowed themselves."""
    if not isinstance(axis.allowed, Region):
        return []
    ends = [end for interval in axis.allowed.intervals for end in _ends(interval)]
    return [end for end in ends if abs(axis.value - end[0]) == axis.allowed.distance_to_boundary(axis.value)]


def _ends(interval: Interval) -> list[tuple[float, bool, bool]]:
    both = [(interval.low, True, interval.low_closed), (interval.high, False, interval.high_closed)]
    return [end for end in both if math.isfinite(end[0])]


def _beyond_end(program: Program, axis: Axis, end: tuple[float, bool, bool]) -> list[Value]:
    """The value just on the other side of an end."""
    place, is_low, is_allowed = end
    outward = -1 if is_low else 1
    direction = outward if axis.holds else -outward
    stepped = _stepped(program, axis.variable, place, direction, is_reached=is_allowed != axis.holds)
    return [_as_value(stepped, axis.variable.type)]


def _beyond_labels(axis: Axis) -> Sequence[Value]:
    """Every label on the other side; being missing, where the value has to be there."""
    kind = axis.variable.type
    if isinstance(axis.allowed, Labels):
        known: Sequence[Value] = ()
        if isinstance(kind, Vocabulary):
            known = kind.labels
        elif kind == BOOLEAN:
            known = (True, False)
        elif not axis.holds and not axis.allowed.others:
            known = sorted(axis.allowed.named)
        return [label for label in known if axis.allowed.contains(label) != axis.holds]
    is_presence = isinstance(axis.allowed, Presence)
    return [MISSING] if is_presence and is_known(axis.value) else []


def _stepped(program: Program, variable: Expression, place: float, direction: int, is_reached: bool) -> float:
    """The boundary itself where it lies on the other side, else one step further; whole where values are."""
    if variable.type in (INTEGER, DATE):
        whole = math.ceil(place) if direction > 0 else math.floor(place)
        return whole if is_reached or whole != place else whole + direction
    if is_reached:
        return place
    feature = program.features.get(variable.name) if isinstance(variable, Variable) else None
    declared = feature.change.step if feature is not None else None
    step = float(declared) if declared is not None else _unit(variable.type, place)
    return round(place + direction * step, 12)


def _unit(kind: Type, place: float) -> float:
    """A second for times; else one unit of the boundary's last decimal, at the finest the sixth."""
    if kind in (TIMESTAMP, DURATION):
        return 1 / SECONDS_A_DAY
    text = repr(float(place))
    decimals = FINEST if "e" in text else min(FINEST, len(text.partition(".")[2].rstrip("0")))
    return float(10**-decimals)


def _as_value(place: float, kind: Type) -> Value:
    """A place on an axis as a value of its type: axes of dates and durations count days."""
    if kind == NUMBER:
        return float(place)
    if kind in (TIMESTAMP, DURATION):
        return to_scalar(round(place * SECONDS_A_DAY * 1e6), kind)
    if kind in (INTEGER, DATE):
        return to_scalar(int(place), kind) if float(place).is_integer() or kind == DATE else float(place)
    return place


def _tried(row: Row, decision: str, variable: Expression, to: Value) -> tuple[Outcome | None, str]:
    """The decision where the variable alone has another value, or why that cannot be."""
    if not isinstance(variable, Variable) or variable.part or variable.name == "today":
        return None, "is no value that can change alone"
    name, program = variable.name, row.program
    feature = program.features.get(name)
    if feature is None:
        fixed = {**row.fixed, name: to}
        return Row(program, row.features, row.models, row.settings, fixed).decide(decision), ""
    if to is MISSING and not feature.optional:
        return None, "cannot be missing"
    if is_known(to) and feature.domain is not None and not feature.domain.contains(to):
        return None, f"its domain is {feature.domain}"
    return Row(program, {**row.features, name: to}, row.models, row.settings, row.fixed).decide(decision), ""
