"""Typed conditions back to syntax: what explanations, traces and learners show is what a policy would say."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Any

from decisionflow.conditions import expression as typed
from decisionflow.conditions.values import MISSING, Failure
from decisionflow.source import Source, Span
from decisionflow.syntax import tree
from decisionflow.syntax.phrases import phrase
from decisionflow.syntax.spelling import is_plain, number_text
from decisionflow.types import CalendarStep, Vocabulary

NOWHERE = Span(Source("", ""), 0, 0)
CHOICE, SOME, EVERY, NEGATION, COMPARISON, SUM, PRODUCT, UNARY, POWER, ATOM = range(10)
"""How tightly each kind of expression binds."""

UNITS = (("day", timedelta(days=1)), ("hour", timedelta(hours=1)), ("minute", timedelta(minutes=1)))


def restore(expression: typed.Expression, names: Collection[str] = ()) -> tree.Expression:
    """The syntax of a typed expression, with the parentheses that it needs.

    A label that is one of the declared `names` stands in quotes. Raises ValueError for a value that no text writes: a
    missing one, an error, a negative length of time.
    """
    return _Restoring(frozenset(names)).expression(expression)


def condition_text(expression: typed.Expression, names: Collection[str] = ()) -> str:
    """The canonical text of a typed expression, such as `priors in [1 .. 3]`."""
    return phrase(restore(expression, names))


class _Restoring:
    def __init__(self, names: frozenset[str]) -> None:
        self._names = names

    def expression(self, node: typed.Expression) -> tree.Expression:
        return RESTORED[type(node)](self, node)

    def at_least(self, level: int, node: typed.Expression) -> tree.Expression:
        """An operand, in parentheses where it binds less tightly than its place asks."""
        restored = self.expression(node)
        return restored if _level(restored) >= level else tree.Group(restored, NOWHERE)

    def constant(self, node: typed.Constant, exact: bool = False) -> tree.Expression:
        if node.name:
            return _name(node.name)
        if isinstance(node.type, Vocabulary) and is_plain(node.value) and node.value not in self._names:
            return tree.Name(node.value, False, NOWHERE)
        return _literal(node.value, exact)

    def variable(self, node: typed.Variable) -> tree.Expression:
        name = _name(node.name)
        return tree.Part(name, _name(node.part), NOWHERE) if node.part else name

    def apply(self, node: typed.Apply) -> tree.Expression:
        function, arguments = node.function, node.arguments
        if function.place == "call":
            name = tree.Name(function.spelling, False, NOWHERE)
            return tree.Call(name, tuple(self.argument(CHOICE, item) for item in arguments), NOWHERE)
        if function.place == "prefix":
            operand = self.argument(UNARY, arguments[0])
            return tree.Negative(_grouped(operand) if _level(operand) == POWER else operand, NOWHERE)
        if function.place == "terms":
            return self.total(arguments)
        left, right = _infix_levels(function.spelling)
        operands = self.argument(left, arguments[0]), self.argument(right, arguments[1])
        return tree.Infix(function.spelling, *operands, NOWHERE, NOWHERE)

    def total(self, terms: tuple[typed.Expression, ...]) -> tree.Expression:
        """Many terms as a row of `+` and `-`."""
        left, right = _infix_levels("+")
        found = self.argument(left, terms[0])
        for term in terms[1:]:
            taken = isinstance(term, typed.Apply) and term.function.place == "prefix"
            operand = term.arguments[0] if isinstance(term, typed.Apply) and taken else term
            found = tree.Infix("-" if taken else "+", found, self.argument(right, operand), NOWHERE, NOWHERE)
        return found

    def argument(self, level: int, node: typed.Expression) -> tree.Expression:
        """An argument of a function; `2.0` stays a number there, for the result's type may depend on it."""
        if not isinstance(node, typed.Constant):
            return self.at_least(level, node)
        restored = self.constant(node, exact=True)
        return restored if _level(restored) >= level else _grouped(restored)

    def compare(self, node: typed.Compare) -> tree.Expression:
        operands = self.at_least(SUM, node.left), self.at_least(SUM, node.right)
        return tree.Chain(operands, (node.comparison.spelling,), (NOWHERE,), NOWHERE)

    def within(self, node: typed.Within, negated: bool = False) -> tree.Expression:
        value = self.at_least(SUM, node.value)
        if node.low and node.high:
            ends = [tree.End(self.at_least(SUM, end.value), end.closed) for end in (node.low, node.high)]
            return tree.In(value, tree.Range(ends[0], ends[1], NOWHERE), negated, NOWHERE)
        bound, sign = (node.low, ">") if node.low else (node.high, "<")
        if bound is None:
            return tree.Truth(True, NOWHERE)
        operands = value, self.at_least(SUM, bound.value)
        return tree.Chain(operands, (sign + "=" * bound.closed,), (NOWHERE,), NOWHERE)

    def among(self, node: typed.Among, negated: bool = False) -> tree.Expression:
        choices = tree.Set(tuple(self.at_least(SUM, item) for item in node.choices), NOWHERE)
        return tree.In(self.at_least(SUM, node.value), _name(node.name) if node.name else choices, negated, NOWHERE)

    def is_missing(self, node: typed.IsMissing, negated: bool = False) -> tree.Expression:
        return tree.Presence(self.at_least(SUM, node.value), not negated, NOWHERE)

    def negation(self, node: typed.Not) -> tree.Expression:
        part = node.part
        if isinstance(part, typed.Among):
            return self.among(part, negated=True)
        if isinstance(part, typed.IsMissing):
            return self.is_missing(part, negated=True)
        if isinstance(part, typed.Within) and part.low and part.high:
            return self.within(part, negated=True)
        return tree.Negation(self.at_least(NEGATION, part), NOWHERE)

    def every(self, node: typed.And) -> tree.Expression:
        parts = self._joined(_opened(node, typed.And), NEGATION)
        return tree.Every(parts, NOWHERE) if len(parts) > 1 else parts[0] if parts else tree.Truth(True, NOWHERE)

    def some(self, node: typed.Or) -> tree.Expression:
        parts = self._joined(_opened(node, typed.Or), EVERY)
        return tree.Some(parts, NOWHERE) if len(parts) > 1 else parts[0] if parts else tree.Truth(False, NOWHERE)

    def _joined(self, parts: Iterable[typed.Expression], level: int) -> tuple[tree.Expression, ...]:
        return tuple(self.at_least(level, part) for part in parts)

    def count(self, node: typed.Count) -> tree.Expression:
        parts = tuple(self.expression(part) for part in node.parts)
        return tree.Count(node.quantifier, node.number, parts, NOWHERE)

    def choose(self, node: typed.Choose) -> tree.Expression:
        condition, then, otherwise = map(self.expression, (node.condition, node.then, node.otherwise))
        return tree.Choice(condition, then, otherwise, NOWHERE)

    def record(self, node: typed.MakeRecord) -> tree.Expression:
        return tree.Fields(tuple((_name(name), self.expression(part)) for name, part in node.parts), NOWHERE)


