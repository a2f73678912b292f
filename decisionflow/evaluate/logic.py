"""Kleene logic on columns: true, false, unknown, error, and what waits for a model (laws 3 to 5)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from decisionflow.conditions.kleene import Quantifier
from decisionflow.evaluate.vector import KNOWN, PENDING, Mask, Vector, lenient, with_states


def negation(part: Vector) -> Vector:
    """`not`: what is not known stays so."""
    return Vector(~part.values, part.states, part.needs)


def conjunction(parts: Sequence[Vector]) -> Vector:
    """`and`: false if any part is false; else open while a part waits, else error, else unknown, else true."""
    return _weakest(parts, decisive=False)


def disjunction(parts: Sequence[Vector]) -> Vector:
    """`or`, likewise from true."""
    return _weakest(parts, decisive=True)


def counting(quantifier: Quantifier, number: int, parts: Sequence[Vector]) -> Vector:
    """So many of the parts hold: decided as soon as the known parts decide it."""
    certain = sum((_count(part, True) for part in parts), start=np.zeros(1, np.int32))
    possible = len(parts) - sum((_count(part, False) for part in parts), start=np.zeros(1, np.int32))
    if quantifier == "at least":
        holds, fails = certain >= number, possible < number
    elif quantifier == "at most":
        holds, fails = possible <= number, certain > number
    else:
        settled = certain == possible
        holds, fails = settled & (certain == number), (certain > number) | (possible < number)
    return _decided(holds, holds | fails, parts)


def _weakest(parts: Sequence[Vector], decisive: bool) -> Vector:
    if not parts:
        return Vector(np.full(1, not decisive))
    if all(part.states is None for part in parts):
        return Vector(_reduced(parts, decisive))
    found: Mask = _is(parts[0], decisive)
    for part in parts[1:]:
        found = found | _is(part, decisive)
    return _decided(found if decisive else ~found, found, parts)


def _reduced(parts: Sequence[Vector], decisive: bool) -> Mask:
    found: Mask = parts[0].values
    for part in parts[1:]:
        found = found | part.values if decisive else found & part.values
    return found


def _is(part: Vector, answer: bool) -> Mask:
    truths: Mask = part.values if answer else ~part.values
    return truths if part.states is None else truths & (part.states == KNOWN)


def _count(part: Vector, answer: bool) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return _is(part, answer).astype(np.int32)


def _decided(holds: Mask, settled: Mask, parts: Sequence[Vector]) -> Vector:
    """The truth where the known parts settle it, else the state that the parts are in."""
    states, needs = lenient(parts)
    if states is None:
        return Vector(holds)
    left = np.where(settled, np.int32(KNOWN), states)
    asked = None if needs is None else {name: mask & (left == PENDING) for name, mask in needs.items()}
    return with_states(holds, left, asked)
