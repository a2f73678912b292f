"""Background rows changed so that conditions of the row explained hold: what an anchor's precision is about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from decisionflow.explain.anchor_precision import Conditions, Draw, Masks, Under

Codes = NDArray[np.intp]
Decided = Callable[[Codes], Masks]
"""Whether each row is decided like the row explained; an undecided or invalid one is not."""

MOST_ROWS = 20_000
"""Rows decided at a time: enough that the cost of a call does not matter, few enough to hold in memory."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A condition that is true of the row explained: the places of the columns it reads, and the rows that satisfy it.

    Rows are `(n, d)`, each value as a code.
    """

    columns: tuple[int, ...]
    holds: Callable[[Codes], Masks]


def masks_of(candidates: Sequence[Candidate], rows: Codes) -> Masks:
    """Which rows satisfy each candidate, shape `(c, n)`."""
    return np.array([candidate.holds(rows) for candidate in candidates], dtype=np.bool_).reshape(-1, len(rows))


def with_conditions(rows: Codes, row: Codes, candidates: Sequence[Candidate], conditions: Conditions) -> Codes:
    """Rows `(n, d)` that satisfy the conditions: where one fails, its columns take the values of the row explained.

    A row that satisfies them stays as it is, so that numbers keep their spread within a condition, as in the paper.
    Conditions are tried again as long as any fails, as they may share columns; with all columns as in the row
    explained, all hold.
    """
    changed = rows.copy()
    for _ in range(sum(len(candidates[place].columns) for place in conditions) + 1):
        failing = [(place, ~candidates[place].holds(changed)) for place in conditions]
        failing = [(place, rows_failing) for place, rows_failing in failing if rows_failing.any()]
        if not failing:
            return changed
        for place, rows_failing in failing:
            for column in candidates[place].columns:
                changed[rows_failing, column] = row[column]
    raise ValueError("a candidate condition is not true of the row explained")


def enumeration(background: Codes, row: Codes, candidates: Sequence[Candidate], decided: Decided) -> Under:
    """Every background row `(n, d)` under each set of conditions, decided: for `enumerated_anchor`."""

    def under(sets: Sequence[Conditions]) -> list[Masks]:
        return _together(sets, lambda _: background, len(background), row, candidates, decided)

    return under


def drawing(background: Codes, row: Codes, candidates: Sequence[Candidate], decided: Decided) -> Draw:
    """Background rows drawn with replacement, under the conditions, decided: for `sampled_anchor`."""

    def draw(sets: Sequence[Conditions], count: int, rng: np.random.Generator) -> list[Masks]:
        places = rng.integers(0, len(background), (len(sets), count))
        return _together(sets, lambda number: background[places[number]], count, row, candidates, decided)

    return draw


def _together(
    sets: Sequence[Conditions],
    rows_of: Callable[[int], Codes],
    rows: int,
    row: Codes,
    candidates: Sequence[Candidate],
    decided: Decided,
) -> list[Masks]:
    """Whether the rows of each set, under its conditions, are decided alike; as many sets at a time as fit."""
    at_once, found = max(1, MOST_ROWS // max(1, rows)), []
    for start in range(0, len(sets), at_once):
        part = enumerate(sets[start : start + at_once], start)
        changed = np.concatenate([with_conditions(rows_of(place), row, candidates, one) for place, one in part])
        found += np.split(_decided_once(changed, decided), range(rows, len(changed), max(1, rows)))
    return found


def _decided_once(rows: Codes, decided: Decided) -> Masks:
    """Whether rows are decided alike, each different one asked for once."""
    keys = np.ascontiguousarray(rows.astype(np.min_scalar_type(int(rows.max(initial=0)))))
    _, first, place = np.unique(keys.view(f"V{keys.itemsize * keys.shape[1]}"), return_index=True, return_inverse=True)
    return np.asarray(decided(rows[first]), dtype=np.bool_)[place.ravel()]
