"""The rows around the one explained: similar rows of the background, and rows made from them (LoRMIkA, 3.3 to 3.5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from decisionflow.errors import DataError

Floats = NDArray[np.float64]
Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Numeric:
    """A column of numbers between two closed ends, whole ones if so said."""

    low: float = -np.inf
    high: float = np.inf
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Labelled:
    """A column of labels, texts or booleans: equal or not, without a distance."""


Kind = Numeric | Labelled


@dataclass(frozen=True, slots=True)
class Surroundings:
    """How large a neighbourhood is.

    at_least: nearest rows taken from each class (the paper's L)
    at_most: rows kept of each class, drawn at random from those near enough (M)
    generated: rows made from them, half by crossover, half by mutation
    width: kernel width w = 0.75 sqrt(F) for F columns, or as the paper prints it, 0.75 F
    """

    at_least: int = 40
    at_most: int = 200
    generated: int = 2_000
    width: Literal["root", "paper"] = "root"


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Rows near the one explained, with its columns: those taken from the background, then those generated.

    rows: `(taken + generated, d)`, numbered from 0
    taken: `(taken,)`, the places of the background rows that were taken
    similarity: `(taken + generated,)`, between 0 and 1, to the row explained
    """

    rows: pd.DataFrame
    taken: Places
    similarity: Floats


@dataclass(frozen=True, slots=True)
class Scaling:
    """Columns as numbers with a distance: z-scores of numbers, one indicator for each label.

    Mean and deviation (divisor n) are those of the rows it was made from. A missing number stands at the mean, and a
    missing label is one more label; a number that never varies there is not scaled.
    """

    kinds: Mapping[str, Kind]
    centre: Mapping[str, float] = field(default_factory=dict)
    deviation: Mapping[str, float] = field(default_factory=dict)

    def squared_distances(self, rows: pd.DataFrame, to: Mapping[str, Any]) -> Floats:
        """Squared Euclidean distances `(n,)` of rows to one; two different labels are 2 apart, an indicator each."""
        total = np.zeros(len(rows))
        for name, kind in self.kinds.items():
            if isinstance(kind, Numeric):
                total += (self._scaled(name, _numbers(rows[name])) - self._scaled(name, _number(to[name]))) ** 2
            else:
                total += 2.0 * ~_same_label(rows[name], to[name])
        return total

    def _scaled(self, name: str, values: Floats) -> Floats:
        return np.where(np.isnan(values), 0.0, (values - self.centre[name]) / self.deviation[name])


def scaling(rows: pd.DataFrame, kinds: Mapping[str, Kind]) -> Scaling:
    """The scaling that a background `(n, d)` gives."""
    numbers = {name: _numbers(rows[name]) for name, kind in kinds.items() if isinstance(kind, Numeric)}
    present = {name: values[~np.isnan(values)] for name, values in numbers.items()}
    found = {name: _centre_and_spread(values) if len(values) else (0.0, 0.0) for name, values in present.items()}
    centre = {name: middle for name, (middle, _) in found.items()}
    return Scaling(kinds, centre, {name: deviation or 1.0 for name, (_, deviation) in found.items()})


def _centre_and_spread(values: Floats) -> tuple[float, float]:
    """Mean and standard deviation `(n,)`, in units of a power of two, which rounds nothing: squares stay in range."""
    _, exponent = np.frexp(np.abs(values).max())
    units = np.ldexp(values, -exponent)
    return float(np.ldexp(units.mean(), exponent)), float(np.ldexp(units.std(), exponent))


def similarity(squared_distances: Floats, columns: int, width: Literal["root", "paper"] = "root") -> Floats:
    """exp(-d^2 / (2 w^2)) (Equation 7); w = 0.75 sqrt(F), where the paper prints 0.75 F."""
    kernel_width = 0.75 * (np.sqrt(columns) if width == "root" else columns)
    result: Floats = np.exp(-squared_distances / (2 * kernel_width**2))
    return result


def near_rows(
    squared_distances: Floats, classes: ArrayLike, surroundings: Surroundings, rng: np.random.Generator
) -> Places:
    """The places of the background rows to take, in order (Algorithm 2).

    Of each class the `at_least` most similar rows are found; the least similar of all these is the cut, and every row
    at least as similar is near. Of a class with more than `at_most` near rows that many are drawn. Distances stand for
    similarities, which fall with them, so that no similarity of zero hides an order. A row whose class is missing is
    in no class and is not taken.
    """
    labels = pd.Series(classes).reset_index(drop=True)
    groups = [np.asarray(places, dtype=np.int64) for places in labels.groupby(labels, sort=False).indices.values()]
    if not groups:
        raise DataError("the neighbourhood needs background rows with a decision, and no row has one")
    cut = max(float(np.sort(squared_distances[places])[: surroundings.at_least].max()) for places in groups)
    taken = []
    for places in groups:
        near = places[squared_distances[places] <= cut]
        if len(near) > surroundings.at_most:
            near = rng.choice(near, surroundings.at_most, replace=False)
        taken.append(near)
    return np.sort(np.concatenate(taken))


def neighbourhood(
    background: pd.DataFrame,
    classes: ArrayLike,
    row: Mapping[str, Any],
    kinds: Mapping[str, Kind],
    surroundings: Surroundings = Surroundings(),
    seed: int = 0,
) -> Neighbourhood:
    """Similar rows of the background and rows generated from them (Algorithms 2 and 3).

    `background` is `(n, d)` with at least the columns of `kinds`; `classes` `(n,)` is what the policy or model says of
    each of its rows; `row` has a value for each column. The generated rows have no class yet: they are to be decided
    like any row. Raises DataError where fewer than three rows can be taken, as a mutation has three parents.
    """
    if len(pd.Series(classes)) != len(background):
        raise DataError(f"expected a decision for each of the {len(background)} background rows")
    rng = np.random.default_rng(seed)
    rows = _columns(background, kinds)
    scale = scaling(rows, kinds)
    distances = scale.squared_distances(rows, row)
    taken = near_rows(distances, classes, surroundings, rng)
    if len(taken) < 3:
        raise DataError(f"the neighbourhood needs three background rows with a decision, and has {len(taken)}")
    parents = rows.iloc[taken].reset_index(drop=True)
    made = generate(parents, distances[taken], kinds, surroundings.generated, rng)
    similar = [
        similarity(part, len(kinds), surroundings.width)
        for part in (distances[taken], scale.squared_distances(made, row))
    ]
    return Neighbourhood(pd.concat([parents, made], ignore_index=True), taken, np.concatenate(similar))


def generate(
    parents: pd.DataFrame, distances: Floats, kinds: Mapping[str, Kind], count: int, rng: np.random.Generator
) -> pd.DataFrame:
    """`count` rows made from parents `(p, d)`, half by crossover and half by mutation (Algorithm 3).

    Crossover is x + (y - x) a with a ~ U(0, 1) (Equation 8), mutation x + (y - z) mu with mu ~ U(0.5, 1) (Equation 9),
    one a or mu for a row, its parents different rows. Numbers are clipped to their domain, whole ones rounded to the
    nearest. Labels are those of the parent nearest to the row explained, by `distances` `(p,)`; so is a number that a
    parent lacks.
    """
    crossed = count // 2
    first, second, third = _three_places(len(parents), count, rng)
    crossing = np.arange(count) < crossed
    share = np.where(crossing, rng.uniform(0.0, 1.0, count), rng.uniform(0.5, 1.0, count))
    subtracted = np.where(crossing, first, third)
    nearest = _nearest(distances, first, second, subtracted)
    columns = {}
    for name, kind in kinds.items():
        column = parents[name]
        if isinstance(kind, Numeric):
            values = _numbers(column)
            made = values[first] + (values[second] - values[subtracted]) * share
            columns[name] = _typed(_permitted(np.where(np.isnan(made), values[nearest], made), kind), kind)
        else:
            columns[name] = column.iloc[nearest].reset_index(drop=True)
    return pd.DataFrame(columns)


def _columns(background: pd.DataFrame, kinds: Mapping[str, Kind]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            name: _typed(_numbers(background[name]), kind)
            if isinstance(kind, Numeric)
            else background[name].reset_index(drop=True)
            for name, kind in kinds.items()
        }
    )


