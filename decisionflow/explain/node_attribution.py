"""The attribution of an internal variable to the names that it is computed from directly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from decisionflow.conditions.expression import Expression, Variable, variables
from decisionflow.conditions.linear import LinearForm, as_number, linear_form
from decisionflow.conditions.values import Value, is_known
from decisionflow.evaluate.interpreter import Row
from decisionflow.explain.allowed import MEASURED, Allowed, Labels
from decisionflow.explain.attributions import Attribution, Attributor, prepare_attribution
from decisionflow.explain.completion import Background
from decisionflow.explain.expression_game import ExpressionGame
from decisionflow.explain.row_frames import closed_limits
from decisionflow.program.declarations import Decision, ModelDeclaration
from decisionflow.program.program import Program
from decisionflow.tables.frame import model_frame
from decisionflow.tables.scalars import from_scalars
from decisionflow.tables.table import KNOWN, Column
from decisionflow.types import INTEGER, NUMBER, ModelOutput


@dataclass
class Attributions:
    """Attributions of one policy over one background; what does not depend on the row is made once."""

    background: Background
    seed: int = 0
    _models: dict[tuple[str, ModelOutput, str | None], Attributor] = field(default_factory=dict, repr=False)
    _games: dict[Expression, ExpressionGame] = field(default_factory=dict, repr=False)

    @property
    def program(self) -> Program:
        return self.background.program

    def of(self, row: Row, variable: Expression, allowed: Allowed | None = None) -> Attribution:
        """How the variable's value at the row comes about from its direct inputs.

        Where it is not a number, what is attributed is whether it lies in `allowed`, or else whether it is what it
        is at the row. Base plus the sum of phi is the value on the scale that the attribution names.
        """
        node = self.program.node(variable.name) if isinstance(variable, Variable) else None
        if isinstance(node, ModelDeclaration):
            return self._of_model(row, node, allowed)
        return self._of_expression(row, variable, node, allowed)

    def _of_model(self, row: Row, node: ModelDeclaration, allowed: Allowed | None) -> Attribution:
        return self.of_output(row, node, tested_output(node, row.value_of(node.name), allowed))

    def of_output(
        self, row: Row, node: ModelDeclaration, output: ModelOutput, method: str | None = None
    ) -> Attribution:
        """How a model's output at the row comes about from its inputs, by the best method or the one named."""
        names = dict.fromkeys(used for used, _ in node.inputs)
        values = {name: from_scalars([row.value_of(name)], self.program.type_of(name)) for name in names}
        return self.of_rows(node, output, _frame_of(self.program, node, values), method)[0]

    def of_rows(
        self, node: ModelDeclaration, output: ModelOutput, inputs: pd.DataFrame, method: str | None = None
    ) -> list[Attribution]:
        """As `of_output`, for rows of the model's inputs (n, d)."""
        key = node.name, output, method
        if key not in self._models:
            model = self.background.models[node.name].model
            self._models[key] = prepare_attribution(
                model, output, self._frame(node), seed=self.seed, method=method, domains=self._domains(node)
            )
        columns = {column: used for used, column in node.inputs}
        return [_renamed(found, columns) for found in self._models[key].attribute(inputs)]

    def _domains(self, node: ModelDeclaration) -> dict[str, tuple[float, float]]:
        """The closed domain of each numeric input that is a feature with one, as far as it is declared."""
        features = self.program.features
        read = {column: features[used] for used, column in node.inputs if used in features}
        return {
            column: closed_limits(feature, self.background.sample(Variable(feature.name, feature.type)))
            for column, feature in read.items()
            if feature.type in (NUMBER, INTEGER) and feature.domain is not None
        }

    def _frame(self, node: ModelDeclaration) -> pd.DataFrame:
        """The background as the model reads it; rows on which it cannot be run are left out."""
        names = dict.fromkeys(used for used, _ in node.inputs)
        columns = {name: self.background.column(Variable(name, self.program.type_of(name))) for name in names}
        usable = self.background.column(Variable(node.name, node.type)).state() == KNOWN
        rows = np.flatnonzero(usable)
        return _frame_of(self.program, node, {name: column.take(rows) for name, column in columns.items()})

    def _of_expression(self, row: Row, variable: Expression, node: object, allowed: Allowed | None) -> Attribution:
        expression = variable if node is None else getattr(node, "expression", variable)
        if variable.type in MEASURED and not isinstance(node, Decision):
            form = linear_form(expression, {})
            if form.weights and all(self._is_counted(row, axis) for axis in form.weights):
                return self._linear(row, form)
        return self._shapley(row, variable, expression, isinstance(node, Decision), allowed)

    def _is_counted(self, row: Row, axis: Expression) -> bool:
        """Whether a variable has a value at the row, and a mean over the background."""
        return isinstance(axis, Variable) and is_known(row.evaluate(axis)) and len(self.background.sample(axis)) > 0

    def _linear(self, row: Row, form: LinearForm) -> Attribution:
        """phi_j = w_j (x_j - mean_j), exact; the mean is that of the background rows that have a value."""
        means = {axis: float(self.background.sample(axis).mean()) for axis in form.weights}
        values = {axis: as_number(row.evaluate(axis)) for axis in form.weights}
        phi = {axis.name: weight * (values[axis] - means[axis]) for axis, weight in form.weights.items()}  # type: ignore[union-attr]
        base = form.constant + sum(weight * means[axis] for axis, weight in form.weights.items())
        rows = self.background.rows
        return Attribution("linear", True, "value", base, phi, base + sum(phi.values()), rows, rows)

    def _shapley(
        self, row: Row, variable: Expression, expression: Expression, is_decision: bool, allowed: Allowed | None
    ) -> Attribution:
        """Exact by enumeration over the direct inputs where at most 12 of them matter, else by permutation sampling."""
        if variable not in self._games:
            reads = self.program.reads[variable.name] if isinstance(variable, Variable) and is_decision else ()
            names = tuple(name for name in reads or _names(expression) if name != "today")
            self._games[variable] = ExpressionGame(self.background, variable, names)
        return self._games[variable].attribution(row, allowed, self.seed)


