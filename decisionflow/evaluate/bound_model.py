"""A model of the policy joined to the object that computes it."""

from __future__ import annotations

from dataclasses import dataclass

from decisionflow.models.model import Model
from decisionflow.program.declarations import ModelDeclaration


@dataclass(frozen=True, slots=True)
class BoundModel:
    """What the evaluator runs: the declaration says which output is read and which names feed which columns."""

    declaration: ModelDeclaration
    model: Model
