"""Functions that only rise or only fall with one feature, and where they pass a number.

A root or a logarithm lies below every number where it is an error: its cases keep that part out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta

from decisionflow.conditions.expression import Apply
from decisionflow.conditions.intervals import Interval, Region
from decisionflow.conditions.linear import as_number
from decisionflow.conditions.operators import AT_LEAST, GREATER, Comparison, Function
from decisionflow.conditions.values import Failure, Value, is_known
from decisionflow.explain.allowed import MEASURED
from decisionflow.explain.nearest_change.contents import ABSENT, BROKEN, UNOPENED, Content, Curve, Known
from decisionflow.explain.nearest_change.formula import Form
from decisionflow.types import Date, Duration, Integer, Timestamp, Type

FIRST_DAY, LAST_DAY = date(1, 1, 1).toordinal() - 719_163, date(9999, 12, 31).toordinal() - 719_163
FARTHEST, MOST_HALVINGS = 1e15, 300
ENDLESS = 1e300
"""Beyond every number, and yet one that compares as numbers do."""


def curve_of(expression: Apply, contents: Sequence[Content]) -> Content:
    """A function of constants, or of one feature with which it only rises or falls; else unopened."""
    kinds = [argument.type for argument in expression.arguments]
    moving = [at for at, content in enumerate(contents) if not _is_fixed(content)]
    if not moving:
        return _fixed(expression, [_scalar(content, kind) for content, kind in zip(contents, kinds, strict=True)])
    if len(moving) > 1 or expression.type not in MEASURED:
        return UNOPENED
    (at,) = moving
    rises, inner = _direction(expression, contents, at), _inner(contents[at])
    if rises is None or inner is None:
        return UNOPENED
    known = [_scalar(content, kind) if _is_fixed(content) else 0 for content, kind in zip(contents, kinds, strict=True)]
    return Curve(inner.feature, rises == inner.rising, _composed(expression.function, known, at, kinds[at], inner.at))


def curve_region(curve: Curve, comparison: Comparison, number: float, kind: Type) -> Region:
    """Where a curve over a feature of this type compares so with a number."""
    at_least = _above(curve, number, False, kind)
    more = _above(curve, number, True, kind)
    match comparison.spelling:
        case ">=":
            return at_least
        case ">":
            return more
        case "<":
            return at_least.complement()
        case "<=":
            return more.complement()
    equal = at_least.intersect(more.complement())
    return equal if comparison.spelling == "=" else equal.complement()


def _above(curve: Curve, number: float, strict: bool, kind: Type) -> Region:
    """Where a curve is at least a number, or more than it where `strict`."""

    def high(place: float) -> bool:
        found = curve.at(place)
        value = math.copysign(ENDLESS, place) if isinstance(found, Failure) else as_number(found)
        return (GREATER if strict else AT_LEAST).holds(value, number, tolerant=True)

    whole = isinstance(kind, Integer | Date)
    if curve.rising:
        first = _first(high, kind)
        return Region((Interval(first, math.inf, math.isfinite(first), False),)) if first < math.inf else Region(())
    first = _first(lambda place: not high(place), kind)
    if not math.isfinite(first):
        return Region() if first > 0 else Region(())
    last = first - 1 if whole else math.nextafter(first, -math.inf)
    return Region((Interval(-math.inf, last, False, True),))


def _first(holds: Callable[[float], bool], kind: Type) -> float:
    """The first place from which on a predicate holds; infinite where it holds everywhere, or nowhere."""
    whole = isinstance(kind, Integer | Date)
    low, high = (float(FIRST_DAY), float(LAST_DAY)) if isinstance(kind, Date | Timestamp) else (-FARTHEST, FARTHEST)
    if holds(low):
        return -math.inf
    if not holds(high):
        return math.inf
    for _ in range(MOST_HALVINGS):
        middle = float(math.floor((low + high) / 2)) if whole else (low + high) / 2
        if middle in (low, high):
            break
        low, high = (low, middle) if holds(middle) else (middle, high)
    neat = float(format(high, ".12g"))
    return neat if holds(neat) and not holds(neat - 1 if whole else math.nextafter(neat, -math.inf)) else high


def scalar(number: float, kind: Type) -> Value:
    """A number of days, or a plain number, as a value of a type."""
    match kind:
        case Integer():
            return int(number)
        case Date():
            return date(1970, 1, 1) + timedelta(days=int(number))
        case Timestamp():
            return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(days=number)
        case Duration():
            return timedelta(days=number)
    return float(number)


def _is_fixed(content: Content) -> bool:
    return isinstance(content, Known) or (isinstance(content, Form) and not content.features)


def _scalar(content: Content, kind: Type) -> Value:
    if isinstance(content, Known):
        return content.value
    return scalar(content.constant, kind) if isinstance(content, Form) else None


def _fixed(expression: Apply, values: list[Value]) -> Content:
    found = expression.function.meaning(*values)
    if isinstance(found, Failure):
        return BROKEN
    if not is_known(found):
        return ABSENT
    return Form(constant=as_number(found)) if expression.type in MEASURED else Known(found)


def _inner(content: Content) -> Curve | None:
    if isinstance(content, Curve):
        return content
    if isinstance(content, Form) and len(content.weights) == 1 and not content.labels:
        ((feature, weight),) = content.weights.items()
        constant = content.constant
        return Curve(feature, weight > 0, lambda place: weight * place + constant)
    return None


def _direction(expression: Apply, contents: Sequence[Content], at: int) -> bool | None:
    """Whether the function rises with one of its arguments, the others fixed; None where it does neither."""
    spelling = expression.function.spelling
    others = [content.constant for content in contents if isinstance(content, Form) and not content.features]
    match spelling:
        case "floor" | "ceil" | "round" | "exp" | "sqrt" | "log":
            return True if at == 0 else None
        case "days" | "months" | "years":
            return at == 1
        case "+":
            return True
        case "-":
            return len(contents) == 2 and at == 0
        case "*":
            return others[0] > 0 if others and others[0] else None
        case "/":
            return others[0] > 0 if at == 0 and others and others[0] else None
    return None


def _composed(
    function: Function, known: list[Value], at: int, kind: Type, inner: Callable[[float], Value]
) -> Callable[[float], Value]:
    def value(place: float) -> Value:
        found = inner(place)
        if isinstance(found, Failure) or found == -ENDLESS:
            return found
        given = list(known)
        given[at] = scalar(as_number(found), kind)
        made = function.meaning(*given)
        return -ENDLESS if isinstance(made, Failure) and function.spelling in ("sqrt", "log") else made

    return value
