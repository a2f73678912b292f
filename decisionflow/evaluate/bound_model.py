"""A model of the policy joined to the object that computes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from decisionflow.models.model import Model
from decisionflow.program.declarations import ModelDeclaration
from decisionflow.types import Type


@dataclass(frozen=True, slots=True)
class BoundModel:
    """What the evaluator runs: the declaration says which output is read and which names feed which columns.

    `kinds` holds the type of each column.
    """

    declaration: ModelDeclaration
    model: Model
    kinds: Mapping[str, Type]

    def takes_missing(self, column: str) -> bool:
        """Whether this column may hold missing values."""
        return self.model.takes_missing_in(column)
