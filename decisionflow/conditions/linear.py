"""Linear forms: a number as a weighted sum of axes, so that a condition over several variables is a half-space.

An axis is a variable, or an expression that is not linear and is taken whole. Dates, timestamps and durations count in
days.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from functools import reduce

from decisionflow.conditions.expression import Apply, Constant, Expression, Variable
from decisionflow.conditions.values import Value, is_known
from decisionflow.frozen import frozen
from decisionflow.types import DATE, DURATION, INTEGER, NUMBER, TIMESTAMP

SECONDS_A_DAY = 86_400.0


@frozen
class LinearForm:
    """`constant + sum of weight * axis`; weights are never zero."""

    weights: Mapping[Expression, float]
    constant: float = 0.0

    def scaled(self, factor: float) -> LinearForm:
        """The form times a number."""
        if factor == 0:
            return LinearForm({})
        return LinearForm({axis: weight * factor for axis, weight in self.weights.items()}, self.constant * factor)

    def plus(self, other: LinearForm) -> LinearForm:
        """The sum of two forms."""
        weights = dict(self.weights)
        for axis, weight in other.weights.items():
            weights[axis] = weights.get(axis, 0.0) + weight
        return LinearForm({axis: weight for axis, weight in weights.items() if weight}, self.constant + other.constant)


def as_number(value: Value) -> float:
    """A number, or a moment or length of time in days."""
    if isinstance(value, timedelta):
        return value.total_seconds() / SECONDS_A_DAY
    if isinstance(value, datetime):
        return value.timestamp() / SECONDS_A_DAY
    return float(value.toordinal() - _EPOCH) if isinstance(value, date) else float(value)


def linear_form(expression: Expression, opened: Mapping[str, LinearForm]) -> LinearForm:
    """The linear form of a numeric, date, timestamp or duration expression; `opened` holds that of derived values.

    A variable that is not opened is an axis.
    """
    match expression:
        case Constant(value=value) if is_known(value):
            return LinearForm({}, as_number(value))
        case Variable(name=name, part="") if name in opened:
            return opened[name]
        case Apply(function=function, arguments=arguments) if not any(part.type == TIMESTAMP for part in arguments):
            found = _apply(function.spelling, [linear_form(argument, opened) for argument in arguments])
            return found or LinearForm({expression: 1.0})
        case Apply(function=function, arguments=(left, right)) if function.spelling == "-" and left.type == right.type:
            return linear_form(left, opened).plus(linear_form(right, opened).scaled(-1))
    return LinearForm({expression: 1.0})


def linear_values(derived: Mapping[str, Expression], order: tuple[str, ...]) -> dict[str, LinearForm]:
    """The forms of those derived values that are linear in variables; `order` has each name after those it reads."""
    found: dict[str, LinearForm] = {}
    for name in order:
        if name in derived and derived[name].type in _MEASURED:
            form = linear_form(derived[name], found)
            if form.weights and all(isinstance(axis, Variable) for axis in form.weights):
                found[name] = form
    return found


def _apply(spelling: str, forms: list[LinearForm]) -> LinearForm | None:
    """The form of a function of forms, None where it is not linear."""
    match spelling, forms:
        case "+", [left, right]:
            return left.plus(right)
        case "+", [first, *others]:
            return reduce(LinearForm.plus, others, first)
        case "-", [left, right]:
            return left.plus(right.scaled(-1))
        case "-", [only]:
            return only.scaled(-1)
        case "days", [left, right]:
            return right.plus(left.scaled(-1))
        case "*", [left, right] if not left.weights:
            return right.scaled(left.constant)
        case "*", [left, right] if not right.weights:
            return left.scaled(right.constant)
        case "/", [left, right] if not right.weights and right.constant:
            return left.scaled(1 / right.constant)
    return None


_EPOCH = date(1970, 1, 1).toordinal()
_MEASURED = (NUMBER, INTEGER, DATE, TIMESTAMP, DURATION)