def tested_output(node: ModelDeclaration, value: Value, allowed: Allowed | None) -> ModelOutput:
    """The output whose attribution is meant: of a predicted class, the probability of the label that is tested."""
    if node.output.kind != "label":
        return node.output
    if isinstance(allowed, Labels) and len(allowed.named) == 1 and not allowed.others:
        return ModelOutput("label", next(iter(allowed.named)))
    return ModelOutput("label", value if is_known(value) else None)


def _renamed(found: Attribution, columns: Mapping[str, str]) -> Attribution:
    """The attribution by the policy's names; the interval of what feeds two columns holds the sum of both."""
    if found.intervals is None:
        return replace(found, phi=_by_name(found.phi, columns))
    low, high = (_by_name({name: ends[side] for name, ends in found.intervals.items()}, columns) for side in (0, 1))
    together = {name: (low[name], high[name]) for name in low}
    return replace(found, phi=_by_name(found.phi, columns), intervals=together)


def _by_name(phi: Mapping[str, float], columns: Mapping[str, str]) -> dict[str, float]:
    """Contributions by the policy's names; what feeds two columns is one input."""
    found: dict[str, float] = {}
    for column, part in phi.items():
        found[columns[column]] = found.get(columns[column], 0.0) + part
    return found


def _names(expression: Expression) -> tuple[str, ...]:
    return tuple(dict.fromkeys(variable.name for variable in variables(expression)))


def _frame_of(program: Program, node: ModelDeclaration, columns: Mapping[str, Column]) -> pd.DataFrame:
    kinds = {column: program.type_of(used) for used, column in node.inputs}
    return model_frame({column: columns[used] for used, column in node.inputs}, kinds)
