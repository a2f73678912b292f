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
class Candidates:
    """Conditions that are true of the row explained.

    columns: for each the places of the columns that it reads
    holds: given rows `(n, d)`, each value as a code, and places of candidates, which rows satisfy them, `(places, n)`
    """

    columns: Sequence[tuple[int, ...]]
    holds: Callable[[Codes, Sequence[int]], Masks]


def masks_of(candidates: Candidates, rows: Codes) -> Masks:
    """Which rows satisfy each candidate, shape `(c, n)`."""
    return candidates.holds(rows, range(len(candidates.columns)))


def with_conditions(rows: Codes, row: Codes, candidates: Candidates, sets: Sequence[Conditions]) -> Codes:
    """Rows that satisfy their conditions: where one fails, its columns take the values of the row explained.

    The rows `(s * n, d)` are n for each of the s sets of conditions, in their order. A row that satisfies its
    conditions stays as it is, so that numbers keep their spread within a condition, as in the paper. Conditions are
    tried again on the rows that changed, as they may share columns; with all columns as in the row explained, all hold.
    All are asked about the rows of all sets at once, as they may ask a model.
    """
    changed, each = rows.copy(), len(rows) // max(1, len(sets))
    places = sorted({place for conditions in sets for place in conditions})
    if not places:
        return changed
    asked = np.repeat([[place in conditions for conditions in sets] for place in places], each, axis=1)
    tried = np.arange(len(rows))
    for _ in range(sum(len(candidates.columns[place]) for place in places) + 1):
        failing = asked[:, tried] & ~candidates.holds(changed[tried], places)
        for place, fails in zip(places, failing, strict=True):
            for column in candidates.columns[place]:
                changed[tried[fails], column] = row[column]
        tried = tried[failing.any(axis=0)]
        if not len(tried):
            return changed
    raise ValueError("a candidate condition is not true of the row explained")


def enumeration(background: Codes, row: Codes, candidates: Candidates, decided: Decided) -> Under:
    """Every background row `(n, d)` under each set of conditions, decided: for `enumerated_anchor`."""

    def under(sets: Sequence[Conditions]) -> list[Masks]:
        return _together(sets, lambda _: background, len(background), row, candidates, decided)

    return under


def drawing(background: Codes, row: Codes, candidates: Candidates, decided: Decided) -> Draw:
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
    candidates: Candidates,
    decided: Decided,
) -> list[Masks]:
    """Whether the rows of each set, under its conditions, are decided alike; as many sets at a time as fit."""
    at_once, found = max(1, MOST_ROWS // max(1, rows)), []
    for start in range(0, len(sets), at_once):
        part = sets[start : start + at_once]
        given = np.concatenate([rows_of(start + number) for number in range(len(part))])
        changed = with_conditions(given, row, candidates, part)
        found += np.split(once(changed, decided), range(rows, len(changed), max(1, rows)))
    return found


def once(rows: Codes, ask: Callable[[Codes], Masks]) -> Masks:
    """What is said of rows, `(n,)` or `(n, k)`, each different one asked about once."""
    keys = np.ascontiguousarray(rows.astype(np.min_scalar_type(int(rows.max(initial=0)))))
    _, first, place = np.unique(keys.view(f"V{keys.itemsize * keys.shape[1]}"), return_index=True, return_inverse=True)
    return np.asarray(ask(rows[first]), dtype=np.bool_)[place.ravel()]
