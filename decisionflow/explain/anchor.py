"""The anchor of a row: conditions of the policy, true of it, under which nearly every row gets the same outcome."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from decisionflow.conditions.alternatives import alternatives, negated
from decisionflow.conditions.expression import And, Compare, Constant, Expression, IsMissing, Variable, variables
from decisionflow.conditions.intervals import Interval
from decisionflow.conditions.operators import EQUAL
from decisionflow.conditions.values import MISSING, is_known
from decisionflow.explain.anchor_precision import AnchorSearch, Masks
from decisionflow.explain.anchor_search import Anchor, enumerated_anchor, sampled_anchor
from decisionflow.explain.coded_rows import CodedRows, coded_rows
from decisionflow.explain.completion import Background, Completion, complete
from decisionflow.explain.contract import Part, Plain, plain
from decisionflow.explain.cut_points import quantile_cuts, shortened
from decisionflow.explain.decision_function import DecisionFunction, decision_function, needed_background
from decisionflow.explain.explainers import Asked
from decisionflow.explain.items import interval_condition
from decisionflow.explain.perturbation import Candidate, Codes, drawing, enumeration, masks_of
from decisionflow.explain.policy_cuts import policy_atoms, whole_cut
from decisionflow.explain.row_frames import COUNTED, cell_of, is_numeric, row_frames, sound_rows
from decisionflow.program.declarations import Feature
from decisionflow.syntax.restore import condition_text
from decisionflow.tables.table import KNOWN, Column, Table

SEARCH = AnchorSearch(max_conditions=6, draws=4_000)


class AnchorPart(Part):
    """All `conditions` are true of the row; of the background rows changed so that they hold, the share `precision` has
    the same outcome.

    `exact`: every background row was changed and decided; else `rows` were drawn, and with probability `confidence` the
    precision lies within `bound`. `certain`: it reaches `wanted`. `coverage` is the share of background rows of which
    the conditions are true as they are.
    """

    outcome: Plain
    conditions: list[str]
    precision: float
    bound: tuple[float, float]
    coverage: float
    exact: bool
    certain: bool
    wanted: float
    confidence: float
    rows: int
    background_rows: int
    seed: int | None


def anchor_part(asked: Asked) -> dict[str, Any]:
    """The widest anchor that a beam search finds among the policy's conditions and the cuts of its features.

    Exact where no model stands behind the decision.
    """
    function, background = decision_function(asked), needed_background(asked)
    coded = coded_rows(asked.row, background, function.features)
    found = _Candidates(asked, function, background, coded)
    anchor = _searched(found, asked.smace.seed)
    names = (*background.program.order, *background.program.parameters)
    part = AnchorPart(
        outcome=plain(function.outcome),
        conditions=[condition_text(found.conditions[place], names) for place in anchor.conditions],
        precision=anchor.precision.share,
        bound=(anchor.precision.low, anchor.precision.high),
        coverage=anchor.coverage,
        exact=anchor.exact,
        certain=anchor.precision.certain,
        wanted=SEARCH.precision,
        confidence=1.0 if anchor.exact else 1 - SEARCH.delta,
        rows=anchor.precision.rows,
        background_rows=background.rows,
        seed=None if anchor.exact else asked.smace.seed,
    )
    return part.model_dump(mode="json")


def _searched(found: _Candidates, seed: int) -> Anchor:
    candidates, codes, row = found.candidates, found.codes, found.coded.row.to_numpy(dtype=np.intp)[0]
    masks = masks_of(candidates, codes)
    program, decision = found.background.program, found.function.decision.name
    if program.ancestors(decision).isdisjoint(program.models):
        return enumerated_anchor(masks, enumeration(codes, row, candidates, found.decided), SEARCH)
    return sampled_anchor(masks, drawing(codes, row, candidates, found.decided), SEARCH, seed)


@dataclass
class _Candidates:
    """The conditions that an anchor may be made of, over rows of codes."""

    asked: Asked
    function: DecisionFunction
    background: Background
    coded: CodedRows

    @cached_property
    def codes(self) -> Codes:
        return self.coded.codes.to_numpy(dtype=np.intp)

    def table(self, mixed: Codes) -> Table:
        """The table that rows of codes stand for."""
        return self.coded.table(pd.DataFrame(mixed, columns=self.coded.codes.columns))

    def decided(self, mixed: Codes) -> Masks:
        """Whether rows of codes get the outcome explained."""
        return self.function.agrees(self.table(mixed))

    @cached_property
    def conditions(self) -> tuple[Expression, ...]:
        """The policy's own, as they are true of the row, then cuts and labels of features that are not sensitive."""
        atoms = policy_atoms(self.background.program, self.function.decision.name)
        own = [held for atom in atoms if (held := self._held(atom)) is not None]
        features = [self.background.program.features[name] for name in self.function.features]
        further = [one for feature in features for one in self._of_feature(feature)]
        return tuple(one for one in dict.fromkeys([*own, *further]) if not self._always(one))

    def _always(self, condition: Expression) -> bool:
        """Whether a condition on one feature is true of every background row too, so that it asks nothing."""
        return len(self._features(condition)) == 1 and bool(self._holds(condition)(self.codes).all())

    def _held(self, atom: Expression) -> Expression | None:
        """The condition where it is true of the row, what is true in its place where it is false, else None."""
        truth = self.asked.row.evaluate(atom)
        if not is_known(truth) or not set(self._features(atom)) <= set(self.function.features):
            return None
        if truth:
            return atom
        for way in alternatives(negated(atom)):
            if all(self.asked.row.evaluate(part) is True for part in way):
                return way[0] if len(way) == 1 else And(way)
        return None

    def _of_feature(self, feature: Feature) -> Iterable[Expression]:
        value = self.asked.row.values[feature.name]
        variable = Variable(feature.name, feature.type, True)
        if value is MISSING:
            return [IsMissing(variable)]
        if feature.sensitive or not is_known(value):
            return []
        if is_numeric(feature):
            return self._sides(feature, variable, float(cell_of(value, feature)))
        return [Compare(EQUAL, variable, Constant(value, feature.type))]

    def _sides(self, feature: Feature, variable: Variable, value: float) -> list[Expression]:
        """`x >= low` and `x < high` at the quantile cuts next to the value."""
        rows = sound_rows(row_frames(self.background.program, [feature.name]), self.background.table.columns)
        values = rows[feature.name].to_numpy(dtype=np.float64, na_value=np.nan)
        cuts = [shortened(cut, values) for cut in quantile_cuts(values)]
        points = [whole_cut(cut).point if feature.type in COUNTED else cut.point for cut in cuts]
        below, above = [p for p in points if p <= value], [p for p in points if p > value]
        sides = [Interval(low=below[-1], low_closed=True)] if below else []
        sides += [Interval(high=above[0])] if above else []
        return [interval_condition(variable, side) for side in sides]

    @cached_property
    def candidates(self) -> list[Candidate]:
        places = {name: place for place, name in enumerate(self.function.features)}
        return [Candidate(tuple(places[n] for n in self._features(one)), self._holds(one)) for one in self.conditions]

    def _features(self, condition: Expression) -> tuple[str, ...]:
        read = {variable.name for variable in variables(condition)} - {"today"}
        return self.background.program.features_of(read)

    def _holds(self, condition: Expression) -> Callable[[Codes], Masks]:
        """Looked up by code where one feature is read; else computed."""
        names = self._features(condition)
        program, models, settings = self.background.program, self.background.models, self.background.settings
        if len(names) == 1:
            values = self.coded.values[names[0]]
            found = complete(program, models, Table(len(values), {names[0]: values}), settings, [condition])
            true = _true(found[condition])
            place = self.function.features.index(names[0])
            return lambda mixed: true[mixed[:, place]]
        ready = Completion(program, models, settings, (condition,))
        return lambda mixed: _true(ready.columns(self.table(mixed))[condition])


def _true(column: Column) -> NDArray[np.bool_]:
    return (column.state() == KNOWN) & column.values.astype(np.bool_)
