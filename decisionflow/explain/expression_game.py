"""The attribution of an expression that is not linear: a game between the names that it reads directly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from decisionflow.conditions.expression import Expression, Variable
from decisionflow.conditions.values import Failure, Value
from decisionflow.evaluate.interpreter import Row
from decisionflow.explain.allowed import MEASURED, Allowed, Labels, Presence
from decisionflow.explain.attributions import Attribution
from decisionflow.explain.attributions.attribution import Scale
from decisionflow.explain.attributions.enumeration import MOST_PLAYERS, coded_shapley, difference_shapley
from decisionflow.explain.attributions.permutation import permutation_shapley
from decisionflow.explain.coded_rows import CodedRows, coded_background, coded_rows
from decisionflow.explain.completion import Background, Completion, in_days
from decisionflow.program.declarations import Feature, Reading
from decisionflow.program.program import Program
from decisionflow.tables.scalars import to_scalar
from decisionflow.tables.table import KNOWN, MISSING_STATE, Column
from decisionflow.types import Type


@dataclass
class ExpressionGame:
    """A variable as a function of its direct inputs over one background; what no row changes is made once."""

    background: Background
    variable: Expression
    names: tuple[str, ...]

    def attribution(self, row: Row, allowed: Allowed | None, seed: int) -> Attribution:
        """Exact by enumeration where at most 12 inputs matter, else by permutation sampling.

        An input in error at the row, of which the variable has a value all the same, had no part in it.
        """
        own = row.evaluate(self.variable)
        plays = np.array(
            [not isinstance(row.value_of(name), Failure) or isinstance(own, Failure) for name in self.names]
        )
        at_row = _AtRow(self, coded_rows(row, self.background, self.names), allowed, own, plays)
        return at_row.enumerated() or at_row.by_differences() or at_row.sampled(seed)

    @property
    def scale(self) -> Scale:
        return "value" if self.variable.type in MEASURED else "probability"

    @cached_property
    def completion(self) -> Completion:
        """The variable, ready to be computed for any values of its inputs."""
        program = inputs_as_features(self.background.program, self.names, self.variable)
        return Completion(program, {}, self.background.settings, (self.variable,))


@dataclass(frozen=True, slots=True)
class _AtRow:
    """The game at one row, each input given as the code of one of its values."""

    game: ExpressionGame
    coded: CodedRows
    allowed: Allowed | None
    own: Value
    plays: NDArray[np.bool_]

    def enumerated(self) -> Attribution | None:
        """Every set of the inputs, over the whole background; None where more than 12 differ somewhere."""
        if self.coded.differs.any(axis=0).sum() > MOST_PLAYERS:
            return None
        row = self.coded.row.to_numpy()[0]
        kinds, shares = coded_background(self.game.background, self.game.names).distinct
        return self._exact(
            *coded_shapley(lambda codes: self._worth(self._frame(codes)), row, kinds, shares, self.plays)
        )

    def by_differences(self) -> Attribution | None:
        """Every set of the inputs that differ, background row by row; None where more than 12 do in one of them."""
        if self.coded.differs.sum(axis=1).max() > MOST_PLAYERS:
            return None
        return self._exact(*difference_shapley(self._worth, self.coded.row, self.coded.codes))

    def sampled(self, seed: int) -> Attribution:
        """Estimated by random orders of the inputs."""
        found = permutation_shapley(self._worth, self.coded.row, self.coded.codes, seed=seed)
        exact = self._exact(found.base, found.phi, found.value)
        return replace(
            exact,
            method="permutation",
            exact=False,
            background_rows=found.background_rows,
            standard_error=found.standard_error,
            intervals=found.intervals(self.game.names),
            seed=seed,
        )

    def _exact(self, base: float, phi: NDArray[np.float64], value: float) -> Attribution:
        parts, rows = dict(zip(self.game.names, phi.tolist(), strict=True)), len(self.coded.codes)
        return Attribution("enumeration", True, self.game.scale, base, parts, value, rows, rows)

    def _frame(self, codes: NDArray[np.intp]) -> pd.DataFrame:
        return pd.DataFrame(codes, columns=self.coded.codes.columns, copy=False)

    def _worth(self, mixed: pd.DataFrame) -> NDArray[np.float64]:
        """The variable for rows of codes: a number, or one where it is allowed and zero elsewhere.

        A row on which it is missing or in error counts as zero.
        """
        variable = self.game.variable
        column = self.game.completion.columns(self.coded.table(mixed))[variable]
        if variable.type in MEASURED:
            values = in_days(column.values, variable)
        else:
            values = allowed_labels(column, variable.type, self.allowed, self.own).astype(np.float64)
        return np.where(column.state() == KNOWN, values, 0.0)


def inputs_as_features(program: Program, names: Sequence[str], variable: Expression) -> Program:
    """The program in which the direct inputs of a variable are what is read, and nothing behind them is left."""
    features = {name: Feature(name, program.type_of(name), Reading(name), optional=True) for name in names}
    own = variable.name if isinstance(variable, Variable) else ""
    derived = {own: program.derived[own]} if own in program.derived else {}
    decisions = {own: program.decisions[own]} if own in program.decisions else {}
    return Program(program.name, features, program.parameters, derived, {}, decisions)


def allowed_labels(column: Column, kind: Type, allowed: Allowed | None, own: Value) -> NDArray[np.bool_]:
    """Whether each label of a column is allowed; without an allowed set, whether it is the row's own."""
    if isinstance(allowed, Presence):
        return (column.state() == MISSING_STATE) == allowed.missing
    wanted = allowed if isinstance(allowed, Labels) else Labels(frozenset([own]))
    distinct, places = np.unique(column.values.astype(object), return_inverse=True)
    holds = np.array([wanted.contains(to_scalar(value, kind)) for value in distinct], bool)
    return holds[places]
