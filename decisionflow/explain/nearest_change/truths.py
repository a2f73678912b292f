"""Where a condition is true, false and an error, as formulas: the language's logic of four truth values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from decisionflow.conditions.expression import Expression
from decisionflow.conditions.intervals import Region, union
from decisionflow.explain.allowed import Labels
from decisionflow.explain.nearest_change.formula import (
    FALSE,
    TRUE,
    Formula,
    OnFeature,
    Tried,
    all_of,
    any_of,
    at_least,
    is_false,
    negation,
)


@dataclass(frozen=True, slots=True)
class Truths:
    """Where a condition is true, false, and an error; elsewhere it is unknown."""

    true: Formula
    false: Formula
    error: Formula = FALSE

    @property
    def unknown(self) -> Formula:
        return all_of(negation(each) for each in (self.true, self.false, self.error))


def never_unknown(holds: Formula, error: Formula = FALSE) -> Truths:
    """Of a condition that is false wherever it is neither true nor an error."""
    return Truths(holds, all_of((negation(holds), negation(error))), error)


def tried_out(condition: Expression) -> Truths:
    """Of a condition that can only be tried out."""
    return Truths(Tried(condition), Tried(condition, False), Tried(condition, None))


def all_true(parts: Sequence[Truths]) -> Truths:
    """A conjunction: false if any part is, else an error if any is, else unknown if any is, else true."""
    broken = any_of(part.error for part in parts)
    false = merged([part.false for part in parts])
    error = FALSE if is_false(broken) else all_of((broken, *(negation(part.false) for part in parts)))
    return Truths(all_of(part.true for part in parts), false, error)


def some_true(parts: Sequence[Truths]) -> Truths:
    """A disjunction: true if any part is, else an error if any is, else unknown if any is, else false."""
    return turned(all_true([turned(part) for part in parts]))


def turned(found: Truths) -> Truths:
    """The negation of a condition."""
    return Truths(found.false, found.true, found.error)


def counted(quantifier: str, number: int, parts: Sequence[Truths]) -> Truths:
    """`at least`, `at most` or `exactly` so many of the parts are true."""
    size = len(parts)
    least = at_least(number, (part.true for part in parts)), at_least(size - number + 1, (p.false for p in parts))
    most = at_least(size - number, (part.false for part in parts)), at_least(number + 1, (p.true for p in parts))
    if quantifier == "at least":
        true, false = least
    elif quantifier == "at most":
        true, false = most
    else:
        true, false = all_of((least[0], most[0])), any_of((least[1], most[1]))
    broken = any_of(part.error for part in parts)
    return Truths(true, false, all_of((negation(true), negation(false), broken)) if broken is not FALSE else FALSE)


def merged(parts: Sequence[Formula]) -> Formula:
    """A disjunction; conditions on one feature become one condition."""
    first = parts[0] if parts else None
    if len(parts) < 2 or not isinstance(first, OnFeature):
        return any_of(parts)
    same = [part for part in parts if isinstance(part, OnFeature) and part.feature == first.feature]
    if len(same) < len(parts):
        return any_of(parts)
    units = {end: unit for part in same for end, unit in part.units.items()}
    if isinstance(first.allowed, Region):
        region = union(each for part in same if isinstance(part.allowed, Region) for each in part.allowed.intervals)
        computed = all(part.computed for part in same)
        return TRUE if region == Region() else OnFeature(first.feature, region, units, computed)
    kept = Labels(frozenset(), others=True)
    for part in same:
        if isinstance(part.allowed, Labels):
            kept = kept.intersect(Labels(part.allowed.named, not part.allowed.others))
    return OnFeature(first.feature, Labels(kept.named, not kept.others))
