"""What carries a policy over a data set: its rules, its features, and how many rows stand near each boundary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from decisionflow.conditions.expression import Compare, Expression, Variable, Within, atoms, conjuncts
from decisionflow.evaluate.bound_model import BoundModel
from decisionflow.evaluate.evaluator import evaluate
from decisionflow.evaluate.result import DecisionResult
from decisionflow.evaluate.settings import Settings
from decisionflow.explain.allowed import MEASURED
from decisionflow.explain.completion import complete, in_days
from decisionflow.explain.distances import declared_domain
from decisionflow.explain.segments import Segments
from decisionflow.explain.smace import Question, Smace, variable_name
from decisionflow.explain.smace_batch import explain_rows
from decisionflow.program.declarations import Decision, RuleList
from decisionflow.program.program import Program
from decisionflow.syntax.restore import condition_text
from decisionflow.tables.table import KNOWN, Table

NEAR = 0.05
"""A row is near a boundary where its distance is at most this share of the variable's scale."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RuleLoad:
    """How often a rule decides: of the `reached` rows that came to it, it `fired` for so many."""

    rule: str
    reached: int
    fired: int


@dataclass(frozen=True, slots=True)
class FeatureLoad:
    """A feature's contributions over the rows explained: mean size, mean, and the share of rows that have one."""

    feature: str
    mean_size: float
    mean: float
    share: float


@dataclass(frozen=True, slots=True)
class BoundaryLoad:
    """A boundary of a condition, and the share of rows near it, of those in which both sides of it are known.

    Near is at most 5 % of the `scale`: the width of the variable's domain, else the range of its values here.
    """

    rule: str
    condition: str
    variable: str
    scale: float
    rows: int
    near: float


@dataclass(frozen=True)
class Overview:
    """A decision over a data set.

    `contributions` (rows explained, features) are SMACE's, each towards the row's own target rule; `segments` says to
    which group each of those rows belongs, where groups were asked for. `settings` tells how to get the same again.
    """

    policy: str
    policy_sha256: str
    decision: str
    rows: int
    statuses: Mapping[str, int]
    outcomes: Mapping[str, int]
    rules: tuple[RuleLoad, ...]
    boundaries: tuple[BoundaryLoad, ...]
    features: tuple[str, ...]
    contributions: Floats = field(repr=False)
    values: Floats = field(repr=False)
    segments: Segments | None
    settings: Mapping[str, Any]

    @property
    def loads(self) -> tuple[FeatureLoad, ...]:
        """The features that contribute to any row, the largest mean size first, ties by order of declaration."""
        return feature_loads(self.features, self.contributions)

    @property
    def by_segment(self) -> dict[str, tuple[FeatureLoad, ...]]:
        """The same for the rows of each segment."""
        if self.segments is None:
            return {}
        return {
            label: feature_loads(self.features, self.contributions[self.segments.of == place])
            for place, label in enumerate(self.segments.labels)
        }


def overview(
    smace: Smace,
    models: dict[str, BoundModel],
    table: Table,
    settings: Settings,
    question: Question,
    sample: int | None = None,
    by: str | None = None,
    groups: Table | None = None,
) -> Overview:
    """The overview of a table: rules and boundaries over all its rows, contributions over a `sample` of them.

    The sample is drawn by the seed of the settings, and is in the order of the rows; None takes all. `groups` holds the
    feature `by` of the same rows, which the decision need not read. Raises DataError as SMACE and Segments do.
    """
    program, decision = smace.program, smace.program.decisions[question.decision]
    result = evaluate(program, models, table, settings, (decision.name,))[decision.name]
    chosen = _sampled(table.rows, sample, settings.seed)
    features = program.features_of([decision.name])
    found = explain_rows(smace, models, table, chosen.tolist(), settings, question)
    parts = [{part.feature: part.total for part in one.contributions} for one in found]
    contributions = np.array([[part.get(name, 0.0) for name in features] for part in parts]).reshape(-1, len(features))
    seen = table.take(chosen)
    return Overview(
        policy=program.name,
        policy_sha256=program.fingerprint,
        decision=decision.name,
        rows=table.rows,
        statuses=_counted(result.status),
        outcomes=_counted([value for value in result.value if value is not None]),
        rules=tuple(_rule_loads(decision, result)),
        boundaries=tuple(_boundary_loads(smace, models, table, settings, decision)),
        features=features,
        contributions=contributions,
        values=np.column_stack([_numbers(program, seen, name) for name in features])
        if features
        else np.zeros((len(chosen), 0)),
        segments=None if by is None or groups is None else Segments.by(program, groups.take(chosen), by),
        settings={
            "by": by,
            "near": NEAR,
            "rows_explained": len(chosen),
            "scale": question.scale,
            "categories": question.categories,
            "seed": settings.seed,
            "background_sha256": None if smace.background is None else smace.background.sha256,
            "background_rows": 0 if smace.background is None else smace.background.rows,
            "today": settings.today.isoformat(),
        },
    )


