"""What an expression comes to at a point, seen as a function of the features: a form, a ratio, a label, a curve."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from decisionflow.conditions.values import Value
from decisionflow.explain.nearest_change.formula import Form, Formula, is_false


@dataclass(frozen=True, slots=True, eq=False)
class Ratio:
    """One form divided by another."""

    top: Form
    bottom: Form


@dataclass(frozen=True, slots=True, eq=False)
class Label:
    """The label, text or truth value of a feature."""

    feature: int


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """A label, text or truth value that no change touches."""

    value: Value


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """A value that only rises, or only falls, with one feature: `at` gives it, or an error, where that is so much."""

    feature: int
    rising: bool
    at: Callable[[float], Value]


@dataclass(frozen=True, slots=True, eq=False)
class Output:
    """The output of a model."""

    model: str


@dataclass(frozen=True, slots=True, eq=False)
class Special:
    """What has no value, or none that is known of: missing, an error, or too involved to be opened."""

    name: str


ABSENT, BROKEN, UNOPENED = Special("absent"), Special("broken"), Special("unopened")
Content = Form | Ratio | Label | Known | Curve | Output | Special


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """Where `guard` holds, the expression is `content`; the cases of an expression exclude each other."""

    guard: Formula
    content: Content


def possible(cases: Iterable[Case]) -> list[Case]:
    """The cases that are not written as never holding."""
    return [case for case in cases if not is_false(case.guard)]
