"""Between which numbers an expression lies, as far as domains and the conditions around it tell."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce

from decisionflow.conditions.expression import (
    Among,
    And,
    Apply,
    Bound,
    Choose,
    Compare,
    Constant,
    Expression,
    Not,
    Or,
    Variable,
    Within,
)
from decisionflow.conditions.intervals import EVERYTHING, Interval, Region, union
from decisionflow.conditions.operators import COMPARISON, Comparison
from decisionflow.program.declarations import Decision, Derived, Domain, Feature, ModelDeclaration
from decisionflow.program.program import Program
from decisionflow.types import INTEGER, NUMBER

Guards = Mapping[Expression, Region]
"""What is known of expressions where a condition has been decided."""

WHOLE = Region()
DEEPEST = 40
"""Beyond so many nested expressions a range is not worth its search; everything is possible then."""


def guards_of(condition: Expression, holds: bool) -> dict[Expression, Region]:
    """What a condition that holds, or that is false, says of the expressions that it compares with constants."""
    found: dict[Expression, Region] = {}
    waiting = [(condition, holds)]
    while waiting:
        node, truth = waiting.pop()
        if isinstance(node, Not):
            waiting.append((node.part, not truth))
        elif isinstance(node, And if truth else Or):
            waiting += [(part, truth) for part in node.parts]
        else:
            told = _told(node)
            if told is not None:
                value, region = told
                region = region if truth else region.complement()
                found[value] = found.get(value, WHOLE).intersect(region)
    return found


def both(first: Guards, second: Guards) -> dict[Expression, Region]:
    """What is known where two conditions have been decided."""
    joined = dict(first)
    for value, region in second.items():
        joined[value] = joined[value].intersect(region) if value in joined else region
    return joined


def _told(node: Expression) -> tuple[Expression, Region] | None:
    """The expression that an atom compares with numbers, and the region where the atom is true."""
    if isinstance(node, Compare):
        left, right = _number(node.left), _number(node.right)
        if right is not None:
            return node.left, side_of(node.comparison, right)
        if left is not None:
            return node.right, side_of(COMPARISON[node.comparison.mirrored], left)
    if isinstance(node, Within):
        low, high = _end(node.low, -math.inf), _end(node.high, math.inf)
        if low is not None and high is not None:
            return node.value, union([Interval(low[0], high[0], low[1], high[1])])
    if isinstance(node, Among):
        members = [number for choice in node.choices if (number := _number(choice)) is not None]
        if len(members) == len(node.choices):
            return node.value, union(Interval(number, number, True, True) for number in members)
    return None


def _number(node: Expression) -> float | None:
    return node.value if isinstance(node, Constant) and node.type in (NUMBER, INTEGER) else None


def _end(bound: Bound | None, absent: float) -> tuple[float, bool] | None:
    if bound is None:
        return absent, False
    number = _number(bound.value)
    return None if number is None else (number, bound.closed)


def side_of(comparison: Comparison, threshold: float) -> Region:
    """The numbers for which a comparison with a threshold is true."""
    if comparison.spelling == "=":
        return union([Interval(threshold, threshold, True, True)])
    if comparison.spelling == "!=":
        return union([Interval(threshold, threshold, True, True)]).complement()
    if comparison.side < 0:
        return union([Interval(high=threshold, high_closed=comparison.closed)])
    return union([Interval(low=threshold, low_closed=comparison.closed)])


@dataclass
class Ranges:
    """Ranges of the expressions of one program; those of derived values are remembered."""

    program: Program
    known: dict[str, Interval] = field(default_factory=dict)

    def of(self, node: Expression, guards: Guards, depth: int = 0) -> Interval:
        """The smallest interval that is sure to hold every known value of the expression."""
        found = EVERYTHING if depth > DEEPEST else self._inner(node, guards, depth)
        told = guards.get(node)
        if told is None:
            return found
        return hull(found.intersect(interval) for interval in told.intervals)

    def may_be_zero(self, node: Expression, guards: Guards) -> bool:
        """Whether zero is a possible value, as far as is known."""
        told = guards.get(node)
        return self.of(node, guards).contains(0.0) and (told is None or told.contains(0.0))

    def _inner(self, node: Expression, guards: Guards, depth: int) -> Interval:
        if isinstance(node, Constant):
            number = _number(node)
            return EVERYTHING if number is None else Interval(number, number, True, True)
        if isinstance(node, Variable):
            return self._variable(node, depth)
        if isinstance(node, Choose):
            then = self.of(node.then, both(guards, guards_of(node.condition, True)), depth + 1)
            otherwise = self.of(node.otherwise, both(guards, guards_of(node.condition, False)), depth + 1)
            return hull([then, otherwise])
        if isinstance(node, Apply) and node.function.spelling in ARITHMETIC:
            if node.type not in (NUMBER, INTEGER):
                return EVERYTHING
            parts = [self.of(argument, guards, depth + 1) for argument in node.arguments]
            return EVERYTHING if any(part.is_empty for part in parts) else ARITHMETIC[node.function.spelling](parts)
        return EVERYTHING

    def _variable(self, node: Variable, depth: int) -> Interval:
        if node.name == "today" or node.type not in (NUMBER, INTEGER):
            return EVERYTHING
        declared = self.program.node(node.name)
        if isinstance(declared, Derived):
            if node.name not in self.known:
                self.known[node.name] = self.of(declared.expression, {}, depth + 1)
            return self.known[node.name]
        return as_interval(_domain(declared, node.part))


def _domain(declared: Feature | ModelDeclaration | Decision, part: str) -> Domain | None:
    if isinstance(declared, Decision) and part:
        return dict(declared.part_domains).get(part)
    return declared.domain


def as_interval(domain: Domain | None) -> Interval:
    """A domain of numbers as an interval."""
    if domain is None:
        return EVERYTHING
    return Interval(
        -math.inf if domain.low is None else domain.low,
        math.inf if domain.high is None else domain.high,
        domain.low is not None and domain.low_closed,
        domain.high is not None and domain.high_closed,
    )


def hull(intervals: Iterable[Interval]) -> Interval:
    """The smallest interval that holds all of some intervals; empty where all are."""
    filled = [interval for interval in intervals if not interval.is_empty]
    if not filled:
        return Interval(0.0, 0.0, False, False)
    low, open_low = min((interval.low, not interval.low_closed) for interval in filled)
    high, closed = max((interval.high, interval.high_closed) for interval in filled)
    return Interval(low, high, not open_low, closed)


# Arithmetic of intervals; an end that a computation may only touch is open


def _sum(parts: list[Interval]) -> Interval:
    return reduce(_sum_of_two, parts)


def _sum_of_two(left: Interval, right: Interval) -> Interval:
    return Interval(
        left.low + right.low,
        left.high + right.high,
        left.low_closed and right.low_closed,
        left.high_closed and right.high_closed,
    )


def _negated(parts: list[Interval]) -> Interval:
    (part,) = parts
    return Interval(-part.high, -part.low, part.high_closed, part.low_closed)


def _difference(parts: list[Interval]) -> Interval:
    if len(parts) == 1:
        return _negated(parts)
    return _sum([parts[0], _negated([parts[1]])])


def _product(parts: list[Interval]) -> Interval:
    left, right = parts
    corners = [
        _corner(a, b)
        for a in ((left.low, left.low_closed), (left.high, left.high_closed))
        for b in ((right.low, right.low_closed), (right.high, right.high_closed))
    ]
    low, open_low = min((value, not closed) for value, closed in corners)
    high, closed = max(corners)
    return Interval(low, high, not open_low, closed)


def _corner(first: tuple[float, bool], second: tuple[float, bool]) -> tuple[float, bool]:
    for value, closed in (first, second):
        if value == 0:
            return 0.0, closed
    return first[0] * second[0], first[1] and second[1]


def _quotient(parts: list[Interval]) -> Interval:
    """Only the sign is followed."""
    signs = [1 if part.low >= 0 and not part.contains(0.0) else -1 if part.high <= 0 else 0 for part in parts]
    return Interval(low=0.0) if signs == [1, 1] else EVERYTHING


def _absolute(parts: list[Interval]) -> Interval:
    (part,) = parts
    if part.contains(0.0):
        return Interval(0.0, math.inf, True, False)
    return part if part.low >= 0 else _negated(parts)


def _smallest(parts: list[Interval]) -> Interval:
    low, open_low = min((part.low, not part.low_closed) for part in parts)
    high, open_high = min((part.high, not part.high_closed) for part in parts)
    return Interval(low, high, not open_low, not open_high)


def _largest(parts: list[Interval]) -> Interval:
    low, low_closed = max((part.low, part.low_closed) for part in parts)
    high, high_closed = max((part.high, part.high_closed) for part in parts)
    return Interval(low, high, low_closed, high_closed)


def _whole(parts: list[Interval]) -> Interval:
    """`round`, `floor` and `ceil` move a number by at most one."""
    low, high = math.floor(parts[0].low) if math.isfinite(parts[0].low) else -math.inf, parts[0].high
    return Interval(low, high + 1, math.isfinite(low), math.isfinite(high))


def _positive(_: list[Interval]) -> Interval:
    return Interval(low=0.0)


ARITHMETIC: dict[str, Callable[[list[Interval]], Interval]] = {
    "+": _sum,
    "-": _difference,
    "*": _product,
    "/": _quotient,
    "min": _smallest,
    "max": _largest,
    "abs": _absolute,
    "ceil": _whole,
    "floor": _whole,
    "round": _whole,
    "exp": _positive,
    "sqrt": lambda parts: _positive(parts) if parts[0].low >= 0 and not parts[0].contains(0.0) else EVERYTHING,
}
