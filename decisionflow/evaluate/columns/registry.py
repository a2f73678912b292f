"""Which column function belongs to which function of the language."""

from __future__ import annotations

from collections.abc import Callable

from decisionflow.conditions import operators
from decisionflow.conditions.operators import Function
from decisionflow.evaluate.columns import arithmetic, moments, rounding, text
from decisionflow.evaluate.columns.arithmetic import Answer

COLUMN_FUNCTIONS: tuple[tuple[Function, Callable[..., Answer]], ...] = (
    (operators.ADD, moments.add),
    (operators.SUBTRACT, moments.subtract),
    (operators.TOTAL, arithmetic.total),
    (operators.MULTIPLY, arithmetic.multiply),
    (operators.DIVIDE, arithmetic.divide),
    (operators.POWER, arithmetic.power),
    (operators.NEGATE, arithmetic.negate),
    (operators.MINIMUM, arithmetic.smallest),
    (operators.MAXIMUM, arithmetic.largest),
    (operators.ABSOLUTE, arithmetic.absolute),
    (operators.ROUND, rounding.round_to),
    (operators.FLOOR, rounding.floor),
    (operators.CEIL, rounding.ceil),
    (operators.ROOT, arithmetic.square_root),
    (operators.EXPONENTIAL, arithmetic.exponential),
    (operators.LOGARITHM, arithmetic.logarithm),
    (operators.DAYS, moments.days),
    (operators.MONTHS, moments.months),
    (operators.YEARS, moments.years),
    (operators.STARTS_WITH, text.starts_with),
    (operators.ENDS_WITH, text.ends_with),
    (operators.CONTAINS, text.contains),
    (operators.LOWER, text.lower),
    (operators.TRIM, text.trim),
)
_BY_KEY = {(function.spelling, function.place): column for function, column in COLUMN_FUNCTIONS}


def column_function(function: Function) -> Callable[..., Answer]:
    """The function on columns: arrays `(n,)` or `(1,)` of the arguments, then their types.

    The answer is the values, and the codes of the errors or None. Where an argument is not known its filler is given;
    what comes out of that means nothing.
    """
    return _BY_KEY[function.spelling, function.place]
