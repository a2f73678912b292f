"""Rows that no rule takes, where there is no `otherwise`."""

from __future__ import annotations

import math
from collections.abc import Iterator

from decisionflow.check.boxes import Box, Key, OutOfReach, Slice
from decisionflow.check.excerpts import excerpt
from decisionflow.check.lints.subject import Linted, example
from decisionflow.check.messages import lints as messages
from decisionflow.check.spaces import Difference, Holds
from decisionflow.check.witnesses import written
from decisionflow.conditions.expression import Expression, Variable
from decisionflow.conditions.intervals import Interval, Region
from decisionflow.diagnostics import Diagnostic
from decisionflow.program.declarations import Rule, RuleList
from decisionflow.types import DATE, DURATION, INTEGER, NUMBER, TEXT, TIMESTAMP, Type, Vocabulary

MOST_GAPS = 5
ORDERED = (NUMBER, INTEGER, DATE, TIMESTAMP, DURATION)


def gaps(linted: Linted) -> Iterator[Diagnostic]:
    """Boxes outside every rule in which a row was found to stay undecided; not under `collect`."""
    body = linted.decision.body
    if not isinstance(body, RuleList) or body.otherwise is not None or body.hit_policy == "collect":
        return
    if not body.rules or any(boxes is None for boxes in linted.boxes):
        return
    taken = [box for boxes in linted.boxes for box in boxes or ()]
    try:
        left = linted.conditions.space.remainder([{}], taken)
    except OutOfReach:
        return
    name, found = linted.decision.name, 0
    for box in _parted(left):
        witness = linted.witness(box, lambda row: row.decide(name).status == "undecided")
        if witness is not None:
            neighbours = _neighbours(linted, box)
            region = _described(linted, box)
            yield messages.gap(linted.decision, linted.decision.span, region, neighbours, example(linted, witness))
            found += 1
            if found == MOST_GAPS:
                return


def _parted(boxes: list[Box]) -> Iterator[Box]:
    """Boxes whose one open dimension has several intervals, as one box for each."""
    for box in boxes:
        broken = next((key for key, part in box.items() if len(part.region.intervals) + part.missing > 1), None)
        if broken is None or len(box) > 1:
            yield box
            continue
        for interval in box[broken].region.intervals:
            yield {broken: Slice(Region((interval,)))}
        if box[broken].missing:
            yield {broken: Slice(Region(()), True)}


def _neighbours(linted: Linted, box: Box) -> list[Rule]:
    """The rules that end where the gap begins, or begin where it ends."""
    kinds = linted.conditions.kinds
    ordered = [key for key in box if kinds[key] in ORDERED and not isinstance(key, Difference)]
    found = []
    for rule, boxes in zip(linted.rules, linted.boxes, strict=True):
        if any(_touch(box, other, key, kinds[key]) for other in boxes or () for key in ordered if key in other):
            found.append(rule)
    return found


def _touch(box: Box, other: Box, key: Key, kind: Type) -> bool:
    mine, theirs = box[key].region.boundaries(), other[key].region.boundaries()
    nearest = 0 if kind == NUMBER else 1
    return any(abs(end - far) <= nearest for end in mine for far in theirs)


def _described(linted: Linted, box: Box) -> str:
    """A gap in words: `income in [0 .. 100) and employment = student`."""
    everything = linted.conditions.space.slices
    parts = [_dimension(linted, key, box) for key in box if box[key] != everything[key]]
    return " and ".join(part for part in parts if part) or "any row"


def _dimension(linted: Linted, key: Key, box: Box) -> str:
    part, whole = box[key], linted.conditions.space.slices[key]
    if isinstance(key, Holds):
        truth = "where not" if part.region.contains(0.0) else "where"
        return f"{truth} `{_text(key.condition)}`"
    if isinstance(key, Difference):
        signs = [sign for sign, number in (("<", -1.0), ("=", 0.0), (">", 1.0)) if part.region.contains(number)]
        return f"`{_text(key.left)}` {' or '.join(signs)} `{_text(key.right)}`"
    name = f"`{_text(key)}`"
    if part.region.is_empty:
        return f"{name} missing"
    if part.region == whole.region:
        return f"{name} not missing" if whole.missing and not part.missing else ""
    missing = " or missing" if part.missing else ""
    kind = linted.conditions.kinds[key]
    if isinstance(kind, Vocabulary):
        labels = [label for code, label in enumerate(kind.labels) if part.region.contains(code)]
        return f"{name} = {' or '.join(labels)}{missing}"
    if kind == TEXT:
        known = linted.conditions.codes.texts.get(key, [])
        texts = [f'"{text}"' for code, text in enumerate(known) if part.region.contains(code)]
        others = ["any other text"] if part.region.contains(len(known)) else []
        return f"{name} = {' or '.join(texts + others)}{missing}"
    return " or ".join(_interval(linted, key, name, interval) for interval in part.region.intervals) + missing


def _interval(linted: Linted, key: Key, name: str, interval: Interval) -> str:
    """An interval of a dimension in words, its ends as values of the dimension's type."""

    def end(number: float) -> str:
        return written(linted.conditions.codes.value(key, linted.conditions.kinds[key], number))

    if interval.low == interval.high:
        return f"{name} = {end(interval.low)}"
    if not math.isfinite(interval.low):
        return f"{name} {'<=' if interval.high_closed else '<'} {end(interval.high)}"
    if not math.isfinite(interval.high):
        return f"{name} {'>=' if interval.low_closed else '>'} {end(interval.low)}"
    opening, closing = "[" if interval.low_closed else "(", "]" if interval.high_closed else ")"
    return f"{name} in {opening}{end(interval.low)} .. {end(interval.high)}{closing}"


def _text(expression: Expression) -> str:
    if isinstance(expression, Variable):
        return f"{expression.name}.{expression.part}" if expression.part else expression.name
    return excerpt(expression.span, "this condition")
