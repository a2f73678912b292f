"""What a candidate rule asks of a row, in the data's own units and labels.

A condition reads a mapping from feature names to columns as `feature_table.read_columns` makes them: numbers and
booleans are float arrays with NaN for missing, vocabularies are object arrays with None. A missing value satisfies
no condition, negated ones included, as a comparison with a missing value is unknown in a policy.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from decisionflow.learn.policy_words import label_text, number_text
from decisionflow.syntax.spelling import declared_name

Columns = Mapping[str, NDArray[Any]]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class InInterval:
    """The feature's number lies between two bounds; infinite bounds are open ends."""

    feature: str
    low: float = -math.inf
    high: float = math.inf
    low_closed: bool = True
    high_closed: bool = False
    negated: bool = False

    @property
    def features(self) -> tuple[str, ...]:
        return (self.feature,)

    def covers(self, columns: Columns) -> Mask:
        values = columns[self.feature]
        above = values >= self.low if self.low_closed else values > self.low
        below = values <= self.high if self.high_closed else values < self.high
        inside: Mask = above & below
        return ~inside & ~np.isnan(values) if self.negated else inside

    def negation(self) -> InInterval:
        if self.low == -math.inf:
            return InInterval(self.feature, low=self.high, low_closed=not self.high_closed)
        if self.high == math.inf:
            return InInterval(self.feature, high=self.low, high_closed=not self.low_closed)
        return InInterval(self.feature, self.low, self.high, self.low_closed, self.high_closed, not self.negated)

    def write(self, declared: frozenset[str] = frozenset()) -> str:  # noqa: ARG002
        name, low, high = declared_name(self.feature), number_text(self.low), number_text(self.high)
        if self.low == self.high:
            return f"{name} {'!=' if self.negated else '='} {low}"
        if self.low == -math.inf:
            return f"{name} {'<=' if self.high_closed else '<'} {high}"
        if self.high == math.inf:
            return f"{name} {'>=' if self.low_closed else '>'} {low}"
        interval = f"{'[' if self.low_closed else '('}{low} .. {high}{']' if self.high_closed else ')'}"
        return f"{name} {'not in' if self.negated else 'in'} {interval}"

    @property
    def text(self) -> str:
        return self.write()


@dataclass(frozen=True, slots=True)
class HasLabel:
    """The feature's value is one label of its vocabulary."""

    feature: str
    label: str
    negated: bool = False

    @property
    def features(self) -> tuple[str, ...]:
        return (self.feature,)

    def covers(self, columns: Columns) -> Mask:
        values = columns[self.feature]
        same: Mask = np.equal(values, self.label).astype(np.bool_)
        return ~same & ~pd.isna(values) if self.negated else same

    def negation(self) -> HasLabel:
        return HasLabel(self.feature, self.label, not self.negated)

    def write(self, declared: frozenset[str] = frozenset()) -> str:
        return f"{declared_name(self.feature)} {'!=' if self.negated else '='} {label_text(self.label, declared)}"

    @property
    def text(self) -> str:
        return self.write()


@dataclass(frozen=True, slots=True)
class IsTruth:
    """The feature's boolean is the one asked for."""

    feature: str
    truth: bool = True

    @property
    def features(self) -> tuple[str, ...]:
        return (self.feature,)

    def covers(self, columns: Columns) -> Mask:
        found: Mask = columns[self.feature] == float(self.truth)
        return found

    def negation(self) -> IsTruth:
        return IsTruth(self.feature, not self.truth)

    def write(self, declared: frozenset[str] = frozenset()) -> str:  # noqa: ARG002
        return f"{declared_name(self.feature)} = {'true' if self.truth else 'false'}"

    @property
    def text(self) -> str:
        return self.write()


Atom = InInterval | HasLabel | IsTruth


@dataclass(frozen=True, slots=True)
class AllOf:
    """Every part holds; without parts, every row is covered."""

    parts: tuple[Atom, ...] = ()

    @property
    def features(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(part.feature for part in self.parts))

    def covers(self, columns: Columns) -> Mask:
        if not self.parts:
            return np.ones(len(next(iter(columns.values()))), dtype=np.bool_)
        found: Mask = np.logical_and.reduce([part.covers(columns) for part in self.parts])
        return found

    def write(self, declared: frozenset[str] = frozenset()) -> str:
        return " and ".join(part.write(declared) for part in self.parts) or "true"

    @property
    def text(self) -> str:
        return self.write()


Condition = Atom | AllOf
