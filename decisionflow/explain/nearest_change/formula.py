"""What has to hold of a point for a decision to be as wanted: a two-valued formula over conditions on features.

Missing values stay missing, so that of the language's four truth values each condition is reduced to the question
whether it is true; what is unknown or an error has become a formula of its own before.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from decisionflow.conditions.arithmetic import EQUAL_WITHIN
from decisionflow.conditions.expression import Expression
from decisionflow.conditions.intervals import Region
from decisionflow.conditions.operators import COMPARISON, Comparison
from decisionflow.conditions.values import Failure, Value
from decisionflow.explain.allowed import Labels
from decisionflow.explain.nearest_change.trees import Forest


@dataclass(frozen=True, slots=True, eq=False)
class OnFeature:
    """One feature lies in a region, or has one of some labels.

    `units` are the last decimals written in each end. Ends that are `computed` nobody wrote: a feature with a step does
    not stop at them.
    """

    feature: int
    allowed: Region | Labels
    units: Mapping[float, float] = field(default_factory=dict)
    computed: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """`constant + sum of weight * feature + sum of the weight of each label`; weights are never zero."""

    weights: Mapping[int, float] = field(default_factory=dict)
    labels: Mapping[int, Mapping[Value, float]] = field(default_factory=dict)
    constant: float = 0.0

    @property
    def features(self) -> tuple[int, ...]:
        """The features that it reads."""
        return (*self.weights, *(feature for feature in self.labels if feature not in self.weights))

    def scaled(self, factor: float) -> Form:
        """The form times a number."""
        if factor == 0:
            return Form()
        labels = {at: {name: share * factor for name, share in named.items()} for at, named in self.labels.items()}
        weights = {at: weight * factor for at, weight in self.weights.items()}
        return Form(weights, labels, self.constant * factor)

    def plus(self, other: Form) -> Form:
        """The sum of two forms."""
        weights = dict(self.weights)
        for at, weight in other.weights.items():
            weights[at] = weights.get(at, 0.0) + weight
        labels = {at: dict(named) for at, named in self.labels.items()}
        for at, named in other.labels.items():
            own = labels.setdefault(at, {})
            for name, share in named.items():
                own[name] = own.get(name, 0.0) + share
        kept = {at: weight for at, weight in weights.items() if weight}
        return Form(kept, labels, add_up((self.constant, other.constant)))

    def value(self, values: Mapping[int, Value]) -> float:
        """The form at a point; what is lost in the last digits of its terms is zero (law 1 of the language)."""
        terms = [self.constant, *(weight * values[at] for at, weight in self.weights.items())]
        return add_up([*terms, *(named.get(values[at], 0.0) for at, named in self.labels.items())])


@dataclass(frozen=True, slots=True, eq=False)
class HalfSpace:
    """A form compared with zero; where no feature in it has a step of its own, an excluded end is passed by `margin`.

    The margin is the form that one unit of the last decimal written comes to, never negative where the condition is
    asked.
    """

    form: Form
    comparison: Comparison
    margin: Form

    def holds(self, values: Mapping[int, Value]) -> bool:
        """Whether a point lies in it."""
        return self.comparison.holds(self.form.value(values), 0.0)


def add_up(terms: Iterable[float]) -> float:
    """A sum; one smaller than 1e-12 of its largest term is zero."""
    given = list(terms)
    total = math.fsum(given)
    return 0.0 if abs(total) <= EQUAL_WITHIN * max(map(abs, given), default=0.0) else total


@dataclass(frozen=True, slots=True, eq=False)
class Threshold:
    """The score of a sum of trees, compared with a number."""

    scored: Forest
    comparison: Comparison
    threshold: float


@dataclass(frozen=True, slots=True, eq=False)
class Tried:
    """A condition that can only be tried out at a point: there it comes out as `truth`, None for an error.

    Where not `wanted`, it comes out as anything else.
    """

    condition: Expression
    truth: bool | None = True
    wanted: bool = True

    def holds(self, found: Value) -> bool:
        """Whether what the condition came to is as wanted."""
        as_asked = isinstance(found, Failure) if self.truth is None else found is self.truth
        return as_asked == self.wanted


@dataclass(frozen=True, slots=True, eq=False)
class All:
    """All of the parts hold; of none, true."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Some:
    """At least `number` of the parts hold; one of none, false."""

    parts: tuple[Formula, ...]
    number: int = 1


Formula = OnFeature | HalfSpace | Threshold | Tried | All | Some
TRUE, FALSE = All(()), Some(())


def is_true(formula: Formula) -> bool:
    """Whether a formula is written as constantly true."""
    return isinstance(formula, All) and not formula.parts


def is_false(formula: Formula) -> bool:
    """Whether a formula is written as constantly false."""
    return isinstance(formula, Some) and len(formula.parts) < formula.number


def all_of(parts: Iterable[Formula]) -> Formula:
    """The conjunction, constants taken out and nested ones opened."""
    kept: list[Formula] = []
    for part in parts:
        if is_false(part):
            return FALSE
        kept += part.parts if isinstance(part, All) else (part,)
    return kept[0] if len(kept) == 1 else All(tuple(kept))


def any_of(parts: Iterable[Formula]) -> Formula:
    """The disjunction, constants taken out and nested ones opened."""
    kept: list[Formula] = []
    for part in parts:
        if is_true(part):
            return TRUE
        if not is_false(part):
            kept += part.parts if isinstance(part, Some) and part.number == 1 else (part,)
    return kept[0] if len(kept) == 1 else Some(tuple(kept))


def at_least(number: int, parts: Iterable[Formula]) -> Formula:
    """At least so many of the parts, constants taken out."""
    given = list(parts)
    number -= sum(1 for part in given if is_true(part))
    open_ = tuple(part for part in given if not is_true(part) and not is_false(part))
    if number <= 0:
        return TRUE
    if number > len(open_):
        return FALSE
    if number == 1:
        return any_of(open_)
    return all_of(open_) if number == len(open_) else Some(open_, number)


def negation(formula: Formula) -> Formula:
    """The formula that holds exactly where this one does not."""
    match formula:
        case OnFeature(feature=feature, allowed=allowed, units=units, computed=computed):
            if isinstance(allowed, Region):
                return OnFeature(feature, allowed.complement(), units, computed)
            return OnFeature(feature, Labels(allowed.named, not allowed.others))
        case HalfSpace(form=form, comparison=comparison, margin=margin):
            return HalfSpace(form, COMPARISON[comparison.negation], margin)
        case Threshold(scored=scored, comparison=comparison, threshold=threshold):
            return Threshold(scored, COMPARISON[comparison.negation], threshold)
        case Tried(condition=condition, truth=truth, wanted=wanted):
            return Tried(condition, truth, not wanted)
        case All(parts=parts):
            return any_of(negation(part) for part in parts)
        case Some(parts=parts, number=number):
            return at_least(len(parts) - number + 1, (negation(part) for part in parts))


def literals(formula: Formula) -> Iterable[OnFeature | HalfSpace | Threshold | Tried]:
    """Everything in a formula that is no logic, each object once."""
    seen: set[int] = set()
    waiting: list[Formula] = [formula]
    while waiting:
        found = waiting.pop()
        if id(found) in seen:
            continue
        seen.add(id(found))
        if isinstance(found, All | Some):
            waiting += found.parts
        else:
            yield found
