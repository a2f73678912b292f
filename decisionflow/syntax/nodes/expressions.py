"""Expressions."""

# ruff: noqa: ARG001 -- every maker takes the same arguments
from __future__ import annotations

import math
from decimal import Decimal
from typing import Any, cast

from decisionflow.conditions.kleene import Quantifier
from decisionflow.source import Span
from decisionflow.syntax import messages, tree
from decisionflow.syntax.nodes.building import Building, Make
from decisionflow.syntax.tokens import Token

LONGEST_INTEGER = 4_000
"""Digits that Python turns into an integer without being asked twice; the language's own are of 64 bits."""


def number(build: Building, parts: list[Any], span: Span) -> tree.Number:
    spelling = "".join(parts[0].text.split())
    value = number_value(spelling)
    if isinstance(value, float) and not math.isfinite(value):
        build.report(messages.number_too_large(span))
    return tree.Number(value, spelling, span)


def number_value(spelling: str) -> int | float:
    """What a number's spelling is worth: `40%` is 0.4; whole without point, exponent and `%`."""
    digits = spelling.replace("_", "")
    if digits.isdigit() and len(digits) <= LONGEST_INTEGER:
        return int(digits)
    return float(Decimal(digits[:-1]).scaleb(-2)) if digits.endswith("%") else float(digits)


def length(build: Building, parts: list[Any], span: Span) -> tree.Length:
    amount, unit = parts
    spelling = "".join(amount.text.split())
    if spelling.endswith("%"):
        build.report(messages.percent_of_time(build.span(amount)))
    return tree.Length(number_value(spelling), unit.text.lower().removesuffix("s"), span)


def text(build: Building, parts: list[Any], span: Span) -> tree.Text:
    return build.text(parts[0])


def truth(build: Building, parts: list[Any], span: Span) -> tree.Truth:
    return tree.Truth(parts[0].kind == "TRUE", span)


def moment(build: Building, parts: list[Any], span: Span) -> tree.Moment:
    return tree.Moment(parts[0].text, "date" if parts[0].kind == "DATE" else "timestamp", span)


def name(build: Building, parts: list[Any], span: Span) -> tree.Name:
    return build.name(parts[0])


def part(build: Building, parts: list[Any], span: Span) -> tree.Part:
    return tree.Part(parts[0], parts[1], span)


def call(build: Building, parts: list[Any], span: Span) -> tree.Call:
    function, *arguments = parts
    return tree.Call(function, tuple(argument for argument in arguments if argument is not None), span)


def infix(build: Building, parts: list[Any], span: Span) -> tree.Infix:
    left, operator, right = parts
    return tree.Infix(operator.text, left, right, build.span(operator), span)


def negative(build: Building, parts: list[Any], span: Span) -> tree.Negative:
    operand = parts[0]
    if isinstance(operand, tree.Infix) and operand.operator == "^":
        build.report(messages.minus_before_power(span, operand.span.text))
    return tree.Negative(operand, span)


def power(build: Building, parts: list[Any], span: Span) -> tree.Infix:
    base, operator, exponent, *more = parts
    if more:
        build.report(messages.power_of_power(span, base.span.text, exponent.span.text, more[0].span.text))
    return tree.Infix("^", base, exponent, build.span(operator), span)


def chain(build: Building, parts: list[Any], span: Span) -> tree.Chain:
    operators = parts[1::2]
    return tree.Chain(
        tuple(parts[::2]), tuple(token.text for token in operators), tuple(map(build.span, operators)), span
    )


def in_choices(build: Building, parts: list[Any], span: Span) -> tree.In:
    return tree.In(parts[0], parts[1], False, span)


def not_in_choices(build: Building, parts: list[Any], span: Span) -> tree.In:
    return tree.In(parts[0], parts[1], True, span)


def is_missing(build: Building, parts: list[Any], span: Span) -> tree.Presence:
    return tree.Presence(parts[0], True, span)


def is_present(build: Building, parts: list[Any], span: Span) -> tree.Presence:
    return tree.Presence(parts[0], False, span)


def interval(build: Building, parts: list[Any], span: Span) -> tree.Range:
    opening, low, _, high, closing = parts
    return tree.Range(tree.End(low, opening.text == "["), tree.End(high, closing.text == "]"), span)


def choices(build: Building, parts: list[Any], span: Span) -> tree.Set:
    return tree.Set(tuple(parts), span)


def negation(build: Building, parts: list[Any], span: Span) -> tree.Negation:
    return tree.Negation(parts[0], span)


def every(build: Building, parts: list[Any], span: Span) -> tree.Every:
    return tree.Every(tuple(parts), span)


def some(build: Building, parts: list[Any], span: Span) -> tree.Some:
    return tree.Some(tuple(parts), span)


def count(build: Building, parts: list[Any], span: Span) -> tree.Count:
    quantifier, amount, *operands = parts
    value = number_value("".join(amount.text.split()))
    if not isinstance(value, int):
        build.report(messages.count_not_whole(build.span(amount)))
        value = 1
    return tree.Count(cast(Quantifier, quantifier.text), value, tuple(item for item in operands if item), span)


def choice(build: Building, parts: list[Any], span: Span) -> tree.Choice:
    return tree.Choice(parts[0], parts[1], parts[2], span)


def group(build: Building, parts: list[Any], span: Span) -> tree.Group:
    return tree.Group(parts[0], span)


def record(build: Building, parts: list[Any], span: Span) -> tree.Fields:
    return tree.Fields(tuple(parts[1:]), span)


def pair(build: Building, parts: list[Any], span: Span) -> tuple[Any, ...]:
    return tuple(parts)


def words(build: Building, parts: list[Any], span: Span) -> Token:
    """The words of an operator as one, in lower case."""
    return Token(parts[0].kind, " ".join(token.text.lower() for token in parts), span.start, span.end)


EXPRESSIONS: dict[str, Make] = {
    "number": number,
    "length": length,
    "text": text,
    "truth": truth,
    "moment": moment,
    "name": name,
    "part": part,
    "call": call,
    "infix": infix,
    "negative": negative,
    "power": power,
    "chain": chain,
    "in_choices": in_choices,
    "not_in_choices": not_in_choices,
    "is_missing": is_missing,
    "is_present": is_present,
    "range": interval,
    "set": choices,
    "negation": negation,
    "every": every,
    "some": some,
    "count": count,
    "choice": choice,
    "group": group,
    "record": record,
    "record_field": pair,
    "comparison_sign": words,
    "order": words,
    "text_sign": words,
    "sum_sign": words,
    "product_sign": words,
    "power_sign": words,
    "quantifier": words,
    "unit": words,
}
NESTED = frozenset(
    {
        *("call", "infix", "negative", "power", "chain", "in_choices", "not_in_choices", "is_missing", "is_present"),
        *("range", "set", "negation", "every", "some", "count", "choice", "group", "record", "record_field"),
        *("record_type", "record_part"),
    }
)
"""The productions that add a level."""
