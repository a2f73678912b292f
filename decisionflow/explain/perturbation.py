"""Background rows changed so that conditions of the row explained hold: what an anchor's precision is about."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from decisionflow.explain.anchor_precision import Conditions, Draw, Masks, Under

Decided = Callable[[pd.DataFrame], Masks]
"""Whether each row is decided like the row explained; an undecided or invalid one is not."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A condition that is true of the row explained: the columns it reads, and the rows of a frame that satisfy it."""

    columns: tuple[str, ...]
    holds: Callable[[pd.DataFrame], Masks]


def masks_of(candidates: Sequence[Candidate], rows: pd.DataFrame) -> Masks:
    """Which rows satisfy each candidate, shape `(c, n)`."""
    return np.array([candidate.holds(rows) for candidate in candidates], dtype=np.bool_).reshape(-1, len(rows))


def with_conditions(
    rows: pd.DataFrame, row: Mapping[str, Any], candidates: Sequence[Candidate], conditions: Conditions
) -> pd.DataFrame:
    """Rows that satisfy the conditions: where one fails, its columns take the values of the row explained.

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
                changed[column] = changed[column].where(~rows_failing, row[column])
    raise ValueError("a candidate condition is not true of the row explained")


def enumeration(
    background: pd.DataFrame, row: Mapping[str, Any], candidates: Sequence[Candidate], decided: Decided
) -> Under:
    """Every background row `(n, d)` under the conditions, decided: for `enumerated_anchor`."""
    return lambda conditions: decided(with_conditions(background, row, candidates, conditions))


def drawing(
    background: pd.DataFrame, row: Mapping[str, Any], candidates: Sequence[Candidate], decided: Decided
) -> Draw:
    """Background rows drawn with replacement, under the conditions, decided: for `sampled_anchor`."""

    def draw(conditions: Conditions, count: int, rng: np.random.Generator) -> Masks:
        drawn = background.iloc[rng.integers(0, len(background), count)].reset_index(drop=True)
        return decided(with_conditions(drawn, row, candidates, conditions))

    return draw
