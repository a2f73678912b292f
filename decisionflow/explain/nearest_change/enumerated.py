"""A condition on one feature of few values, tried out at each of them: exact where it cannot be opened."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from decisionflow.conditions.expression import Expression
from decisionflow.conditions.intervals import Interval, Region
from decisionflow.conditions.linear import as_number
from decisionflow.conditions.values import Failure, Value
from decisionflow.evaluate.interpreter import Row
from decisionflow.explain.allowed import Labels
from decisionflow.explain.nearest_change.curves import scalar
from decisionflow.explain.nearest_change.formula import Formula, OnFeature
from decisionflow.explain.nearest_change.truths import Truths
from decisionflow.program.declarations import Feature
from decisionflow.types import Boolean, Date, Integer, Vocabulary

MOST_TRIED = 500


def enumerated(row: Row, condition: Expression, feature: Feature, place: int) -> Truths | None:
    """Where a condition that reads no other feature is true, false and an error; None where there are too many values.

    `place` is the number of the feature.
    """
    values = _values(feature)
    if values is None:
        return None
    came = [
        Row(row.program, {**row.features, feature.name: value}, row.models, row.settings).evaluate(condition)
        for value in values
    ]

    def where(fits: Callable[[Value], bool]) -> Formula:
        kept = [value for value, found in zip(values, came, strict=True) if fits(found)]
        return OnFeature(place, _allowed(feature, kept), computed=True)

    return Truths(
        where(lambda found: found is True),
        where(lambda found: found is False),
        where(lambda found: isinstance(found, Failure)),
    )


def _values(feature: Feature) -> Sequence[Value] | None:
    kind, domain = feature.type, feature.domain
    if isinstance(kind, Vocabulary):
        return kind.labels
    if isinstance(kind, Boolean):
        return (True, False)
    if not isinstance(kind, Integer | Date) or domain is None or domain.low is None or domain.high is None:
        return None
    low, high = int(as_number(domain.low)), int(as_number(domain.high))
    if high - low >= MOST_TRIED:
        return None
    found = [scalar(number, kind) for number in range(low, high + 1)]
    return [value for value in found if domain.contains(value)]


def _allowed(feature: Feature, kept: Sequence[Value]) -> Region | Labels:
    if not isinstance(feature.type, Integer | Date):
        return Labels(frozenset(kept))
    intervals: list[Interval] = []
    for number in map(as_number, kept):
        follows = bool(intervals) and number == intervals[-1].high + 1
        low = intervals.pop().low if follows else number
        intervals.append(Interval(low, number, True, True))
    return Region(tuple(intervals))
