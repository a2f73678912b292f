"""LIME through the lime package, for functions of tables with texts, vocabularies and integers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from decisionflow.explain.attributions.attribution import Function

SAMPLES = 5000
Domains = Mapping[str, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Surrogate:
    """LIME's local linear model: intercept, weight of each column's bin or value (d,), its value, its weighted R²."""

    base: float
    phi: NDArray[np.float64]
    value: float
    fidelity: float


@dataclass(frozen=True, slots=True)
class Coding:
    """A table as numbers: texts, truth values and vocabularies as codes of the values seen, numbers as they are.

    Decoded, an integer column is rounded to whole numbers and every number lies within its domain, or within the range
    seen where none is declared. Where the row misses a value, the column is one of labels, missing being one of them.
    """

    columns: tuple[str, ...]
    levels: Mapping[str, Any]
    dtypes: Mapping[str, Any]
    limits: Mapping[str, tuple[float, float]]

    def encode(self, table: pd.DataFrame) -> NDArray[np.float64]:
        """Codes and numbers (n, d)."""
        return np.column_stack([self._encoded(table[column], column) for column in self.columns])

    def decode(self, matrix: NDArray[np.float64]) -> pd.DataFrame:
        """The table of a matrix (n, d), with the columns' own types."""
        return pd.DataFrame({name: self._decoded(matrix[:, place], name) for place, name in enumerate(self.columns)})

    def _encoded(self, series: pd.Series[Any], column: str) -> NDArray[np.float64]:
        if column not in self.levels:
            return np.asarray(series.to_numpy(dtype=np.float64, na_value=np.nan))
        known = self.levels[column].dropna()
        codes = np.asarray(pd.Categorical(series, categories=known).codes, dtype=np.float64)
        return np.where(codes < 0, len(known), codes)

    def _decoded(self, values: NDArray[np.float64], column: str) -> Any:
        if column in self.levels:
            return self.levels[column].array.take(np.clip(np.rint(values), 0, None).astype(np.intp))
        inside = np.clip(values, *self.limits[column])
        whole = pd.api.types.is_integer_dtype(self.dtypes[column])
        return pd.array(np.rint(inside).astype(np.int64) if whole else inside, dtype=self.dtypes[column])


def coding_of(row: pd.DataFrame, background: pd.DataFrame, domains: Domains | None = None) -> Coding:
    """The coding of the row's columns over the values of row and background."""
    columns = tuple(str(column) for column in row.columns)
    both = {column: pd.concat([row[column], background[column]], ignore_index=True) for column in columns}
    labelled = [column for column in columns if not _is_number(both[column]) or _lacking(row, background, column)]
    limits = {
        column: (domains or {}).get(column, (float(both[column].min()), float(both[column].max())))
        for column in columns
        if column not in labelled
    }
    levels = {column: _levels(both[column]) for column in labelled}
    return Coding(columns, levels, {column: both[column].dtype for column in columns}, limits)


def lime_surrogate(
    function: Function,
    row: pd.DataFrame,
    background: pd.DataFrame,
    seed: int,
    domains: Domains | None = None,
    samples: int = SAMPLES,
) -> Surrogate:
    """LIME at the row (1, d), perturbed after the background (n, d): labels as often as seen, numbers by quartile bins.

    A weight tells how much the surrogate gains by being in the row's bin, or having its label; base plus the sum of phi
    is the surrogate's value, not the function's. Missing is a label like any other in columns of labels, and in those
    where the row misses a number; background rows that miss another number are left out.
    """
    from lime.lime_tabular import LimeTabularExplainer

    coding = coding_of(row, background, domains)
    numbers = [column for column in coding.columns if column not in coding.levels]
    complete = background[list(coding.columns)].dropna(subset=numbers)
    if complete.empty:
        raise ValueError("no background row has a number in every column in which the row has one")
    training = coding.encode(complete)
    labelled = [place for place, column in enumerate(coding.columns) if column in coding.levels]
    explainer = LimeTabularExplainer(
        training,
        mode="regression",
        feature_names=list(coding.columns),
        categorical_features=labelled,
        categorical_names={place: [str(each) for each in coding.levels[coding.columns[place]]] for place in labelled},
        discretize_continuous=True,
        random_state=np.random.RandomState(seed),
    )
    found = explainer.explain_instance(
        coding.encode(row)[0],
        lambda matrix: function(coding.decode(matrix)),
        num_features=len(coding.columns),
        num_samples=samples,
    )
    phi = np.zeros(len(coding.columns))
    for place, weight in found.local_exp[1]:
        phi[place] = weight
    base = float(found.intercept[1])
    return Surrogate(base, phi, float(np.ravel(found.local_pred)[0]), float(found.score))


def _lacking(row: pd.DataFrame, background: pd.DataFrame, column: str) -> bool:
    """Whether a column of numbers has none to perturb: at the row, or in the whole background."""
    return bool(row[column].isna().any() or background[column].isna().all())


def _levels(series: pd.Series[Any]) -> pd.Series[Any]:
    """The distinct values, a missing one last."""
    known = series.dropna().drop_duplicates()
    return pd.concat([known, series[series.isna()].head(1)], ignore_index=True)


def _is_number(series: pd.Series[Any]) -> bool:
    return pd.api.types.is_numeric_dtype(series.dtype) and not pd.api.types.is_bool_dtype(series.dtype)
