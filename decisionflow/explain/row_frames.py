"""Features as a frame that can be perturbed, and a perturbed frame as features again."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from decisionflow.conditions.values import is_known
from decisionflow.explain.neighbourhood import Kind, Labelled, Numeric
from decisionflow.program.declarations import Feature
from decisionflow.program.program import Program
from decisionflow.tables.scalars import storage, to_stored
from decisionflow.tables.table import ERROR_STATE, INVALID_STATE, KNOWN, MISSING_STATE, Column, Table
from decisionflow.types import BOOLEAN, DATE, INTEGER, NUMBER, TIMESTAMP, Vocabulary

COUNTED = (INTEGER, DATE, TIMESTAMP)


@dataclass(frozen=True, slots=True)
class RowFrames:
    """The frames of some features.

    Numbers are float64; integers, dates (days since 1970-01-01) and timestamps (microseconds since then) are whole
    numbers, nullable where one is missing; labels, truth values and texts are objects. Missing is NaN, NA or None.
    """

    features: Mapping[str, Feature]

    def frame(self, columns: Mapping[str, Column]) -> pd.DataFrame:
        """The frame (n, d) of stored columns; an invalid value has no place in it and is missing."""
        return pd.DataFrame({name: _series(columns[name], feature) for name, feature in self.features.items()})

    def row(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """One row's values as the frame has them."""
        return {name: cell_of(values[name], feature) for name, feature in self.features.items()}

    def table(self, frame: pd.DataFrame) -> Table:
        """The table of a frame (n, d); a value that is missing where it may not be is invalid (law 2)."""
        return Table(len(frame), {name: _column(frame[name], feature) for name, feature in self.features.items()})

    def kinds(self) -> dict[str, Kind]:
        """How each feature may be perturbed: numbers within their closed domain, whole where they are counted."""
        return {name: _kind(feature) for name, feature in self.features.items()}


def row_frames(program: Program, names: Sequence[str]) -> RowFrames:
    """The frames of the named features."""
    return RowFrames({name: program.features[name] for name in names})


def sound_rows(frames: RowFrames, columns: Mapping[str, Column]) -> pd.DataFrame:
    """The frame of the rows in which no feature is invalid, numbered from 0."""
    invalid = np.any([columns[name].state() >= ERROR_STATE for name in frames.features], axis=0)
    rows = np.flatnonzero(~invalid)
    return frames.frame({name: columns[name].take(rows) for name in frames.features})


def is_numeric(feature: Feature) -> bool:
    """Whether a feature has an order and a distance."""
    return feature.type == NUMBER or feature.type in COUNTED


def cell_of(value: Any, feature: Feature) -> Any:
    """A value as the feature's frame has it; None where it is missing or invalid."""
    if not is_known(value):
        return None
    return to_stored(value, feature.type) if is_numeric(feature) else value


def closed_limits(feature: Feature, values: NDArray[np.float64]) -> tuple[float, float]:
    """The closed ends of a feature's domain, those of the values (n,) where it declares none."""
    kind = _kind(feature)
    low, high = (kind.low, kind.high) if isinstance(kind, Numeric) else (-math.inf, math.inf)
    known = values[~np.isnan(values)]
    return (
        low if math.isfinite(low) else float(known.min(initial=math.inf)),
        high if math.isfinite(high) else float(known.max(initial=-math.inf)),
    )


def _kind(feature: Feature) -> Kind:
    if not is_numeric(feature):
        return Labelled()
    whole = feature.type in COUNTED
    if feature.domain is None:
        return Numeric(whole=whole)
    low = _end(feature, feature.domain.low, feature.domain.low_closed, math.inf)
    high = _end(feature, feature.domain.high, feature.domain.high_closed, -math.inf)
    return Numeric(-math.inf if low is None else low, math.inf if high is None else high, whole)


def _end(feature: Feature, end: Any, closed: bool, inward: float) -> float | None:
    """An end of the domain that lies in it: an excluded one is left by the smallest step inward."""
    if end is None:
        return None
    number = float(to_stored(end, feature.type))
    if closed:
        return number
    return number + math.copysign(1, inward) if feature.type in COUNTED else math.nextafter(number, inward)


def _series(column: Column, feature: Feature) -> pd.Series:
    unknown = column.state() != KNOWN
    if is_numeric(feature):
        if feature.type in COUNTED:
            whole = pd.Series(column.values.astype(np.int64))
            return whole.astype("Int64").mask(unknown) if unknown.any() else whole
        return pd.Series(np.where(unknown, np.nan, column.values.astype(np.float64)))
    values = column.values
    if isinstance(feature.type, Vocabulary):
        values = np.array(feature.type.labels, np.object_)[values]
    objects = values.astype(np.object_)
    objects[unknown] = None
    return pd.Series(objects, dtype=object)


def _column(series: pd.Series, feature: Feature) -> Column:
    missing = series.isna().to_numpy(dtype=np.bool_)
    lacking = MISSING_STATE if feature.optional else INVALID_STATE
    states = np.where(missing, lacking, KNOWN).astype(np.uint8) if missing.any() else None
    if isinstance(feature.type, Vocabulary):
        codes = pd.Categorical(series, categories=list(feature.type.labels)).codes
        return Column(np.where(missing, 0, codes).astype(np.int32), states)
    if is_numeric(feature):
        numbers: Any = series.fillna(0) if missing.any() else series
        return Column(numbers.to_numpy(dtype=storage(feature.type)), states)
    filler = False if feature.type == BOOLEAN else ""
    objects = np.where(missing, filler, series.to_numpy(dtype=object))
    return Column(objects.astype(storage(feature.type)), states)
