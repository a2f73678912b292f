"""The functions of the language on plain values: what would be an error leaves the plain way instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from decisionflow.conditions.arithmetic import NOTHING_WITHIN, equal
from decisionflow.conditions.operators import ADD, DIVIDE, MULTIPLY, SUBTRACT, Function
from decisionflow.conditions.values import Failure
from decisionflow.types import INTEGER, NUMBER, Type


class NotPlain(Exception):
    """A row has to be decided by the evaluator."""


def plain_function(function: Function, types: tuple[Type, ...]) -> Callable[..., Any]:
    """A function on known values of these types that raises NotPlain where its value is an error."""
    if NUMBER in types and all(kind in (NUMBER, INTEGER) for kind in types):
        for record, fast in _REAL:
            if record is function:
                return fast
    meaning = _divide if function is DIVIDE else plainly(function)
    if function.result(types) == NUMBER and function is not DIVIDE:
        return lambda *values: float(meaning(*values))
    return meaning


def plainly(function: Function) -> Callable[..., Any]:
    """The scalar meaning of a function, raising NotPlain for an error value."""
    meaning = function.meaning

    def plain(*values: Any) -> Any:
        found = meaning(*values)
        if isinstance(found, Failure):
            raise NotPlain
        return found

    return plain


def holds(spelling: str, left: float, right: float) -> bool:
    """A comparison of two computed numbers, `==` standing for `=`."""
    same = equal(left, right, tolerant=True)
    if spelling in ("==", "!="):
        return same == (spelling == "==")
    if same:
        return spelling in ("<=", ">=")
    return left < right if spelling[0] == "<" else left > right


def _add(left: float, right: float) -> float:
    total = float(left) + float(right)
    if total - total != 0:
        raise NotPlain
    return 0.0 if abs(total) < NOTHING_WITHIN * max(abs(left), abs(right)) else total


def _subtract(left: float, right: float) -> float:
    return _add(left, -right)


def _multiply(left: float, right: float) -> float:
    product = float(left) * float(right)
    if product - product != 0:
        raise NotPlain
    return product


def _divide(left: float, right: float) -> float:
    if right == 0:
        raise NotPlain
    quotient = float(left) / float(right)
    if quotient - quotient != 0:
        raise NotPlain
    return quotient


_REAL: tuple[tuple[Function, Callable[..., Any]], ...] = (
    (ADD, _add),
    (SUBTRACT, _subtract),
    (MULTIPLY, _multiply),
    (DIVIDE, _divide),
)
