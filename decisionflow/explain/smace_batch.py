"""SMACE of many rows: the policy decides them together, and each model is attributed on all rows in one call."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from decisionflow.conditions.expression import Variable
from decisionflow.conditions.values import Value
from decisionflow.evaluate.interpreter import Row, RowModel
from decisionflow.evaluate.outcome import Outcome
from decisionflow.evaluate.rows import features_at
from decisionflow.evaluate.settings import Settings
from decisionflow.explain.adverse_path import is_adverse
from decisionflow.explain.attributions import Attribution
from decisionflow.explain.completion import complete
from decisionflow.explain.contract import plain
from decisionflow.explain.customer_reasons import with_customer_reasons
from decisionflow.explain.explanation import CustomerReason, FeaturePart
from decisionflow.explain.node_attribution import Attributions
from decisionflow.explain.smace import Question, Smace
from decisionflow.program.declarations import Decision, ModelDeclaration
from decisionflow.tables.frame import model_frame
from decisionflow.tables.scalars import scalar_at
from decisionflow.tables.table import KNOWN, Column, Table
from decisionflow.types import ModelOutput

if TYPE_CHECKING:
    import pandas as pd

    from decisionflow.evaluate.bound_model import BoundModel


@dataclass(frozen=True, slots=True)
class RowContributions:
    """What SMACE says about one row: the outcome, the rule that the contributions speak of, and those.

    `customer_reasons` belong to an adverse outcome, as far as they were asked for.
    """

    row: int
    outcome: Outcome
    target_rule: str | None
    contributions: tuple[FeaturePart, ...]
    customer_reasons: tuple[CustomerReason, ...] = ()


def explain_rows(
    smace: Smace,
    models: dict[str, BoundModel],
    table: Table,
    rows: Sequence[int],
    settings: Settings,
    question: Question,
    reasons: bool = False,
) -> Iterator[RowContributions]:
    """The contributions of some rows of a table, equal to those that `Smace.explain` gives each alone.

    With `reasons`, adverse outcomes come with what the customer is told.
    """
    chosen = table.take(np.asarray(rows, dtype=np.intp))
    batch = _Batch(smace, models, chosen, settings)
    decision = smace.program.decisions[question.decision]
    for place, number in enumerate(rows):
        row = batch.row(place)
        outcome = row.decide(question.decision)
        if reasons and is_adverse(decision, outcome):
            yield _with_reasons(batch.smace, row, number, question)
        else:
            target = batch.smace.target(row, question)
            parts = batch.smace.contributions(row, target)
            yield RowContributions(number, outcome, target.rule.name if target else None, parts)


def _with_reasons(smace: Smace, row: Row, number: int, question: Question) -> RowContributions:
    found = with_customer_reasons(smace.explain(row, number, question), smace, row, question)
    return RowContributions(number, found.outcome, found.target_rule, found.contributions, found.customer_reasons)


def contribution_frame(found: Iterable[RowContributions], decision: Decision, features: Sequence[str]) -> pd.DataFrame:
    """One row for each explanation: the outcome, the target rule, and the total contribution of each feature.

    A decision with adverse outcomes has a column for the codes that the customer is told, joined by `;`.
    """
    import pandas as pd

    rows, name = list(found), decision.name
    totals = [{part.feature: part.total for part in one.contributions} for one in rows]
    columns: dict[str, Any] = {
        "row": [one.row for one in rows],
        name: pd.Series([_written(one.outcome.value) for one in rows], dtype=object),
        f"{name}.rule": [one.outcome.rule for one in rows],
        f"{name}.status": [one.outcome.status for one in rows],
        "target_rule": pd.Series([one.target_rule for one in rows], dtype=object),
    }
    if decision.adverse:
        columns[f"{name}.customer_reasons"] = [";".join(each.code for each in one.customer_reasons) for one in rows]
    for feature in features:
        columns[f"contribution.{feature}"] = np.array([total.get(feature, 0.0) for total in totals], dtype=np.float64)
    return pd.DataFrame(columns)


def _written(value: Value) -> Any:
    """A value in a cell: records and lists as text."""
    shown = plain(value)
    return json.dumps(shown, ensure_ascii=False) if isinstance(shown, dict | list) else shown


@dataclass
class _Batch:
    """The rows with what their models give, asked once; `smace` attributes from the whole batch."""

    given: Smace
    models: dict[str, BoundModel]
    table: Table
    settings: Settings
    place: int = 0

    @cached_property
    def smace(self) -> Smace:
        background = self.given.background
        if background is None:
            return self.given
        return replace(self.given, given=BatchAttributions(background, self.given.seed, batch=self))

    def row(self, place: int) -> Row:
        """One row as the interpreter reads it; its models answer from the batch."""
        self.place = place
        models = {name: self._remembered(bound) for name, bound in self.models.items()}
        return Row(self.given.program, features_at(self.given.program, self.table, place), models, self.settings)

    def _remembered(self, bound: BoundModel) -> RowModel:
        place = self.place

        def output(_: Any) -> Value:
            return scalar_at(self.outputs[bound.declaration.name], place, bound.declaration.type, "no output")

        return RowModel(output, missing_inputs=frozenset(name for name in bound.kinds if bound.takes_missing(name)))

    @cached_property
    def outputs(self) -> dict[str, Column]:
        """The output of every model on every row, whether a decision needs it there or not."""
        program = self.given.program
        wanted = {name: Variable(name, program.models[name].type) for name in self.models}
        found = complete(program, self.models, self.table, self.settings, list(wanted.values()))
        return {name: found[variable] for name, variable in wanted.items()}

    def inputs(self, node: ModelDeclaration) -> tuple[pd.DataFrame, NDArray[np.intp]]:
        """The rows on which a model has an output, as it reads them, and their places."""
        program = self.given.program
        rows = np.flatnonzero(self.outputs[node.name].state() == KNOWN)
        kinds = {column: program.type_of(used) for used, column in node.inputs}
        wanted = {used: Variable(used, program.type_of(used)) for used, _ in node.inputs}
        computed = [variable for used, variable in wanted.items() if used not in self.table.columns]
        found = complete(program, self.models, self.table, self.settings, computed) if computed else {}
        columns = {
            column: (self.table.columns[used] if used in self.table.columns else found[wanted[used]]).take(rows)
            for used, column in node.inputs
        }
        return model_frame(columns, kinds), rows


@dataclass
class BatchAttributions(Attributions):
    """Attributions of the rows of a batch: the first row that asks for a model's has all rows attributed."""

    batch: _Batch | None = None
    _batched: dict[tuple[str, ModelOutput], dict[int, Attribution]] = field(default_factory=dict, repr=False)

    def of_output(
        self, row: Row, node: ModelDeclaration, output: ModelOutput, method: str | None = None
    ) -> Attribution:
        """As for one row, from the batch's."""
        if self.batch is None:
            return super().of_output(row, node, output, method)
        key = node.name, output
        if key not in self._batched:
            inputs, rows = self.batch.inputs(node)
            found = self.of_rows(node, output, inputs, method)
            self._batched[key] = dict(zip(rows.tolist(), found, strict=True))
        known = self._batched[key].get(self.batch.place)
        return super().of_output(row, node, output, method) if known is None else known