RESTORED: dict[type, Callable[[_Restoring, Any], tree.Expression]] = {
    typed.Constant: _Restoring.constant,
    typed.Variable: _Restoring.variable,
    typed.Apply: _Restoring.apply,
    typed.Compare: _Restoring.compare,
    typed.Within: _Restoring.within,
    typed.Among: _Restoring.among,
    typed.IsMissing: _Restoring.is_missing,
    typed.Not: _Restoring.negation,
    typed.And: _Restoring.every,
    typed.Or: _Restoring.some,
    typed.Count: _Restoring.count,
    typed.Choose: _Restoring.choose,
    typed.MakeRecord: _Restoring.record,
}


def _opened(node: typed.And | typed.Or, kind: type) -> list[typed.Expression]:
    """The parts of a condition, those of the same kind inside it opened."""
    return [inner for part in node.parts for inner in (_opened(part, kind) if isinstance(part, kind) else [part])]  # type: ignore[arg-type]


def _literal(value: Any, exact: bool) -> tree.Expression:
    """The literal of a value; a whole number of double precision is written `2`, or `2.0` where its type matters."""
    if isinstance(value, bool):
        return tree.Truth(value, NOWHERE)
    if isinstance(value, str):
        return tree.Text(value, NOWHERE)
    if isinstance(value, int | float):
        shown = int(value) if not exact and value == int(value) and abs(value) < 2**53 else value
        number = tree.Number(abs(shown), number_text(shown), NOWHERE)
        return tree.Negative(number, NOWHERE) if value < 0 else number
    return _moment(value)


def _moment(value: Any) -> tree.Expression:
    if isinstance(value, datetime):
        instant = value.astimezone(UTC).replace(tzinfo=None)
        return tree.Moment(instant.isoformat() + "Z", "timestamp", NOWHERE)
    if isinstance(value, date):
        return tree.Moment(value.isoformat(), "date", NOWHERE)
    if isinstance(value, CalendarStep) and value.months >= 0:
        years, rest = divmod(value.months, 12)
        return (
            tree.Length(years, "year", NOWHERE) if years and not rest else tree.Length(value.months, "month", NOWHERE)
        )
    if isinstance(value, timedelta) and value >= timedelta():
        return _length(value)
    what = "a missing value" if value is MISSING else value.reason if isinstance(value, Failure) else repr(value)
    raise ValueError(f"no text of the language writes {what}")


def _length(value: timedelta) -> tree.Length:
    for unit, size in UNITS:
        if value and not value % size:
            return tree.Length(value // size, unit, NOWHERE)
    seconds = value.total_seconds()
    return tree.Length(int(seconds) if seconds == int(seconds) else seconds, "second", NOWHERE)


def _name(name: str) -> tree.Name:
    return tree.Name(name, not is_plain(name), NOWHERE)


def _grouped(node: tree.Expression) -> tree.Group:
    return tree.Group(node, NOWHERE)


def _infix_levels(operator: str) -> tuple[int, int]:
    """What the left and the right operand of an infix operator have to bind like."""
    if operator in "+-":
        return SUM, PRODUCT
    if operator in "*/":
        return PRODUCT, UNARY
    return (ATOM, ATOM) if operator == "^" else (SUM, SUM)


_LEVELS = {
    tree.Choice: CHOICE,
    tree.Some: SOME,
    tree.Every: EVERY,
    tree.Negation: NEGATION,
    tree.Chain: COMPARISON,
    tree.In: COMPARISON,
    tree.Presence: COMPARISON,
    tree.Negative: UNARY,
}
_INFIX_LEVELS = {"+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "^": POWER}


def _level(node: tree.Expression) -> int:
    """How tightly an expression binds."""
    if isinstance(node, tree.Infix):
        return _INFIX_LEVELS.get(node.operator, COMPARISON)
    return _LEVELS.get(type(node), ATOM)