def _three_places(size: int, count: int, rng: np.random.Generator) -> tuple[Places, Places, Places]:
    """Three different places for each of `count` rows, all triples equally likely."""
    first = rng.integers(0, size, count)
    second = (first + rng.integers(1, size, count)) % size
    low, high = np.minimum(first, second), np.maximum(first, second)
    third = rng.integers(0, size - 2, count)
    third += third >= low
    third += third >= high
    return first, second, third


def _nearest(distances: Floats, *places: Places) -> Places:
    """Of several parents of each row the nearest, the first on ties."""
    choices = np.stack(places)
    result: Places = np.take_along_axis(choices, distances[choices].argmin(axis=0)[np.newaxis], axis=0)[0]
    return result


def _permitted(values: Floats, kind: Numeric) -> Floats:
    """Whole where that is asked, then within the domain; the ends of a whole domain are whole."""
    if kind.whole:
        return np.clip(np.rint(values), np.ceil(kind.low), np.floor(kind.high))
    return np.clip(values, kind.low, kind.high)


def _typed(values: Floats, kind: Numeric) -> pd.Series:
    """Whole numbers as integers, nullable ones where one is missing."""
    missing = np.isnan(values)
    if kind.whole and bool((np.rint(values) == values)[~missing].all()):
        return pd.Series(values).astype("Int64" if missing.any() else "int64")
    return pd.Series(values)


def _numbers(column: pd.Series) -> Floats:
    return pd.to_numeric(column).to_numpy(dtype=np.float64, na_value=np.nan)


def _number(value: Any) -> Floats:
    return np.array(np.nan if pd.isna(value) else float(value))


def _same_label(column: pd.Series, label: Any) -> NDArray[np.bool_]:
    if pd.isna(label):
        return column.isna().to_numpy(dtype=np.bool_)
    return (column.notna() & (column == label).fillna(False)).to_numpy(dtype=np.bool_)
