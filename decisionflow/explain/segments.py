"""Rows in groups by the values of one feature."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from decisionflow.errors import DataError
from decisionflow.program.program import Program
from decisionflow.tables.masking import plain_text
from decisionflow.tables.scalars import to_scalar
from decisionflow.tables.table import KNOWN, Column, Table
from decisionflow.types import Type

FEW = 12
"""Values up to which each is a group of its own."""

QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True, slots=True)
class Segments:
    """The group of each row `(n,)`, as a position in `labels`."""

    labels: tuple[str, ...]
    of: NDArray[np.intp]

    @classmethod
    def by(cls, program: Program, table: Table, name: str) -> Segments:
        """Groups by a feature: its values where they are few, else its quarters; rows without a value last.

        Raises DataError for a sensitive feature or one of many texts.
        """
        feature, column = program.features[name], table.columns[name]
        if feature.sensitive:
            raise DataError(f"`{name}` is sensitive: rows are not shown in groups by it")
        known = column.state() == KNOWN
        labels, of = _groups(name, feature.type, column, known)
        if not known.all():
            return cls((*labels, "no value"), np.where(known, of, len(labels)))
        return cls(labels, of)


def _groups(
    name: str, kind: Type, column: Column, known: NDArray[np.bool_]
) -> tuple[tuple[str, ...], NDArray[np.intp]]:
    of = np.zeros(len(column), np.intp)
    values, places = np.unique(column.values[known], return_inverse=True)
    if len(values) <= FEW:
        of[known] = places
        return tuple(plain_text(to_scalar(value, kind)) for value in values), of
    if column.values.dtype == object:
        raise DataError(f"`{name}` has {len(values)} different texts here, and groups are up to {FEW}")
    ends = np.unique(np.quantile(column.values[known], QUARTERS, method="lower"))
    of[known] = np.clip(np.searchsorted(ends, column.values[known], side="right") - 1, 0, len(ends) - 2)
    texts = [plain_text(to_scalar(end, kind)) for end in ends]
    last = len(texts) - 2
    closing = [")"] * last + ["]"]
    labels = (f"[{low} .. {high}{sign}" for (low, high), sign in zip(pairwise(texts), closing, strict=True))
    return tuple(labels), of
