"""Whether a decision is the outcome explained, for any table of features: what SHAP, LIME and anchors explain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from decisionflow.conditions.arithmetic import EQUAL_WITHIN
from decisionflow.conditions.values import Value, is_known
from decisionflow.errors import DataError
from decisionflow.evaluate.answer import DECIDED
from decisionflow.evaluate.bound_model import BoundModel
from decisionflow.evaluate.evaluator import evaluate
from decisionflow.evaluate.result import Result
from decisionflow.evaluate.settings import Settings
from decisionflow.explain.completion import Background
from decisionflow.explain.target import rules_of
from decisionflow.program.declarations import Decision
from decisionflow.program.program import Program
from decisionflow.tables.scalars import to_stored
from decisionflow.tables.table import Table
from decisionflow.types import ListOf, Number, Record, Type

if TYPE_CHECKING:
    from decisionflow.explain.explainers import Asked


@dataclass
class DecisionFunction:
    """1 where the decision is `outcome`, 0 elsewhere; rows that are not decided count as 0 and are counted."""

    program: Program
    models: Mapping[str, BoundModel]
    settings: Settings
    decision: Decision
    outcome: Value
    rows: int = 0
    unsettled: int = 0

    @property
    def features(self) -> tuple[str, ...]:
        """The features that the decision depends on, in order of declaration."""
        return self.program.features_of([self.decision.name])

    def decide(self, table: Table) -> Result:
        """The decision about every row."""
        return evaluate(self.program, self.models, table, self.settings, (self.decision.name,))

    def agrees(self, table: Table) -> NDArray[np.bool_]:
        """Whether each row gets the outcome, (n,)."""
        answer = self.decide(table).answers[self.decision.name]
        decided = answer.status == DECIDED
        self.rows += table.rows
        self.unsettled += int(np.count_nonzero(~decided))
        return decided & equal_values(answer.values, self.outcome, self.decision.held)

    @property
    def undecided_share(self) -> float:
        """The share of the rows asked so far that were undecided, in conflict or invalid."""
        return self.unsettled / self.rows if self.rows else 0.0


def equal_values(stored: Any, wanted: Value, kind: Type) -> NDArray[np.bool_]:
    """Whether stored values (n,) are a value of the type; numbers as law 1 of the language compares them."""
    if isinstance(kind, Record):
        parts = [equal_values(stored[name], wanted[name], part) for name, part in kind.parts]
        return np.asarray(np.all(parts, axis=0))
    if isinstance(kind, Number):
        apart = np.abs(stored - wanted)
        return np.asarray(apart <= EQUAL_WITHIN * np.maximum(np.abs(stored), abs(wanted)))
    if isinstance(kind, ListOf):
        return np.fromiter((each == wanted for each in stored), np.bool_, len(stored))
    return np.asarray(stored == to_stored(wanted, kind), dtype=np.bool_)


def decision_function(asked: Asked) -> DecisionFunction:
    """What the question is about: is it the outcome asked for, else that of the rule named, else the row's own?

    Raises DataError without a background, and for a row that is not decided when no outcome is named.
    """
    background = needed_background(asked)
    decision = background.program.decisions[asked.question.decision]
    if not background.program.features_of([decision.name]):
        raise DataError(f"`{decision.name}` depends on no feature, so there is nothing to attribute")
    return DecisionFunction(
        background.program, background.models, background.settings, decision, outcome_explained(asked, decision)
    )


def needed_background(asked: Asked) -> Background:
    """The background, which every method but SMACE needs; raises DataError where there is none."""
    if asked.smace.background is None or asked.smace.background.rows == 0:
        raise DataError(
            "this method compares with other rows, and there are none; give background data, or declare "
            '`background "FILE"` in the policy'
        )
    return asked.smace.background


def outcome_explained(asked: Asked, decision: Decision) -> Value:
    """The outcome asked for with `why_not`, else that of the rule named, else the row's own."""
    question, outcome = asked.question, asked.explanation.outcome
    if question.why_not is not None:
        return question.why_not
    if question.rule is not None:
        rule = next(rule for rule in rules_of(decision) if rule.name == question.rule)
        value = asked.row.evaluate(rule.outcome)
        if is_known(value):
            return value
    if outcome.status != "decided":
        raise DataError(
            f"row {asked.explanation.row} is {outcome.status} for `{decision.name}`, so there is no outcome to explain"
            + (f": {outcome.problem}" if outcome.problem else "; name one with --why-not")
        )
    return outcome.value
