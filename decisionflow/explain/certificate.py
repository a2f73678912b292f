"""The certificate of a decision: a box around the row inside which the decision provably stays.

The box is grown from the row one feature after the other, in order of declaration: each feature is let go as far down
and up (or to every label) as the decision stays for all values of the features before it within the box, those after it
as they are. So the box is sound everywhere, and no feature could go further with the others so. Where it could not be
proved in time, a feature stays where it is. Beside the box stands how far each feature can go alone.

Rules and linear models are exact, and so are sums of trees, whose leaves are bounded together; an end that a condition
over several features sets is left out of the box. What cannot be opened is held: its features stay as they are.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from decisionflow.conditions.expression import Constant, walk
from decisionflow.conditions.intervals import Interval, Region
from decisionflow.conditions.linear import as_number
from decisionflow.conditions.operators import AT_LEAST, AT_MOST
from decisionflow.errors import DataError
from decisionflow.evaluate.masked import masked_value, telling_names
from decisionflow.explain.allowed import Labels
from decisionflow.explain.contract import plain
from decisionflow.explain.nearest_change.deciding import Deciding
from decisionflow.explain.nearest_change.formula import (
    FALSE,
    TRUE,
    All,
    Formula,
    HalfSpace,
    Some,
    Threshold,
    Tried,
    all_of,
    any_of,
    at_least,
    literals,
    negation,
)
from decisionflow.explain.nearest_change.movable import Movable, domain_region, freed
from decisionflow.explain.nearest_change.options import ChangeOptions
from decisionflow.explain.nearest_change.problem import survey
from decisionflow.explain.nearest_change.search import Stuck
from decisionflow.explain.nearest_change.settling import settled
from decisionflow.explain.nearest_change.solving import Task
from decisionflow.explain.nearest_change.space import Costs, items_of
from decisionflow.explain.nearest_change.wanted import Wanted
from decisionflow.program.program import Program
from decisionflow.tables.masking import MASK

if TYPE_CHECKING:
    from decisionflow.explain.explainers import Asked

SECONDS_A_FEATURE = 5.0
SHRUNK = 1e-9


@dataclass(frozen=True, slots=True)
class Certificate:
    """What each feature may be, all at once (`box`) and alone, without another decision; `held` features stay."""

    box: dict[str, Region | Labels]
    alone: dict[str, Region | Labels]
    held: tuple[str, ...]


def certificate_part(asked: Asked) -> dict[str, Any]:
    """The certificate by the JSON contract; raises DataError for a row that is not decided."""
    row, decision = asked.row, asked.row.program.decisions[asked.question.decision]
    outcome = asked.explanation.outcome
    if outcome.status != "decided":
        raise DataError(f"`{decision.name}` is {outcome.status} for this row, so there is no decision to certify")
    deciding = Deciding(row, decision, Wanted(outcome.value), asked.models)
    items = items_of(row, decision.name, Costs(background=asked.smace.background, unscaled=True))
    found = certificate(deciding, items)
    kinds = {item.name: item for item in items}
    return {
        "value": plain(outcome.value),
        "box": {name: _shown(row.program, kinds[name], allowed) for name, allowed in found.box.items()},
        "alone": {name: _shown(row.program, kinds[name], allowed) for name, allowed in found.alone.items()},
        "held": list(found.held),
        "missing": [name for name in row.program.features_of([decision.name]) if name not in kinds],
    }


def certificate(deciding: Deciding, items: Sequence[Movable]) -> Certificate:
    """The box in which a row keeps its decision, `deciding.wanted`, and how far each feature can go alone."""
    growing = _Growing(deciding, tuple(replace(item, step=None, scale=1.0, weight=1.0) for item in items))
    fixed = [_staying(item) for item in growing.items]
    alone, box = {}, list(fixed)
    for at, item in enumerate(growing.items):
        alone[item.name] = growing.grown(fixed, at)
        box[at] = growing.grown(box, at)
    names = [item.name for item in growing.items]
    return Certificate(dict(zip(names, box, strict=True)), alone, tuple(names[at] for at in sorted(growing.held)))


@dataclass
class _Growing:
    deciding: Deciding
    items: tuple[Movable, ...]
    held: set[int] = field(default_factory=set)
    violated: Formula = TRUE

    def __post_init__(self) -> None:
        self.violated = negation(self._task(self.items).survey.formula)
        for literal in literals(self.violated):
            if isinstance(literal, Tried):
                self._hold(literal)

    def grown(self, box: Sequence[Region | Labels], at: int) -> Region | Labels:
        """How far a feature can go with the others anywhere in the box; where it is, if that cannot be proved."""
        item, stays = self.items[at], box[at]
        if at in self.held:
            return stays
        feature = self.deciding.row.program.features[item.name]
        whole = freed(feature, item).permitted
        if isinstance(whole, Labels):
            return self._labels(box, at, whole)
        high, high_closed = self._end(box, at, 1)
        low, low_closed = self._end(box, at, -1)
        here = float(item.here)
        # The row itself belongs to its box, also where the decision changes right beside it.
        around = Interval(low, high, low_closed or low == here, high_closed or high == here)
        return Region((around,)).intersect(domain_region(feature.domain))

    def _labels(self, box: Sequence[Region | Labels], at: int, whole: Labels) -> Labels:
        item = self.items[at]
        if whole.others:
            return Labels(frozenset([item.here]))
        kept = [
            label
            for label in whole.named
            if label == item.here or self._first(box, at, Labels(frozenset([label]))) is False
        ]
        return Labels(frozenset(kept))

    def _end(self, box: Sequence[Region | Labels], at: int, side: int) -> tuple[float, bool]:
        """The last value on a side before the decision can change, and whether it belongs to the box."""
        item = self.items[at]
        here = float(item.here)
        reach = Interval(here, math.inf, True, False) if side > 0 else Interval(-math.inf, here, False, True)
        feature = self.deciding.row.program.features[item.name]
        region = domain_region(feature.domain).intersect(Region((reach,)))
        found = self._first(box, at, region)
        if found is None or isinstance(found, bool):
            return (here, True) if found is None else (side * math.inf, False)
        value, ends = found
        value = max(value, here) if side > 0 else min(value, here)
        if item.is_whole:
            before = math.ceil(value) - 1.0 if side > 0 else math.floor(value) + 1.0
            return (max(before, here) if side > 0 else min(before, here)), True
        if value in ends:
            return value, False
        between = [end for end in ends if here * side <= end * side < value * side]
        return (max(between, key=lambda end: end * side), True) if between else (value, False)

    def _first(
        self, box: Sequence[Region | Labels], at: int, region: Region | Labels
    ) -> tuple[float, tuple[float, ...]] | bool | None:
        """Where the decision can first change as a feature goes through a region, with the ends of its conditions; True
        for a label, False where it cannot change, None where that is not known."""
        items = tuple(
            replace(item, permitted=region if other == at else box[other], weight=1.0 if other == at else 0.0)
            for other, item in enumerate(self.items)
        )
        task = self._task(items)
        features = [self.deciding.row.program.features[item.name] for item in items]
        task.survey = survey(self._widened(settled(self.violated, items), {}), items, features)
        for met in task.search().run():
            if isinstance(met, Stuck) or task.is_late:
                return None
            if met is None:
                continue
            value = task.values(met.node)[at]
            if not items[at].is_measured:
                return True
            if value in task.problem.places[at].values:
                return float(value), task.problem.ends[at]
            shrunk = self._shrunk(items[at], float(value))
            return shrunk, (shrunk,)
        return False

    @staticmethod
    def _shrunk(item: Movable, value: float) -> float:
        """A little nearer to the row than a solver put it."""
        here = float(item.here)
        return value - math.copysign(min(abs(value - here), SHRUNK * max(1.0, abs(value))), value - here)

    def _task(self, items: tuple[Movable, ...]) -> Task:
        return Task(self.deciding, items, ChangeOptions(), time.monotonic() + SECONDS_A_FEATURE, fine=True, closed=True)

    # Conditions that are at least as easy to meet, and need not be tried

    def _hold(self, tried: Tried) -> None:
        """Keep the features that a condition which cannot be opened depends on."""
        program = self.deciding.row.program
        behind = set(program.features_of(program.names_in(tried.condition) - {"today"}))
        self.held |= {at for at, item in enumerate(self.items) if item.name in behind}

    def _widened(self, formula: Formula, done: dict[int, tuple[Formula, Formula]]) -> Formula:
        known = done.get(id(formula))
        if known is None:
            known = formula, self._wide(formula, done)
            done[id(formula)] = known
        return known[1]

    def _wide(self, formula: Formula, done: dict[int, tuple[Formula, Formula]]) -> Formula:
        match formula:
            case All(parts=parts):
                return all_of(self._widened(part, done) for part in parts)
            case Some(parts=parts, number=1):
                return any_of(self._widened(part, done) for part in parts)
            case Some(parts=parts, number=number):
                return at_least(number, (self._widened(part, done) for part in parts))
            case HalfSpace(form=form) if all(self.items[at].is_whole for at in form.weights):
                return formula
            case HalfSpace(comparison=comparison) | Threshold(comparison=comparison):
                if comparison.spelling == "!=":
                    return TRUE
                wide = AT_LEAST if comparison.side > 0 else AT_MOST
                return formula if comparison.closed else replace(formula, comparison=wide)
            case Tried(condition=condition):
                return TRUE if formula.holds(self.deciding.row.evaluate(condition)) else FALSE
        return formula


def _staying(item: Movable) -> Region | Labels:
    if item.is_measured:
        return Region((Interval(float(item.here), float(item.here), True, True),))
    return Labels(frozenset([item.here]))


def _shown(program: Program, item: Movable, allowed: Region | Labels) -> dict[str, Any]:
    """A part of the box as JSON has it; an end that nothing sets is null, a sensitive value of the row is masked."""
    if isinstance(allowed, Labels):
        labels = getattr(item.type, "labels", (True, False))
        known = [label for label in labels if allowed.contains(label)] or sorted(allowed.named)
        return {"labels": [_own(program, item, label) if len(known) == 1 else label for label in known]}
    (interval,) = allowed.intervals
    low, high = (_own(program, item, end) for end in (interval.low, interval.high))
    return {"low": low, "low_closed": interval.low_closed, "high": high, "high_closed": interval.high_closed}


def _own(program: Program, item: Movable, end: float | str | bool) -> Any:
    """An end or a label; masked where it is that of the row and may not be shown."""
    if isinstance(end, float) and not math.isfinite(end):
        return None
    value = item.value(end)
    if end == item.here:
        return plain(masked_value(program, item.name, value))
    hidden = isinstance(end, float) and telling_names(program) and end not in _written_numbers(program)
    return MASK if hidden else plain(value)


def _written_numbers(program: Program) -> set[float]:
    """The numbers that stand in the policy: ends of a box that tell nothing of the row's other values."""
    expressions = [item.expression for item in program.derived.values()]
    expressions += [part for decision in program.decisions.values() for part in decision.expressions]
    values = [node.value for part in expressions for node in walk(part) if isinstance(node, Constant)]
    domains = [feature.domain for feature in program.features.values() if feature.domain is not None]
    values += [end for domain in domains for end in (domain.low, domain.high) if end is not None]
    return {as_number(value) for value in values if isinstance(value, int | float | date | timedelta)}
