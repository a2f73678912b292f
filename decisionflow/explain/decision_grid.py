"""The decision over a grid of two features' values, everything else as it is at the row."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from decisionflow.conditions.expression import Variable
from decisionflow.conditions.values import is_known
from decisionflow.diagnostics import did_you_mean
from decisionflow.errors import DataError, UnknownNameError
from decisionflow.evaluate.evaluator import evaluate
from decisionflow.evaluate.interpreter import Row
from decisionflow.explain.explanation import Explanation
from decisionflow.explain.smace import Smace
from decisionflow.program.declarations import Feature
from decisionflow.tables.scalars import from_scalars, storage, to_stored
from decisionflow.tables.table import Column, Table
from decisionflow.types import BOOLEAN, DATE, INTEGER, NUMBER, TIMESTAMP, Vocabulary

COUNTED = (INTEGER, DATE, TIMESTAMP)
POINTS = 160
"""Places along an axis: as many as a picture shows apart."""


@dataclass(frozen=True, slots=True)
class GridAxis:
    """A feature's places `(k,)` as they are stored, labels as their positions; `labels` names those, if it has any.

    `unit` is D or us where places count days or microseconds since 1970.
    """

    feature: str
    places: NDArray[np.float64]
    labels: tuple[str, ...]
    here: float
    unit: Literal["D", "us"] | None = None


@dataclass(frozen=True, slots=True)
class DecisionGrid:
    """`answers` (rows of y, columns of x) holds positions in `outcomes`; what is not decided counts by its status."""

    x: GridAxis
    y: GridAxis
    outcomes: tuple[str, ...]
    answers: NDArray[np.intp]


def decision_grid(
    smace: Smace, row: Row, explanation: Explanation, features: Sequence[str] | None = None
) -> DecisionGrid:
    """The grid of two features, those with the largest contributions where none are named.

    An axis spans the background's values and the row's, within the domain; without a background, the domain. Raises
    UnknownNameError for a feature that the decision does not read, DataError for one without places or a sensitive one.
    """
    names = features if features is not None else _largest(smace, row, explanation)
    if len(names) != 2 or names[0] == names[1]:
        raise DataError(f"a map has two features, and these are {len(set(names))}: {', '.join(names) or 'none'}")
    x, y = (_axis(smace, row, _feature(smace, explanation.decision, name)) for name in names)
    wide, high = np.meshgrid(x.places, y.places)
    count = wide.size
    program = smace.program
    columns = {}
    for name in program.features_of([explanation.decision]):
        kind = program.features[name].type
        if name in names:
            places = (wide if name == x.feature else high).ravel()
            columns[name] = Column(places.astype(storage(kind)))
        else:
            columns[name] = from_scalars([row.values[name]] * count, kind)
    models = {} if smace.background is None else smace.background.models
    found = evaluate(program, models, Table(count, columns), row.settings, (explanation.decision,))[
        explanation.decision
    ]
    texts = [
        str(value) if status == "decided" else str(status)
        for value, status in zip(found.value, found.status, strict=True)
    ]
    outcomes, answers = np.unique(texts, return_inverse=True)
    return DecisionGrid(x, y, tuple(map(str, outcomes)), answers.reshape(wide.shape))


def _largest(smace: Smace, row: Row, explanation: Explanation) -> list[str]:
    """Those that can be an axis, by contribution, then by order of declaration."""
    ranked = [part.feature for part in explanation.largest_first() if part.total]
    behind = smace.program.features_of([explanation.decision])
    names = dict.fromkeys([*ranked, *behind])
    return [name for name in names if _can_be_axis(smace, row, smace.program.features[name])][:2]


def _can_be_axis(smace: Smace, row: Row, feature: Feature) -> bool:
    has_labels = isinstance(feature.type, Vocabulary) or feature.type == BOOLEAN
    if feature.sensitive or not is_known(row.values[feature.name]):
        return False
    return has_labels or (feature.type in (NUMBER, *COUNTED) and _span(smace, row, feature) is not None)


def _feature(smace: Smace, decision: str, name: str) -> Feature:
    behind = smace.program.features_of([decision])
    if name not in behind:
        hint = did_you_mean(name, behind)
        raise UnknownNameError(f"`{decision}` reads no feature `{name}`" + (f"; {hint}" if hint else ""))
    return smace.program.features[name]


def _axis(smace: Smace, row: Row, feature: Feature) -> GridAxis:
    kind, value = feature.type, row.values[feature.name]
    if not _can_be_axis(smace, row, feature):
        why = "it is sensitive" if feature.sensitive else "it has no value, no range, or no places along an axis"
        raise DataError(f"`{feature.name}` cannot be an axis of a map: {why}")
    if isinstance(kind, Vocabulary):
        return GridAxis(feature.name, np.arange(len(kind.labels), dtype=float), kind.labels, kind.labels.index(value))
    if kind == BOOLEAN:
        return GridAxis(feature.name, np.array([0.0, 1.0]), ("false", "true"), float(value))
    low, high = _span(smace, row, feature) or (0.0, 1.0)
    places = np.linspace(low, high, POINTS)
    if kind in COUNTED:
        places = np.unique(np.round(places))
    unit: Literal["D", "us"] | None = "D" if kind == DATE else "us" if kind == TIMESTAMP else None
    return GridAxis(feature.name, places, (), float(to_stored(value, kind)), unit)


def _span(smace: Smace, row: Row, feature: Feature) -> tuple[float, float] | None:
    """From the least to the greatest of the background's values and the row's, a little wider, within the domain."""
    here = float(to_stored(row.values[feature.name], feature.type))
    low, high = _domain(feature)
    if smace.background is None:
        return (low, high) if math.isfinite(low) and math.isfinite(high) else None
    column = smace.background.column(Variable(feature.name, feature.type))
    known = column.values[column.state() == 0].astype(float)
    least, most = min(here, *known.tolist()), max(here, *known.tolist())
    room = 0.05 * ((most - least) or abs(here) or 1.0)
    return max(low, least - room), min(high, most + room)


def _domain(feature: Feature) -> tuple[float, float]:
    """The ends of the domain; an excluded one is left by a hair."""
    domain = feature.domain
    low, high = -math.inf, math.inf
    if domain is not None and domain.low is not None:
        low = float(to_stored(domain.low, feature.type))
        low = low if domain.low_closed else math.nextafter(low, math.inf)
    if domain is not None and domain.high is not None:
        high = float(to_stored(domain.high, feature.type))
        high = high if domain.high_closed else math.nextafter(high, -math.inf)
    return low, high


def cell_edges(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """The edges (k + 1,) of cells around places (k,): half way between neighbours."""
    if len(places) == 1:
        return np.array([places[0] - 0.5, places[0] + 0.5])
    middles = [(low + high) / 2 for low, high in pairwise(places)]
    return np.array([2 * places[0] - middles[0], *middles, 2 * places[-1] - middles[-1]])
