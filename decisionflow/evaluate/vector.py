"""Columns while they are computed: values with a state for every row, the state saying what is not known yet as well.

States are ordered by how strongly they pass through a function: a known value gives way to a missing one, that to one
which waits for a model, that to an error. From `FIRST_ERROR` on a state is the code of an error's reason (`failures`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Values = Any
"""An array `(n,)`, or `(1,)` for a value that all rows share; a dict of them by part for a record."""
States = NDArray[np.int32]
Mask = NDArray[np.bool_]
Needs = Mapping[str, Mask]

KNOWN, MISSING, PENDING, WAITING, FIRST_ERROR = 0, 1, 2, 3, 8


@dataclass(frozen=True, slots=True)
class Vector:
    """Values and states, each `(n,)` or `(1,)`; no states means that every value is known.

    A `PENDING` row waits for the models whose masks in `needs` hold for it; a `WAITING` one for another decision, which
    asks for models itself. `needs` is None where neither state occurs.
    """

    values: Values
    states: States | None = None
    needs: Needs | None = None

    @property
    def known(self) -> Mask | bool:
        """Which rows are known; plain True for all."""
        return True if self.states is None else self.states == KNOWN

    @property
    def failed(self) -> Mask | bool:
        """Which rows are in error; plain False for none."""
        return False if self.states is None else self.states >= FIRST_ERROR

    @property
    def undetermined(self) -> Mask | bool:
        """Which rows wait for a model or for another decision."""
        if self.needs is None or self.states is None:
            return False
        return (self.states == PENDING) | (self.states == WAITING)


def with_states(values: Values, states: States, needs: Needs | None = None) -> Vector:
    """A vector without states where all turn out to be known."""
    if not states.any():
        return Vector(values)
    return Vector(values, states, needs)


def strict(parts: Sequence[Vector]) -> tuple[States | None, Needs | None]:
    """The state of a function of the parts: the first error, else waiting, pending, missing, else known."""
    found = [part.states for part in parts if part.states is not None]
    if not found:
        return None, None
    states = found[0]
    for other in found[1:]:
        states = np.maximum(states, other)
    if len(found) > 1 and (states >= FIRST_ERROR).any():
        for other in reversed(found):
            states = np.where(other >= FIRST_ERROR, other, states)
    return states, needs_of(parts, states)


def lenient(parts: Sequence[Vector]) -> tuple[States | None, Needs | None]:
    """The state of logic that its known parts leave open: what waits may still decide it, so it comes before errors."""
    states, needs = strict(parts)
    if states is None or all(part.needs is None for part in parts):
        return states, needs
    for state in (PENDING, WAITING):
        for part in parts:
            if part.needs is not None and part.states is not None:
                states = np.where(part.states == state, np.int32(state), states)
    return states, needs_of(parts, states)


def needs_of(parts: Sequence[Vector], states: States) -> Needs | None:
    """The models that the pending rows wait for; None where no part waits."""
    asked = [part.needs for part in parts if part.needs is not None]
    if not asked:
        return None
    pending = states == PENDING
    merged: dict[str, Mask] = {}
    for needs in asked:
        for name, mask in needs.items():
            merged[name] = (mask | merged[name] if name in merged else mask) & pending
    return merged


def either(mask: Mask, first: Vector, second: Vector) -> Vector:
    """The first vector where the mask holds, else the second."""
    values = _either_values(mask, first.values, second.values)
    if first.states is None and second.states is None:
        return Vector(values)
    states = np.where(mask, _states(first), _states(second))
    needs: dict[str, Mask] | None = None
    if first.needs is not None or second.needs is not None:
        needs = {name: found & mask for name, found in (first.needs or {}).items()}
        for name, found in (second.needs or {}).items():
            needs[name] = needs.get(name, np.False_) | (found & ~mask)
    return with_states(values, states, needs)


def spread(values: Values, rows: int) -> Values:
    """The values as arrays of n rows."""
    if isinstance(values, dict):
        return {part: spread(inner, rows) for part, inner in values.items()}
    return values if len(values) == rows else np.broadcast_to(values, (rows,))


def _states(vector: Vector) -> Any:
    return np.int32(KNOWN) if vector.states is None else vector.states


def _either_values(mask: Mask, first: Values, second: Values) -> Values:
    if isinstance(first, dict):
        return {part: _either_values(mask, first[part], second[part]) for part in first}
    return np.where(mask, first, second)
