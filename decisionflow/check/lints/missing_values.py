"""Optional features whose missing value makes a rule unknown and lets the row reach another outcome."""

from __future__ import annotations

from collections.abc import Iterator

from decisionflow.check.boxes import Box, Key, OutOfReach, Slice
from decisionflow.check.lints.subject import Linted, example
from decisionflow.check.messages import lints as messages
from decisionflow.check.spaces import all_atoms, feature_of
from decisionflow.check.witnesses import Witness
from decisionflow.conditions.expression import IsMissing, Variable
from decisionflow.conditions.intervals import Region
from decisionflow.conditions.values import MISSING
from decisionflow.diagnostics import Diagnostic
from decisionflow.evaluate.interpreter import Row
from decisionflow.program.declarations import Feature

NOTHING = Slice(Region(()), True)


def missing_values(linted: Linted) -> Iterator[Diagnostic]:
    """For each optional feature, the first rule that its missing value carries past; not under `collect`."""
    if linted.hit_policy in ("", "collect"):
        return
    told: set[str] = set()
    for number, (rule, boxes) in enumerate(zip(linted.rules, linted.boxes, strict=True)):
        for key in dict.fromkeys(key for box in boxes or () for key in box):
            feature = feature_of(key, linted.facts.program)
            if feature is None or not feature.optional or feature.name in told:
                continue
            witness = _carried_past(linted, number, key, feature)
            if witness is not None:
                told.add(feature.name)
                shown = example(linted, witness)
                yield messages.missing_reaches_another(linted.decision, rule, feature.name, feature.span, shown)


def _carried_past(linted: Linted, number: int, key: Key, feature: Feature) -> Witness | None:
    """A row that a rule would take, were the feature not missing, and that a later rule decides otherwise."""
    rule = linted.rules[number]
    before = {earlier.name for earlier in linted.rules[:number]} if linted.hit_policy == "first" else set()

    def claim(row: Row) -> bool:
        outcome = row.decide(linted.decision.name)
        if outcome.status != "decided" or row.truth(rule) is not MISSING or before.intersection(outcome.rules):
            return False
        return row.evaluate(rule.outcome) != outcome.value and not _handled(linted, outcome.rules, feature)

    for box in _not_taken(linted, number, key):
        witness = linted.witness(box, claim)
        if witness is not None:
            return witness
    return None


def _not_taken(linted: Linted, number: int, key: Key) -> list[Box]:
    """Where a rule would hold, the feature missing instead, and no rule before it does."""
    boxes: list[Box] = [
        {**box, key: NOTHING} for box in linted.boxes[number] or () if key in box and not box[key].missing
    ]
    if linted.hit_policy != "first":
        return boxes
    earlier = [box for others in linted.boxes[:number] for box in others or ()]
    try:
        return linted.conditions.space.remainder(boxes, earlier)
    except OutOfReach:
        return boxes


def _handled(linted: Linted, fired: tuple[str, ...], feature: Feature) -> bool:
    """Whether a rule that fired asks whether the feature is missing: its author has thought of it."""
    rules = [rule for rule in linted.rules if rule.name in fired]
    atoms = [atom for rule in rules for atom in all_atoms(rule.condition) if isinstance(atom, IsMissing)]
    return any(isinstance(atom.value, Variable) and atom.value.name == feature.name for atom in atoms)
