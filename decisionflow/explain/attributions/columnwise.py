"""Column-wise preprocessing compiled to arrays: for one row, the checks of scikit-learn cost far more than the sums."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from decisionflow.explain.attributions.scaling import scaling_of
from decisionflow.models.pipelines import column_groups, is_passthrough, steps

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Numbers:
    """Output columns that are one source column each, missing values filled, times `slope` plus `shift`."""

    reads: tuple[int, ...]
    fill: Matrix
    slope: Matrix
    shift: Matrix

    def read(self, table: pd.DataFrame) -> Matrix | None:
        """What the table's columns become: (n, m); None where one holds no numbers."""
        columns = [table.iloc[:, place].to_numpy() for place in self.reads]
        if any(column.dtype.kind not in "biuf" for column in columns):
            return None
        values = np.column_stack(columns).astype(np.float64)
        return np.where(np.isnan(values), self.fill, values) * self.slope + self.shift


@dataclass(frozen=True, slots=True)
class Lookup:
    """Output columns that a source column's label stands for: row `places[label]` of `rows` (k, m)."""

    source: int
    places: Mapping[Any, int]
    rows: Matrix

    def read(self, table: pd.DataFrame) -> Matrix | None:
        """What the table's column becomes: (n, m); None where a label is not known."""
        found = [self.places.get(each) for each in table.iloc[:, self.source].tolist()]
        return None if None in found else self.rows[np.array(found, dtype=np.intp)]


@dataclass(frozen=True, slots=True)
class Columnwise:
    """A whole preprocessing as parts side by side, then scaled."""

    parts: tuple[Numbers | Lookup, ...]
    slope: Matrix
    shift: Matrix

    def matrix(self, table: pd.DataFrame) -> Matrix | None:
        """What the last step reads (n, m); None for rows that only the real steps can tell about."""
        found = [part.read(table) for part in self.parts]
        known = [each for each in found if each is not None]
        return np.hstack(known) * self.slope + self.shift if len(known) == len(found) else None


def columnwise_of(transformers: Sequence[Any]) -> Columnwise | None:
    """Scalers, imputers of numbers and one-hot encoders under a ColumnTransformer, scalers after it; else None."""
    from sklearn.compose import ColumnTransformer

    if not transformers or not isinstance(transformers[0], ColumnTransformer):
        return None
    parts: list[Numbers | Lookup] = []
    for part, places in column_groups(transformers[0]):
        if (isinstance(part, str) and part == "drop") or not places:
            continue
        made = _parts(part, places)
        if made is None:
            return None
        parts += made
    width = sum(part.rows.shape[1] if isinstance(part, Lookup) else len(part.reads) for part in parts)
    scaling = scaling_of(transformers[1:], width)
    return None if scaling is None or not parts else Columnwise(tuple(parts), *scaling)


def _parts(part: Any, places: list[int]) -> Sequence[Numbers | Lookup] | None:
    from sklearn.preprocessing import OneHotEncoder

    laid = [] if is_passthrough(part) else steps(part)
    if len(laid) == 1 and isinstance(laid[0], OneHotEncoder):
        return _lookups(laid[0], places)
    numbers = _numbers(laid, places)
    return None if numbers is None else [numbers]


def _numbers(laid: list[Any], places: list[int]) -> Numbers | None:
    from sklearn.impute import SimpleImputer

    fill = np.full(len(places), np.nan)
    if laid and isinstance(laid[0], SimpleImputer):
        imputer, *laid = laid
        filled = np.asarray(imputer.statistics_)
        if imputer.add_indicator or filled.dtype.kind not in "iuf" or np.isnan(filled).any():
            return None
        if not (isinstance(imputer.missing_values, float) and np.isnan(imputer.missing_values)):
            return None
        fill = filled.astype(np.float64)
    scaling = scaling_of(laid, len(places))
    return None if scaling is None else Numbers(tuple(places), fill, *scaling)


def _lookups(encoder: Any, places: list[int]) -> list[Lookup]:
    """One lookup a column: the encoder is asked about each category once, the other columns held at their first."""
    first = [categories[0] for categories in encoder.categories_]
    ends = np.cumsum(encoder._n_features_outs)
    found = []
    for at, (place, categories) in enumerate(zip(places, encoder.categories_, strict=True)):
        asked = [[*first[:at], category, *first[at + 1 :]] for category in categories]
        table = pd.DataFrame(asked, columns=getattr(encoder, "feature_names_in_", None), dtype=object)
        rows = encoder.transform(table if hasattr(encoder, "feature_names_in_") else table.to_numpy())
        rows = np.asarray(rows.toarray() if hasattr(rows, "toarray") else rows, dtype=np.float64)
        own = rows[:, ends[at] - encoder._n_features_outs[at] : ends[at]]
        found.append(Lookup(place, {category: row for row, category in enumerate(categories.tolist())}, own))
    return found
