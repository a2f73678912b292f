"""A model asked about rows around the one explained, to show what it is made of: nothing is taken from its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from decisionflow.conditions.linear import as_number
from decisionflow.conditions.values import Value, is_known
from decisionflow.evaluate.bound_model import BoundModel
from decisionflow.explain.nearest_change.curves import scalar
from decisionflow.program.declarations import Domain
from decisionflow.tables.frame import model_frame
from decisionflow.tables.scalars import from_scalars
from decisionflow.types import Boolean, Integer, Number, Type, Vocabulary

MIXED_ROWS = 24


@dataclass(frozen=True)
class Probe:
    """Rows for a model: first the row's own, then each column changed alone (in the rows of `alone`), then mixtures."""

    frame: pd.DataFrame
    values: Mapping[str, Sequence[Value]]
    alone: Mapping[str, range]

    def at(self, column: str) -> list[int]:
        """The rows in which at most this column differs from the first."""
        return [0, *self.alone[column]]

    def numbers(self, column: str) -> NDArray[np.float64]:
        """The numbers of a column in those rows."""
        return np.array([as_number(self.values[column][row]) for row in self.at(column)])


def probe_of(bound: BoundModel, inputs: Mapping[str, Value], domains: Mapping[str, Domain | None]) -> Probe:
    """Rows around the inputs of a model; a missing input stays missing."""
    choices = {column: _choices(value, bound.kinds[column], domains.get(column)) for column, value in inputs.items()}
    rows, alone = [dict(inputs)], {}
    for column, others in choices.items():
        alone[column] = range(len(rows), len(rows) + len(others))
        rows += [{**inputs, column: other} for other in others]
    rng = np.random.default_rng(0)
    for _ in range(MIXED_ROWS):
        picked = {column: others[rng.integers(len(others))] for column, others in choices.items() if others}
        rows.append({**inputs, **picked})
    values = {column: [row[column] for row in rows] for column in inputs}
    columns = {column: from_scalars(list(given), bound.kinds[column]) for column, given in values.items()}
    return Probe(model_frame(columns, bound.kinds), values, alone)


def _choices(value: Value, kind: Type, domain: Domain | None) -> list[Value]:
    """Other values of a column: all labels, or numbers below and above, within the domain."""
    if not is_known(value):
        return []
    if isinstance(kind, Vocabulary):
        return [label for label in kind.labels if label != value]
    if isinstance(kind, Boolean):
        return [not value]
    if not isinstance(kind, Number | Integer):
        return []
    here = float(value)
    reach = max(1.0, abs(here))
    low = here - 2 * reach if domain is None or domain.low is None else as_number(domain.low)
    high = here + 2 * reach if domain is None or domain.high is None else as_number(domain.high)
    places = [low + share * (high - low) for share in (0.02, 0.21, 0.43, 0.68, 0.97)]
    found = [scalar(round(place) if isinstance(kind, Integer) else place, kind) for place in places]
    return [each for each in dict.fromkeys(found) if each != value]