def feature_loads(features: Sequence[str], contributions: Floats) -> tuple[FeatureLoad, ...]:
    """The load of each feature from contributions (rows, features)."""
    if not len(contributions):
        return ()
    sizes, means = np.abs(contributions).mean(axis=0), contributions.mean(axis=0)
    shares = (contributions != 0).mean(axis=0)
    order = sorted(range(len(features)), key=lambda place: -sizes[place])
    return tuple(
        FeatureLoad(features[place], float(sizes[place]), float(means[place]), float(shares[place]))
        for place in order
        if sizes[place]
    )


def _sampled(rows: int, sample: int | None, seed: int) -> NDArray[np.intp]:
    if sample is None or sample >= rows:
        return np.arange(rows)
    return np.sort(np.random.default_rng(seed).choice(rows, sample, replace=False))


def _counted(values: Any) -> dict[str, int]:
    """How often each text occurs, most often first, then in order of the alphabet."""
    texts, counts = np.unique([str(value) for value in values], return_counts=True)
    return {str(texts[place]): int(counts[place]) for place in np.argsort(-counts, kind="stable")}


def _rule_loads(decision: Decision, result: DecisionResult) -> Iterator[RuleLoad]:
    """Under `first`, and in a companion list, a rule is reached by the rows that no earlier one took."""
    fired = [set(str(rules).split(";")) for rules in result.rule]
    valid = sum(status != "invalid" for status in result.status)
    goes_on = isinstance(decision.body, RuleList) and decision.body.hit_policy != "first"
    names = [rule.name for rule in decision.rules]
    names += [name for name in [getattr(decision.body, "fallback_name", None)] if name is not None]
    left = valid
    for name in names:
        taken = sum(name in rules for rules in fired)
        yield RuleLoad(name, valid if goes_on else left, taken)
        left -= taken


def _boundary_loads(
    smace: Smace, models: dict[str, BoundModel], table: Table, settings: Settings, decision: Decision
) -> Iterator[BoundaryLoad]:
    """Each condition with an order once, with the first rule that has it."""
    places: dict[tuple[Expression, Expression], tuple[str, Expression]] = {}
    for rule in decision.rules:
        for condition in (atom for part in conjuncts(rule.condition) for atom in atoms(part)):
            for sides in _sides(condition):
                places.setdefault(sides, (rule.name, condition))
    wanted = list(dict.fromkeys(side for sides in places for side in sides))
    columns = complete(smace.program, models, table, settings, wanted) if wanted else {}
    for (left, right), (first, condition) in places.items():
        known = (columns[left].state() == KNOWN) & (columns[right].state() == KNOWN)
        values = in_days(columns[left].values, left)[known]
        distance = np.abs(values - in_days(columns[right].values, right)[known])
        scale = _scale(smace, left, values)
        near = float(np.mean(distance <= NEAR * scale)) if len(values) else 0.0
        yield BoundaryLoad(first, condition_text(condition), variable_name(left), scale, len(values), near)


def _sides(condition: Expression) -> list[tuple[Expression, Expression]]:
    """The value and the boundary of each end of a condition."""
    match condition:
        case Compare(left=left, right=right) if left.type in MEASURED:
            return [(left, right)] if isinstance(left, Variable) or not isinstance(right, Variable) else [(right, left)]
        case Within(value=value, low=low, high=high) if value.type in MEASURED:
            return [(value, end.value) for end in (low, high) if end is not None]
    return []


def _scale(smace: Smace, variable: Expression, values: Floats) -> float:
    domain = declared_domain(smace.program, variable)
    width = None if domain is None or domain.low is None or domain.high is None else domain.high - domain.low
    if isinstance(width, int | float):
        return float(width) or 1.0
    if width is not None:
        return width.days or 1.0
    return (float(values.max() - values.min()) if len(values) else 0.0) or 1.0


def _numbers(program: Program, table: Table, name: str) -> Floats:
    """The values of a feature as numbers for a colour, labels by their positions; NaN where none may be shown."""
    column = table.columns[name]
    if program.features[name].sensitive:
        return np.full(len(column), np.nan)
    if column.values.dtype == object:
        _, values = np.unique(column.values.astype(str), return_inverse=True)
    else:
        values = column.values
    return np.where(column.state() == KNOWN, values.astype(np.float64), np.nan)
