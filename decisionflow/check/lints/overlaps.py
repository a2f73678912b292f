"""Rules that fire together where only one may, or where they must agree."""

from __future__ import annotations

from collections.abc import Iterator

from decisionflow.check.boxes import Box
from decisionflow.check.lints.subject import Linted, example
from decisionflow.check.messages import lints as messages
from decisionflow.check.witnesses import Witness
from decisionflow.conditions.expression import Constant
from decisionflow.diagnostics import Diagnostic
from decisionflow.program.declarations import Rule


def overlaps(linted: Linted) -> Iterator[Diagnostic]:
    """Two rules of `unique`, or two of `any` with different outcomes, that a row was found to meet both."""
    if linted.hit_policy not in ("unique", "any"):
        return
    for second, earlier in enumerate(linted.meeting or ()):
        for first in earlier:
            pair = linted.rules[first], linted.rules[second]
            if linted.hit_policy == "any" and _agree(*pair):
                continue
            witness = _conflict(linted, linted.boxes[first] or [], linted.boxes[second] or [])
            if witness is not None:
                yield messages.overlap(linted.decision, *pair, linted.hit_policy, example(linted, witness))


def _agree(first: Rule, second: Rule) -> bool:
    return isinstance(first.outcome, Constant) and first.outcome == second.outcome


def _conflict(linted: Linted, mine: list[Box], theirs: list[Box]) -> Witness | None:
    space, name = linted.conditions.space, linted.decision.name
    for first in mine:
        for second in theirs:
            both = space.intersect(first, second)
            if both is not None:
                witness = linted.witness(both, lambda row: row.decide(name).status == "conflict")
                if witness is not None:
                    return witness
    return None
