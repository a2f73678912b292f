"""Rules whose conditions exclude each other."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from decisionflow.check.boxes import OutOfReach
from decisionflow.check.excerpts import excerpt
from decisionflow.check.lints.subject import Linted, example
from decisionflow.check.messages import lints as messages
from decisionflow.conditions.expression import Expression, conjuncts
from decisionflow.diagnostics import Diagnostic
from decisionflow.program.declarations import Rule


def contradictions(linted: Linted) -> Iterator[Diagnostic]:
    """A rule that never holds although each of its conditions can."""
    for rule, boxes in zip(linted.rules, linted.boxes, strict=True):
        if boxes is not None and not boxes:
            parts = conjuncts(rule.condition)
            if len(parts) > 1 and all(linted.conditions.where(part) for part in parts):
                shown = [excerpt(part.span) for part in _excluding(linted, parts)]
                yield messages.contradiction(linted.decision, rule, shown, _witness(linted, rule, parts[0]))


def _excluding(linted: Linted, parts: tuple[Expression, ...]) -> tuple[Expression, ...]:
    """Two of the conditions that exclude each other; all of them where no two do."""
    where = linted.conditions.where
    for first, second in itertools.combinations(parts, 2):
        try:
            if not linted.conditions.space.product([where(first), where(second)]):
                return first, second
        except OutOfReach:
            continue
    return parts


def _witness(linted: Linted, rule: Rule, part: Expression) -> str:
    """A row for which one of the conditions holds, and the rule does not."""
    for box in linted.conditions.where(part)[:3]:
        found = linted.witness(box, lambda row: row.evaluate(part) is True and row.truth(rule) is not True)
        if found is not None:
            return example(linted, found)
    return ""
