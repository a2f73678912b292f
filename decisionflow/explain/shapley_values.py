"""The Shapley values of a rule list as it is: in closed form, by enumeration, else by permutation sampling."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from decisionflow.conditions.expression import Constant, Expression, conjuncts, variables
from decisionflow.explain.attribution_part import attribution_part
from decisionflow.explain.attributions import Attribution
from decisionflow.explain.attributions.conjunction import conjunction_shapley
from decisionflow.explain.attributions.enumeration import MOST_PLAYERS, difference_shapley
from decisionflow.explain.attributions.permutation import permutation_shapley
from decisionflow.explain.coded_rows import CodedRows, coded_rows
from decisionflow.explain.completion import Background, complete
from decisionflow.explain.decision_function import DecisionFunction, decision_function, equal_values, needed_background
from decisionflow.explain.explainers import Asked
from decisionflow.program.declarations import CompanionList, Formula, Rule, RuleList
from decisionflow.program.program import Program
from decisionflow.tables.scalars import from_scalars
from decisionflow.tables.table import ERROR_STATE, KNOWN, Column

MOST_ROWS = 4_000_000
Mask = NDArray[np.bool_]


def shapley_part(asked: Asked) -> dict[str, Any]:
    """Interventional Shapley values of "is it the outcome explained?" over the whole background.

    A list with one rule, all of whose conditions read one feature each, has a closed form (`conjunction`). Else, for
    each background row, every set of the features in which it differs from the row explained and that a condition which
    can be reached reads, up to 12 (`enumeration`); else permutation sampling, which says its standard error.
    """
    function = decision_function(asked)
    background = needed_background(asked)
    game = Game(asked, function, background, coded_rows(asked.row, background, function.features))
    found = game.conjunction() or game.enumeration() or game.permutation()
    return attribution_part(found, function.outcome, undecided=function.undecided_share if function.rows else None)


@dataclass(frozen=True, slots=True)
class _Met:
    """One condition: the features behind it, and its state and truth at the row and on the background (1 + n,)."""

    features: tuple[str, ...]
    known: Mask
    true: Mask
    failed: Mask


@dataclass(frozen=True, slots=True)
class Game:
    """The decision as a game between features, at one row and over a background."""

    asked: Asked
    function: DecisionFunction
    background: Background
    coded: CodedRows

    @property
    def program(self) -> Program:
        return self.background.program

    def worth(self, mixed: pd.DataFrame) -> NDArray[np.float64]:
        """1 for the rows of codes that get the outcome, else 0."""
        return self.function.agrees(self.coded.table(mixed)).astype(np.float64)

    def conjunction(self) -> Attribution | None:
        """The closed form, where the list is one rule whose conditions read one feature each and never fail."""
        body = self.function.decision.body
        if not isinstance(body, RuleList) or len(body.rules) != 1 or body.hit_policy == "collect":
            return None
        gains = self._constant_gains(body.rules[0], body.otherwise)
        met = self._met(conjuncts(body.rules[0].condition))
        if gains is None or any(len(one.features) != 1 or one.failed.any() for one in met) or self._invalid().any():
            return None
        names = tuple(self.coded.codes.columns)
        holds = np.ones((1 + len(self.coded.codes), len(names)), np.bool_)
        for one in met:
            holds[:, names.index(one.features[0])] &= one.true
        base, phi = conjunction_shapley(holds[0], holds[1:])
        fires, otherwise = gains
        return self._attribution("conjunction", otherwise + (fires - otherwise) * base, (fires - otherwise) * phi)

    def _constant_gains(self, rule: Rule, otherwise: Rule | None) -> tuple[float, float] | None:
        """Whether the rule, and whether `otherwise`, gives the outcome explained; None where that may vary."""
        outcomes = [rule.outcome, *([otherwise.outcome] if otherwise is not None else [])]
        if not all(isinstance(outcome, Constant) for outcome in outcomes):
            return None
        kind = self.function.decision.type
        if self.function.decision.domain is not None or self.function.decision.held != kind:
            return None
        given = [from_scalars([self.asked.row.evaluate(outcome)], kind).values for outcome in outcomes]
        gains = [float(equal_values(value, self.function.outcome, kind)[0]) for value in given]
        return gains[0], gains[1] if len(gains) > 1 else 0.0

    def enumeration(self) -> Attribution | None:
        """Exact, where at most 12 features matter for any background row and the sets to be tried are few enough."""
        plays = self.players()
        sizes = plays.sum(axis=1)
        if sizes.max(initial=0) > MOST_PLAYERS or (2.0**sizes).sum() > MOST_ROWS:
            return None
        kept = np.where(plays, self.coded.codes.to_numpy(), self.coded.row.to_numpy())
        codes = pd.DataFrame(kept, columns=self.coded.codes.columns)
        base, phi, _ = difference_shapley(self.worth, self.coded.row, codes)
        return self._attribution("enumeration", base, phi)

    def permutation(self) -> Attribution:
        """Estimated by random orders of the features."""
        seed = self.asked.smace.seed
        found = permutation_shapley(self.worth, self.coded.row, self.coded.codes, seed)
        return Attribution(
            "permutation",
            False,
            "value",
            found.base,
            dict(zip(self.coded.codes.columns, found.phi.tolist(), strict=True)),
            found.value,
            found.background_rows,
            len(self.coded.codes),
            found.standard_error,
            seed=seed,
            intervals=found.intervals(list(self.coded.codes.columns)),
        )

    def players(self) -> Mask:
        """For each background row, the features that can change the decision on the way to the row explained, (n, d).

        A condition whose features are the same in both rows has the same truth all the way: where one of a rule's is
        false the rule matters no more, and where all are true no later rule is reached.
        """
        differs = self.coded.differs
        matters, reached = np.zeros(differs.shape, np.bool_), np.ones(len(differs), np.bool_)
        for conditions, outcome, stops in self._parts():
            met = self._met(conditions)
            open_ = reached & ~_somewhere([self._same(one) & one.known[0] & ~one.true[0] for one in met], len(differs))
            for used in (*(one.features for one in met), self._features([outcome])):
                matters[np.ix_(open_, self._places(used))] = True
            if stops:
                reached &= _somewhere([~self._same(one) | ~one.true[0] for one in met], len(differs))
        return (matters | self._invalid()) & differs

    def _parts(self) -> Iterable[tuple[Sequence[Expression], Expression, bool]]:
        """The conditions and outcome of each rule in order, and whether its firing ends the matter."""
        body = self.function.decision.body
        if isinstance(body, Formula):
            return [((), body.expression, False)]
        stops = isinstance(body, CompanionList) or body.hit_policy == "first"
        used = self.asked.row.rules_of(self.function.decision)
        rules = [(conjuncts(rule.condition), rule.outcome, stops) for rule in used]
        return [*rules, ((), body.fallback, False)] if isinstance(body, CompanionList) else rules

    def _places(self, features: Sequence[str]) -> NDArray[np.intp]:
        return np.array([self.coded.codes.columns.get_loc(name) for name in features], dtype=np.intp)

    def _same(self, one: _Met) -> Mask:
        """In which background rows a condition's features are all as at the row explained."""
        return np.asarray(~self.coded.differs[:, self._places(one.features)].any(axis=1))

    def _invalid(self) -> Mask:
        """Where a feature is invalid in the background row or at the row explained: then it is always read, (n, d)."""
        found = []
        for name, values in self.coded.values.items():
            bad = values.state() >= ERROR_STATE
            found.append(bad[self.coded.codes[name].to_numpy()] | bad[self.coded.row[name].to_numpy()])
        return np.column_stack(found)

    def _met(self, conditions: Sequence[Expression]) -> list[_Met]:
        both = pd.concat([self.coded.row, self.coded.codes], ignore_index=True)
        table = self.coded.table(both)
        columns = complete(self.program, self.background.models, table, self.background.settings, list(conditions))
        return [_met(self._features([condition]), columns[condition]) for condition in conditions]

    def _features(self, expressions: Sequence[Expression]) -> tuple[str, ...]:
        read = {variable.name for expression in expressions for variable in variables(expression)} - {"today"}
        return self.program.features_of(read)

    def _attribution(self, method: str, base: float, phi: NDArray[np.float64]) -> Attribution:
        rows = len(self.coded.codes)
        parts = dict(zip(self.coded.codes.columns, phi.tolist(), strict=True))
        return Attribution(method, True, "value", base, parts, base + float(phi.sum()), rows, rows)


def _somewhere(masks: Sequence[Mask], rows: int) -> Mask:
    """Where any of the masks (rows,) holds; nowhere for none."""
    return np.asarray(np.any([np.zeros(rows, np.bool_), *masks], axis=0))


def _met(features: tuple[str, ...], column: Column) -> _Met:
    state = column.state()
    known = state == KNOWN
    return _Met(features, known, known & column.values.astype(np.bool_), state >= ERROR_STATE)
