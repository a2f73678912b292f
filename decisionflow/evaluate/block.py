"""Some rows while they are decided: what has been computed of them, and which models they ask for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from decisionflow.evaluate.draws import canonical, drawn
from decisionflow.evaluate.failures import INVALID_FEATURE, Failures
from decisionflow.evaluate.rule_sets import RuleSets
from decisionflow.evaluate.settings import Settings
from decisionflow.evaluate.vector import Mask, Needs, Vector
from decisionflow.program.program import Program
from decisionflow.tables.scalars import scalar_at
from decisionflow.tables.table import ERROR_STATE, Column


@dataclass(slots=True)
class Block:
    """n rows: their features as columns, the values computed so far, the invalid features, the models asked for.

    `memo` holds the answers of expressions that are used more than once.
    """

    program: Program
    settings: Settings
    failures: Failures
    rule_sets: Mapping[str, RuleSets]
    features: Mapping[str, Column]
    rows: int
    memo: list[Vector | None]
    variables: dict[str, Vector] = field(default_factory=dict)
    invalid: dict[str, Mask] = field(default_factory=dict)
    requests: dict[str, Mask] = field(default_factory=dict)

    def ask(self, needs: Needs, rows: Mask) -> None:
        """These rows need the models that they wait for."""
        for name, mask in needs.items():
            self.requests[name] = self.requests.get(name, np.False_) | (mask & rows)

    def read_features(self) -> None:
        """Turn the feature columns into vectors, and note which rows have an invalid one."""
        for name, column in self.features.items():
            self.variables[name] = _as_vector(column)
            if column.states is not None and (column.states >= ERROR_STATE).any():
                self.invalid[name] = column.states >= ERROR_STATE

    def sound(self, features: tuple[str, ...]) -> Mask:
        """The rows in which none of the features is invalid."""
        sound: Mask = np.ones(self.rows, np.bool_)
        for name in features:
            if name in self.invalid:
                sound &= ~self.invalid[name]
        return sound

    def draws(self, decision: str, rows: NDArray[np.intp]) -> NDArray[np.float64]:
        """The draw of each of some rows, from the features that the decision depends on."""
        names = self.program.features_of([decision])
        columns = [(name, self.features[name], self.program.features[name].type) for name in names]
        return np.array(
            [
                drawn(
                    decision,
                    self.settings.seed,
                    [[name, canonical(scalar_at(column, row, kind))] for name, column, kind in columns],
                )
                for row in rows.tolist()
            ]
        )


def _as_vector(column: Column) -> Vector:
    if column.states is None or not column.states.any():
        return Vector(column.values)
    states = column.states.astype(np.int32)
    states[column.states >= ERROR_STATE] = INVALID_FEATURE
    return Vector(column.values, states)
