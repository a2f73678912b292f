"""A condition in disjunctive form: every way in which it can hold, each a list of conditions without logic inside."""

from __future__ import annotations

from itertools import combinations, product

from decisionflow.conditions.expression import (
    Among,
    And,
    Choose,
    Compare,
    Constant,
    Count,
    Expression,
    Not,
    Or,
    Within,
)
from decisionflow.conditions.operators import AT_LEAST, AT_MOST, COMPARISON, GREATER, LESS

Alternative = tuple[Expression, ...]
"""Conditions that all hold: comparisons, intervals, sets, `is missing`, truth-valued names, or `Not` of the last."""


class TooManyAlternatives(ValueError):
    """The disjunctive form of a condition is larger than the limit."""


def alternatives(condition: Expression, limit: int = 10_000) -> tuple[Alternative, ...]:
    """The alternatives of a condition, in order; none when it is constantly false, one empty one when constantly true.

    Raises TooManyAlternatives where there are more than `limit`.
    """
    return tuple(tuple(dict.fromkeys(found)) for found in _open(condition, True, limit))


def negated(condition: Expression) -> Expression:
    """The negation of a condition, pushed inwards as far as logic and comparisons go."""
    match condition:
        case Constant(value=value, type=kind):
            return Constant(not value, kind)
        case Not(part=part):
            return part
        case And(parts=parts):
            return Or(tuple(negated(part) for part in parts))
        case Or(parts=parts):
            return And(tuple(negated(part) for part in parts))
        case Compare(comparison=comparison, left=left, right=right, span=span):
            return Compare(COMPARISON[comparison.negation], left, right, span)
        case Within(value=value, low=low, high=high, span=span):
            below = Compare(LESS if low.closed else AT_MOST, value, low.value, span) if low else None
            above = Compare(GREATER if high.closed else AT_LEAST, value, high.value, span) if high else None
            return Or(tuple(part for part in (below, above) if part is not None))
        case Choose(condition=chosen, then=then, otherwise=otherwise, type=kind, span=span):
            return Choose(chosen, negated(then), negated(otherwise), kind, span)
        case Count(quantifier="at least", number=number, parts=parts, span=span):
            return Count("at most", number - 1, parts, span)
        case Count(quantifier="at most", number=number, parts=parts, span=span):
            return Count("at least", number + 1, parts, span)
        case Count(number=number, parts=parts, span=span):
            return Or((Count("at most", number - 1, parts, span), Count("at least", number + 1, parts, span)))
    return Not(condition)


def _open(condition: Expression, positive: bool, limit: int) -> list[Alternative]:
    if not positive:
        condition = negated(condition)
    match condition:
        case Constant(value=value):
            return [()] if value else []
        case Not(part=part) if negated(part) != condition:
            return _open(part, False, limit)
        case And(parts=parts):
            return _all_of([_open(part, True, limit) for part in parts], limit)
        case Or(parts=parts):
            return _limited([found for part in parts for found in _open(part, True, limit)], limit)
        case Count():
            return _open(_expanded(condition), True, limit)
        case Choose(condition=chosen, then=then, otherwise=otherwise):
            return _open(Or((And((chosen, then)), And((negated(chosen), otherwise)))), True, limit)
        case Among(value=value, choices=(only,)):
            return [(Compare(COMPARISON["="], value, only, condition.span),)]
    return [(condition,)]


def _all_of(parts: list[list[Alternative]], limit: int) -> list[Alternative]:
    size = 1
    for part in parts:
        size *= len(part)
        if size > limit:
            raise TooManyAlternatives(f"more than {limit} alternatives")
    return [tuple(atom for alternative in chosen for atom in alternative) for chosen in product(*parts)]


def _limited(found: list[Alternative], limit: int) -> list[Alternative]:
    if len(found) > limit:
        raise TooManyAlternatives(f"more than {limit} alternatives")
    return found


def _expanded(count: Count) -> Expression:
    """`at least` as a disjunction of conjunctions; the other two through it."""
    number, parts = count.number, count.parts
    if count.quantifier == "at most":
        return _expanded(Count("at least", len(parts) - number, tuple(negated(part) for part in parts)))
    if count.quantifier == "exactly":
        return And((Count("at least", number, parts), Count("at most", number, parts)))
    if number <= 0:
        return Constant(True, count.type)
    return Or(tuple(And(chosen) for chosen in combinations(parts, number)))
