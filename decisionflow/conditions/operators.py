"""Every operator and function of the language: one record each, read by all who need to know what it means.

A record holds the scalar meaning on known values. Missing and error values never reach it: a function of a missing
value is missing, of an error value the error (law 3 of the language). The columnar meaning stands in `evaluate`, under
the same name, and is tested against this one.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Literal

from decisionflow.conditions import arithmetic, calendar
from decisionflow.conditions.values import Failure, Value
from decisionflow.frozen import frozen
from decisionflow.types import (
    BOOLEAN,
    CALENDAR,
    DATE,
    DURATION,
    INTEGER,
    NUMBER,
    TEXT,
    TIMESTAMP,
    Type,
)

Meaning = Callable[..., Value]
Signature = tuple[tuple[Type, ...], Type]


@frozen
class Comparison:
    """A comparison of two values: what it is true of, its negation, and which side of a threshold it allows."""

    spelling: Literal["=", "!=", "<", "<=", ">", ">="]
    negation: str
    mirrored: str
    side: Literal[-1, 0, 1]
    closed: bool

    @property
    def orders(self) -> bool:
        """Whether it needs values that have an order."""
        return self.side != 0

    def holds(self, left: float, right: float, tolerant: bool = False) -> bool:
        """Whether it is true of two known numbers; all six derive from one equality (law 1)."""
        if arithmetic.equal(left, right, tolerant):
            return self.closed
        return (left > right) == (self.side > 0) if self.orders else not self.closed


EQUAL = Comparison("=", "!=", "=", 0, True)
UNEQUAL = Comparison("!=", "=", "!=", 0, False)
LESS = Comparison("<", ">=", ">", -1, False)
AT_MOST = Comparison("<=", ">", ">=", -1, True)
GREATER = Comparison(">", "<=", "<", 1, False)
AT_LEAST = Comparison(">=", "<", "<=", 1, True)
COMPARISONS: tuple[Comparison, ...] = (EQUAL, UNEQUAL, LESS, AT_MOST, GREATER, AT_LEAST)
COMPARISON: dict[str, Comparison] = {comparison.spelling: comparison for comparison in COMPARISONS}


@frozen
class Function:
    """An operator or function of known values.

    `signatures` are tried in order, an integer standing for a number where none fits exactly; `variadic` repeats the
    one argument of each signature; `place` says how it is written.
    """

    spelling: str
    signatures: tuple[Signature, ...]
    meaning: Meaning
    description: str
    place: Literal["call", "infix", "prefix", "words", "terms"] = "call"
    variadic: bool = False

    def __reduce__(self) -> tuple[Callable[[str, str], Function], tuple[str, str]]:
        """By name: a record is the same one in every process."""
        return _function_of, (self.spelling, self.place)

    def result(self, arguments: tuple[Type, ...]) -> Type | None:
        """The type of the result for arguments of these types, None where no signature fits."""
        exact = [answer for taken, answer in self._instances(len(arguments)) if taken == arguments]
        if exact:
            return exact[0]
        widened = [answer for taken, answer in self._instances(len(arguments)) if all(map(fits, arguments, taken))]
        return widened[0] if widened else None

    def _instances(self, count: int) -> list[Signature]:
        if self.variadic:
            return [(taken * count, answer) for taken, answer in self.signatures if count]
        return [(taken, answer) for taken, answer in self.signatures if len(taken) == count]


def fits(given: Type, wanted: Type) -> bool:
    """Whether a value of one type may stand where another is wanted: the same type, or an integer for a number."""
    return given == wanted or (given == INTEGER and wanted == NUMBER)


def _extreme(choose: Callable[..., Value]) -> Meaning:
    return lambda *values: choose(values)


def _lower(text: str) -> str:
    return unicodedata.normalize("NFC", text.lower())


_WHOLE: Signature = ((INTEGER, INTEGER), INTEGER)
_REAL: Signature = ((NUMBER, NUMBER), NUMBER)
_WORDS: tuple[Signature, ...] = (((TEXT, TEXT), BOOLEAN),)
_OF_NUMBER: tuple[Signature, ...] = (((NUMBER,), NUMBER),)
_OF_DATES: tuple[Signature, ...] = (((DATE, DATE), INTEGER),)

ADD = Function(
    "+",
    (
        _WHOLE,
        _REAL,
        ((DATE, DURATION), DATE),
        ((DATE, CALENDAR), DATE),
        ((TIMESTAMP, DURATION), TIMESTAMP),
        ((DURATION, DATE), DATE),
        ((CALENDAR, DATE), DATE),
        ((DURATION, TIMESTAMP), TIMESTAMP),
    ),
    lambda left, right: _moved(left, right, 1),
    "the sum; a date or timestamp moved forward",
    "infix",
)
SUBTRACT = Function(
    "-",
    (
        _WHOLE,
        _REAL,
        ((DATE, DATE), DURATION),
        ((TIMESTAMP, TIMESTAMP), DURATION),
        ((DATE, DURATION), DATE),
        ((DATE, CALENDAR), DATE),
        ((TIMESTAMP, DURATION), TIMESTAMP),
    ),
    lambda left, right: _moved(left, right, -1),
    "the difference; of two dates or timestamps a duration; a date or timestamp moved back",
    "infix",
)
TOTAL = Function(
    "+",
    (((INTEGER,), INTEGER), ((NUMBER,), NUMBER)),
    lambda *terms: _total(terms),
    "the sum of many terms, from the left to the right: what a long row of `+` and `-` between numbers is",
    "terms",
    variadic=True,
)
MULTIPLY = Function("*", (_WHOLE, _REAL), arithmetic.multiply, "the product", "infix")
DIVIDE = Function("/", (_REAL,), arithmetic.divide, "the quotient, always a number; by zero an error value", "infix")
POWER = Function("^", (_REAL,), arithmetic.power, "left to the power of right, always a number", "infix")
NEGATE = Function(
    "-",
    (((INTEGER,), INTEGER), ((NUMBER,), NUMBER)),
    lambda value: arithmetic.multiply(value, -1),
    "the opposite",
    "prefix",
)
MINIMUM = Function(
    "min", (((INTEGER,), INTEGER), ((NUMBER,), NUMBER)), _extreme(min), "the smallest of its numbers", variadic=True
)
MAXIMUM = Function(
    "max", (((INTEGER,), INTEGER), ((NUMBER,), NUMBER)), _extreme(max), "the largest of its numbers", variadic=True
)
ABSOLUTE = Function(
    "abs",
    (((INTEGER,), INTEGER), ((NUMBER,), NUMBER)),
    lambda value: arithmetic.multiply(value, -1 if value < 0 else 1),
    "the number without its sign",
)
ROUND = Function(
    "round",
    (((INTEGER,), INTEGER), ((NUMBER,), INTEGER), ((INTEGER, INTEGER), INTEGER), ((NUMBER, INTEGER), NUMBER)),
    lambda value, *digits: arithmetic.round_to(value, *digits) if digits else arithmetic.round_whole(value),
    "rounded to so many digits after the point, halves away from zero; without digits an integer",
)
FLOOR = Function("floor", (((NUMBER,), INTEGER),), arithmetic.floor_whole, "the largest integer not above it")
CEIL = Function("ceil", (((NUMBER,), INTEGER),), arithmetic.ceil_whole, "the smallest integer not below it")
ROOT = Function("sqrt", _OF_NUMBER, arithmetic.square_root, "the square root; of a negative number an error value")
EXPONENTIAL = Function("exp", _OF_NUMBER, arithmetic.exponential, "e to the power of it")
LOGARITHM = Function("log", _OF_NUMBER, arithmetic.logarithm, "the natural logarithm; not above zero an error value")
DAYS = Function(
    "days",
    (*_OF_DATES, ((TIMESTAMP, TIMESTAMP), INTEGER)),
    calendar.days_between,
    "days from the first to the second; of timestamps completed days of 24 hours",
)
MONTHS = Function(
    "months", _OF_DATES, calendar.months_between, "completed calendar months from the first to the second"
)
YEARS = Function("years", _OF_DATES, calendar.years_between, "completed calendar years from the first to the second")
STARTS_WITH = Function("starts with", _WORDS, str.startswith, "whether the text starts with another", "words")
ENDS_WITH = Function("ends with", _WORDS, str.endswith, "whether the text ends with another", "words")
CONTAINS = Function("contains", _WORDS, str.__contains__, "whether the text contains another", "words")
LOWER = Function("lower", (((TEXT,), TEXT),), _lower, "the text in lower case")
TRIM = Function("trim", (((TEXT,), TEXT),), str.strip, "the text without blanks around it")

FUNCTIONS: tuple[Function, ...] = (
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    POWER,
    NEGATE,
    MINIMUM,
    MAXIMUM,
    ABSOLUTE,
    ROUND,
    FLOOR,
    CEIL,
    ROOT,
    EXPONENTIAL,
    LOGARITHM,
    DAYS,
    MONTHS,
    YEARS,
    STARTS_WITH,
    ENDS_WITH,
    CONTAINS,
    LOWER,
    TRIM,
)
_BY_NAME: dict[tuple[str, str], Function] = {
    (function.spelling, function.place): function for function in (*FUNCTIONS, TOTAL)
}


def _function_of(spelling: str, place: str) -> Function:
    return _BY_NAME[spelling, place]


CALLS = {function.spelling: function for function in FUNCTIONS if function.place == "call"}
INFIX = {function.spelling: function for function in FUNCTIONS if function.place in ("infix", "words")}


def _total(terms: tuple[Value, ...]) -> Value:
    total = terms[0]
    for term in terms[1:]:
        if isinstance(total, Failure):
            return total
        total = arithmetic.add(total, term)
    return total


def _moved(left: Value, right: Value, sign: int) -> Value:
    """Sum or difference of numbers, of two moments, or of a moment and a step."""
    if isinstance(left, int | float) and isinstance(right, int | float):
        return arithmetic.add(left, sign * right)
    if hasattr(left, "year") and hasattr(right, "year"):
        return left - right
    return calendar.shift(left, right, sign) if hasattr(left, "year") else calendar.shift(right, left, sign)
