"""From conditions to boxes: which dimensions a decision's conditions speak of, and where each condition holds."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import cached_property

from decisionflow.check.boxes import Box, Key, OutOfReach, Slice, Space, point, tight
from decisionflow.check.ranges import Ranges, as_interval, side_of
from decisionflow.conditions.expression import (
    Among,
    And,
    Atom,
    Bound,
    Compare,
    Constant,
    Count,
    Expression,
    IsMissing,
    Not,
    Or,
    Variable,
    Within,
    variables,
    walk,
)
from decisionflow.conditions.intervals import EVERYTHING, Interval, Region, union
from decisionflow.conditions.operators import COMPARISON
from decisionflow.conditions.values import Value
from decisionflow.frozen import frozen
from decisionflow.program.declarations import Decision, Domain, Feature
from decisionflow.program.program import Program
from decisionflow.types import (
    BOOLEAN,
    DATE,
    DURATION,
    INTEGER,
    NUMBER,
    TEXT,
    TIMESTAMP,
    ListOf,
    Record,
    Type,
    Vocabulary,
)

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
EARLIEST, LATEST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
MOST_TRIES, MOST_COMPUTED = 3_000, 300_000
"""Rows that are evaluated for the lints of one decision, and names computed for them."""

MOST_WAYS = 64
"""`at least k of` is opened into no more combinations than this."""


@frozen
class Difference:
    """Two expressions compared with each other: a dimension that is below, at or above zero."""

    left: Expression
    right: Expression


@frozen
class Holds:
    """A condition that compares nothing with constants: a dimension that is 1 where it holds, else 0."""

    condition: Expression


@dataclass
class Codes:
    """Between values of an expression and the numbers that stand for them in boxes; texts are numbered as met."""

    texts: dict[Key, list[str]] = field(default_factory=dict)

    def code(self, key: Key, kind: Type, value: Value) -> float:
        """The number that stands for a value."""
        if isinstance(kind, Vocabulary):
            return kind.labels.index(value)
        if isinstance(kind, Record | ListOf):
            return 0
        if kind == TEXT:
            known = self.texts.setdefault(key, [])
            if value not in known:
                known.append(value)
            return known.index(value)
        if kind == DATE:
            return int(value.toordinal())
        if kind == TIMESTAMP:
            return (value - EPOCH) // MICROSECOND
        if kind == DURATION:
            return value // MICROSECOND
        return int(value) if kind == BOOLEAN else value

    def value(self, key: Key, kind: Type, number: float) -> Value:
        """The value that a number stands for."""
        if isinstance(kind, Vocabulary):
            return kind.labels[int(number)]
        if kind == TEXT:
            known = self.texts.get(key, [])
            return known[int(number)] if number < len(known) else _another(known)
        if kind == DATE:
            return date.fromordinal(int(number))
        if kind == TIMESTAMP:
            return EPOCH + int(number) * MICROSECOND
        if kind == DURATION:
            return int(number) * MICROSECOND
        if kind == BOOLEAN:
            return bool(number)
        return int(number) if kind == INTEGER else float(number)


def _another(known: list[str]) -> str:
    return next(text for text in map("other".__add__, ["", *map(str, range(len(known) + 1))]) if text not in known)


@dataclass(frozen=True)
class Facts:
    """What is known of a program's names, found once."""

    program: Program

    @cached_property
    def ranges(self) -> Ranges:
        return Ranges(self.program)

    @cached_property
    def may_be_missing(self) -> frozenset[str]:
        """Names that are missing in some valid row: optional features, decisions, and what is derived from them."""
        program, found = self.program, set(self.program.decisions)
        for name in program.order:
            optional = name in program.features and program.features[name].optional
            if optional or (name in program.derived and any(read in found for read in program.reads[name])):
                found.add(name)
        return frozenset(found)

    @cached_property
    def thresholds(self) -> dict[str, tuple[float, ...]]:
        """The numbers that each name is compared with anywhere, and their neighbours."""
        found: dict[str, list[float]] = {}
        derived = (item.expression for item in self.program.derived.values())
        decided = (item for decision in self.program.decisions.values() for item in decision.expressions)
        for expression in (*derived, *decided):
            for node in walk(expression):
                key, kind, constants = subject(node) if isinstance(node, Atom) else (None, None, ())
                if isinstance(key, Variable) and kind in (NUMBER, INTEGER):
                    numbers = [n for item in constants for n in (item.value, item.value + 1, item.value - 1)]
                    found.setdefault(key.name, []).extend(numbers)
        return {name: tuple(dict.fromkeys(numbers)) for name, numbers in found.items()}


