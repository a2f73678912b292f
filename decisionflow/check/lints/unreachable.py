"""Rules whose every case is taken by rules before them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from decisionflow.check.boxes import Box, OutOfReach
from decisionflow.check.lints.subject import Linted, example
from decisionflow.check.messages import lints as messages
from decisionflow.diagnostics import Diagnostic
from decisionflow.program.declarations import Rule

MOST_EARLIER = 400
"""Rules before one that are looked at; beyond, the question is out of reach."""


def unreachable(linted: Linted) -> Iterator[Diagnostic]:
    """Under `first`, a rule that can hold, but never where the rules before it do not."""
    if linted.hit_policy != "first" or linted.meeting is None:
        return
    for rule, boxes, earlier in zip(linted.rules, linted.boxes, linted.meeting, strict=True):
        if boxes and 0 < len(earlier) <= MOST_EARLIER:
            causes = _causes(linted, boxes, earlier)
            if causes:
                yield messages.unreachable(linted.decision, rule, causes, _witness(linted, rule, boxes))


def _causes(linted: Linted, boxes: list[Box], earlier: Sequence[int]) -> list[Rule]:
    """The earlier rules that together take all of the boxes: one that does alone, if any; none where some is left."""
    space = linted.conditions.space
    taken = {number: linted.boxes[number] or [] for number in earlier}
    try:
        for number in earlier:
            if not space.remainder(boxes, taken[number]):
                return [linted.rules[number]]
        left = space.remainder(boxes, [box for others in taken.values() for box in others])
    except OutOfReach:
        return []
    return [] if left else [linted.rules[number] for number in earlier]


def _witness(linted: Linted, rule: Rule, boxes: list[Box]) -> str:
    for box in boxes[:3]:
        found = linted.witness(box, lambda row: row.truth(rule) is True)
        if found is not None:
            return example(linted, found)
    return ""
