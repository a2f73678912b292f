"""Decides a changed row anew, and tells whether that is what was wanted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from decisionflow.conditions.values import Value
from decisionflow.evaluate.bound_model import BoundModel
from decisionflow.evaluate.combining import same
from decisionflow.evaluate.interpreter import Row
from decisionflow.evaluate.outcome import Outcome
from decisionflow.explain.nearest_change.wanted import Wanted
from decisionflow.program.declarations import Decision


@dataclass(frozen=True, slots=True)
class Deciding:
    """A row, one of its decisions, the outcome looked for, and the models as they can be asked about many rows."""

    row: Row
    decision: Decision
    wanted: Wanted
    models: Mapping[str, BoundModel] = field(default_factory=dict)

    def changed(self, values: Mapping[str, Value]) -> Row:
        """The row with other values of some features."""
        row = self.row
        return Row(row.program, {**row.features, **values}, row.models, row.settings)

    def decide(self, values: Mapping[str, Value]) -> Outcome:
        """What is decided with them."""
        return self.changed(values).decide(self.decision.name)

    def satisfies(self, outcome: Outcome) -> bool:
        """Whether an outcome is as wanted."""
        if outcome.status != "decided":
            return False
        if self.wanted.value is None:
            return self.wanted.other
        return same(outcome.value, self.wanted.value, self.decision.held, tolerant=True) != self.wanted.other
