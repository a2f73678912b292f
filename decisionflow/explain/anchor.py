"""The anchor of a row: conditions of the policy, true of it, under which nearly every row gets the same outcome."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
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
from decisionflow.explain.perturbation import Candidates, Codes, drawing, enumeration, masks_of, once
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
    known: dict[Expression, Masks] = field(default_factory=dict)

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
        columns = self._columns(condition)
        return len(columns) == 1 and bool(self._by_code(condition)[self.codes[:, columns[0]]].all())

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
    def candidates(self) -> Candidates:
        return Candidates([self._columns(one) for one in self.conditions], self.holds)

    def holds(self, rows: Codes, places: Sequence[int]) -> Masks:
        """Looked up by code where one feature is read; the others are computed together."""
        wanted = [self.conditions[place] for place in places]
        found: dict[Expression, Masks] = {}
        for together in self._computed:
            if not set(together.wanted).isdisjoint(wanted):
                found |= dict(zip(together.wanted, once(rows, partial(self._truths, together)).T, strict=True))
        for condition in wanted:
            if condition not in found:
                found[condition] = self._by_code(condition)[rows[:, self._columns(condition)[0]]]
        return np.array([found[condition] for condition in wanted], dtype=np.bool_).reshape(len(places), len(rows))

    @cached_property
    def _computed(self) -> list[Completion]:
        """The conditions over several features, those that need a model apart, as it takes longer."""
        program = self.background.program
        several = [one for one in self.conditions if len(self._columns(one)) != 1]
        modelled = {one for one in several if not program.models.keys().isdisjoint(self._behind(one))}
        groups = [[one for one in several if (one in modelled) == models] for models in (False, True)]
        return [
            Completion(program, self.background.models, self.background.settings, tuple(group))
            for group in groups
            if group
        ]

    def _truths(self, together: Completion, rows: Codes) -> Masks:
        columns = together.columns(self.table(rows))
        return np.stack([_true(columns[condition]) for condition in together.wanted], axis=1)

    def _by_code(self, condition: Expression) -> Masks:
        """Whether a condition on one feature is true of each value that has a code."""
        if condition not in self.known:
            (name,) = self._features(condition)
            table = Table(len(self.coded.values[name]), {name: self.coded.values[name]})
            settings = self.background.settings
            found = complete(self.background.program, self.background.models, table, settings, [condition])
            self.known[condition] = _true(found[condition])
        return self.known[condition]

    def _columns(self, condition: Expression) -> tuple[int, ...]:
        return tuple(self.function.features.index(name) for name in self._features(condition))

    def _features(self, condition: Expression) -> tuple[str, ...]:
        return self.background.program.features_of({one.name for one in variables(condition)} - {"today"})

    def _behind(self, condition: Expression) -> set[str]:
        """The names that a condition reads and all behind them."""
        program, read = self.background.program, {one.name for one in variables(condition)} - {"today"}
        return read.union(*(program.ancestors(name) for name in read))


def _true(column: Column) -> NDArray[np.bool_]:
    return (column.state() == KNOWN) & column.values.astype(np.bool_)
