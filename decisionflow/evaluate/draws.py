"""Draws that the same row always gets: a companion list that answers by chance can be replayed and run in any batch."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta

from decisionflow.conditions.values import MISSING, Failure, Value
from decisionflow.program.program import Program

_BITS = 53


def uniform_draw(program: Program, decision: str, values: Mapping[str, Value], seed: int) -> float:
    """A number in [0, 1) from a hash of the decision's name, the seed and the values of its features.

    `values` holds at least every feature that the decision depends on, as `types` writes them; they are read in the
    order of declaration, so that neither the other columns of the data nor the place of the row matter.
    """
    named = [[name, canonical(values[name])] for name in program.features_of([decision])]
    return drawn(decision, seed, named)


def drawn(decision: str, seed: int, named: list[list[str | None]]) -> float:
    """As `uniform_draw`, from names and canonical values in the order of declaration."""
    text = json.dumps([decision, seed, named])
    digest = hashlib.blake2b(text.encode("ascii"), digest_size=8).digest()
    return (int.from_bytes(digest, "big") >> (64 - _BITS)) / (1 << _BITS)


def canonical(value: Value) -> str | None:
    """One text for each value, whichever way it was read; None for what is missing or in error."""
    if value is MISSING or isinstance(value, Failure):
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value + 0.0)
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    if isinstance(value, timedelta):
        return str(value // timedelta(microseconds=1))
    return value.isoformat() if isinstance(value, date) else str(value)