class Conditions:
    """The conditions of one decision in one space."""

    def __init__(self, facts: Facts, decision: Decision) -> None:
        self.facts, self.decision, self.codes = facts, decision, Codes()
        self.program, self.ranges = facts.program, facts.ranges
        self._tries = max(20, min(MOST_TRIES, MOST_COMPUTED // max(1, len(self.program.order))))
        found = [rule.condition for rule in decision.rules]
        self.kinds: dict[Key, Type] = {}
        for atom in (atom for condition in found for atom in all_atoms(condition)):
            self._meet(atom)
        self.space = Space({key: self._slice(key) for key in self.kinds}, frozenset(filter(self._is_whole, self.kinds)))
        self._true: dict[tuple[int, bool], list[Box]] = {}
        self._slices: dict[tuple[int, bool], Slice] = {}
        self.plain: dict[str, list[Value]] = {}

    def take_a_try(self) -> bool:
        """Whether one more row may be evaluated; a search never takes longer than a reader waits."""
        self._tries -= 1
        return self._tries >= 0

    def names_behind(self, key: Key) -> frozenset[str]:
        """The names that a dimension is, or is computed from."""
        if isinstance(key, Difference):
            return self.names_behind(key.left) | self.names_behind(key.right)
        read = {variable.name for variable in variables(key.condition if isinstance(key, Holds) else key)}
        return frozenset(read).union(*(self.program.ancestors(name) for name in read if name != "today"))

    # Dimensions

    def _meet(self, atom: Expression) -> None:
        key, kind, constants = subject(atom)
        self.kinds[key] = kind
        for constant in constants:
            self.codes.code(key, kind, constant.value)

    def _is_whole(self, key: Key) -> bool:
        return not isinstance(key, Difference) and self.kinds[key] != NUMBER

    def _slice(self, key: Key) -> Slice:
        kind = self.kinds[key]
        if isinstance(key, Difference):
            missing = self.may_be_missing(key.left) or self.may_be_missing(key.right)
            return Slice(union([EVERYTHING]), missing)
        if isinstance(key, Holds):
            return Slice(_whole(0, 1), self.may_be_missing(key.condition))
        return Slice(self._values(key, kind), self.may_be_missing(key))

    def _values(self, key: Expression, kind: Type) -> Region:
        if isinstance(kind, Vocabulary):
            return _whole(0, len(kind.labels) - 1)
        if kind == BOOLEAN:
            return _whole(0, 1)
        if kind == TEXT:
            return _whole(0, len(self.codes.texts.get(key, [])))
        if kind in (DATE, TIMESTAMP):
            return self._moments(key, kind)
        if kind in (NUMBER, INTEGER):
            return union([self.ranges.of(key, {})])
        return union([EVERYTHING])

    def _moments(self, key: Expression, kind: Type) -> Region:
        """The days or instants that the calendar has, inside the domain of a feature."""
        first, last = (date.min, date.max) if kind == DATE else (EARLIEST, LATEST)
        calendar = _whole(int(self.codes.code(key, kind, first)), int(self.codes.code(key, kind, last)))
        if not (isinstance(key, Variable) and key.name in self.program.features):
            return calendar
        domain = self._coded(key, kind, self.program.features[key.name].domain)
        return tight(calendar.intersect(union([as_interval(domain)])))

    def _coded(self, key: Key, kind: Type, domain: Domain | None) -> Domain | None:
        if domain is None:
            return None
        low = None if domain.low is None else self.codes.code(key, kind, domain.low)
        high = None if domain.high is None else self.codes.code(key, kind, domain.high)
        return Domain(low, high, domain.low_closed, domain.high_closed)

    def may_be_missing(self, expression: Expression) -> bool:
        """Whether an expression may be missing in a row that is not invalid."""
        return any(variable.name in self.facts.may_be_missing for variable in variables(expression))

    # Conditions

    def where(self, condition: Expression, holds: bool = True) -> list[Box]:
        """The boxes where a condition is true, or is false; raises OutOfReach."""
        place = (id(condition), holds)
        if place not in self._true:
            self._true[place] = self._where(condition, holds)
        return self._true[place]

    def _where(self, node: Expression, holds: bool) -> list[Box]:
        if isinstance(node, Constant):
            return [{}] if node.value is holds else []
        if isinstance(node, Not):
            return self.where(node.part, not holds)
        if isinstance(node, And | Or):
            groups = [self.where(part, holds) for part in node.parts]
            return self.space.product(groups) if isinstance(node, And) == holds else list(itertools.chain(*groups))
        if isinstance(node, Count):
            return self._counted(node, holds)
        slice_ = self.slice_where(node, holds)
        return [] if slice_.is_empty else [{subject(node)[0]: slice_}]

    def _counted(self, node: Count, holds: bool) -> list[Box]:
        """So many parts true, or so many false: what decides a count whatever the other parts are."""
        size, number = len(node.parts), node.number
        if node.quantifier == "exactly" and holds:
            return self._exactly(node)
        too_many, too_few = self._some_of(node, number + 1, True), self._some_of(node, size - number + 1, False)
        if node.quantifier == "exactly":
            return too_many + too_few
        if node.quantifier == "at least":
            return self._some_of(node, number, True) if holds else too_few
        return self._some_of(node, size - number, False) if holds else too_many

    def _some_of(self, node: Count, number: int, holds: bool) -> list[Box]:
        """Where at least so many parts are true, or are false."""
        if math.comb(len(node.parts), max(0, number)) > MOST_WAYS:
            raise OutOfReach
        ways = itertools.combinations(node.parts, max(0, number))
        return [box for way in ways for box in self.space.product([self.where(part, holds) for part in way])]

    def _exactly(self, node: Count) -> list[Box]:
        if math.comb(len(node.parts), node.number) > MOST_WAYS:
            raise OutOfReach
        ways = map(set, itertools.combinations(range(len(node.parts)), node.number))
        return [
            box
            for way in ways
            for box in self.space.product([self.where(part, place in way) for place, part in enumerate(node.parts)])
        ]

    def slice_where(self, atom: Expression, holds: bool) -> Slice:
        """The values of an atom's own dimension where it is true, or is false."""
        place = (id(atom), holds)
        if place not in self._slices:
            self._slices[place] = self._slice_where(atom, holds)
        return self._slices[place]

    def _slice_where(self, atom: Expression, holds: bool) -> Slice:
        key = subject(atom)[0]
        if isinstance(atom, IsMissing):
            everything = self.space.slices[key]
            return Slice(Region(()), everything.missing) if holds else Slice(everything.region)
        region = self._region(atom, key)
        return self.space.cut(key, region if holds else region.complement())

    def _region(self, atom: Expression, key: Key) -> Region:
        if isinstance(key, Holds):
            return point(1)
        if isinstance(key, Difference) and isinstance(atom, Compare):
            return side_of(atom.comparison, 0.0)
        kind = self.kinds[key]
        if isinstance(atom, Compare):
            constant = atom.right if isinstance(atom.right, Constant) else atom.left
            spelling = atom.comparison.spelling if constant is atom.right else atom.comparison.mirrored
            return side_of(COMPARISON[spelling], self._code(key, kind, constant))
        if isinstance(atom, Within):
            low = self._end(key, kind, atom.low, -math.inf)
            high = self._end(key, kind, atom.high, math.inf)
            return union([Interval(low[0], high[0], low[1], high[1])])
        if isinstance(atom, Among):
            return union(_at(self._code(key, kind, choice)) for choice in atom.choices)
        return point(1)

    def _code(self, key: Key, kind: Type, constant: Expression) -> float:
        if not isinstance(constant, Constant):
            raise TypeError("only constants have codes")
        return self.codes.code(key, kind, constant.value)

    def _end(self, key: Key, kind: Type, bound: Bound | None, absent: float) -> tuple[float, bool]:
        return (absent, False) if bound is None else (self._code(key, kind, bound.value), bound.closed)


def subject(atom: Expression) -> tuple[Key, Type, tuple[Constant, ...]]:
    """The dimension that an atom speaks of, its type, and the constants that it compares it with."""
    if isinstance(atom, Compare):
        if isinstance(atom.right, Constant) and not isinstance(atom.left, Constant):
            return atom.left, atom.left.type, (atom.right,)
        if isinstance(atom.left, Constant) and not isinstance(atom.right, Constant):
            return atom.right, atom.right.type, (atom.left,)
        return Difference(atom.left, atom.right), NUMBER, ()
    if isinstance(atom, Within | Among) and not isinstance(atom.value, Constant):
        others = [end.value for end in (atom.low, atom.high) if end] if isinstance(atom, Within) else atom.choices
        constants = tuple(other for other in others if isinstance(other, Constant))
        if len(constants) == len(others):
            return atom.value, atom.value.type, constants
    if isinstance(atom, IsMissing):
        return atom.value, atom.value.type, ()
    return (atom, BOOLEAN, ()) if isinstance(atom, Variable) else (Holds(atom), BOOLEAN, ())


def all_atoms(condition: Expression) -> list[Expression]:
    """The conditions without logic inside; constants left out."""
    found: list[Expression] = []
    waiting = [condition]
    while waiting:
        node = waiting.pop()
        if isinstance(node, And | Or | Count):
            waiting += reversed(node.parts)
        elif isinstance(node, Not):
            waiting.append(node.part)
        elif not isinstance(node, Constant):
            found.append(node)
    return found


def is_settable(key: Key, program: Program) -> bool:
    """Whether a row can be given any value of a dimension: a feature, the output of a model, or `today`."""
    return isinstance(key, Variable) and (
        key.name in program.features or key.name in program.models or key.name == "today"
    )


def feature_of(key: Key, program: Program) -> Feature | None:
    """The feature that a dimension is, if it is one."""
    return program.features.get(key.name) if isinstance(key, Variable) else None


def _whole(low: int, high: int) -> Region:
    return union([Interval(low, high, True, True)])


def _at(value: float) -> Interval:
    return Interval(value, value, True, True)
