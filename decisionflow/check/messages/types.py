"""What is said about types: literals, comparisons, functions, places that take another type (DF03xx)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from decisionflow.check.excerpts import excerpt
from decisionflow.check.messages.names import listed
from decisionflow.check.scope import Declared, Scope
from decisionflow.check.wanted import Wanted
from decisionflow.conditions.expression import Constant, Expression, Variable
from decisionflow.conditions.operators import COMPARISON, Function
from decisionflow.diagnostics import Diagnostic, Note
from decisionflow.source import Span
from decisionflow.syntax import tree
from decisionflow.types import (
    BOOLEAN,
    CALENDAR,
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

if TYPE_CHECKING:
    from decisionflow.check.comparisons import Place


_NUMBER_OR_DATE = re.compile(r"-?[0-9]+(\.[0-9]+)?%?|[0-9]{4}-[0-9]{2}-[0-9]{2}")


def wrong_type(found: Expression, node: tree.Expression, wanted: Wanted, scope: Scope) -> Diagnostic:
    """A value of a type that its place does not take."""
    notes = [Note(span, text) for span, text in (_declared(found, scope), (wanted.declared, "declared here")) if span]
    return Diagnostic(
        "DF0301",
        node.span,
        f"{wanted.place} takes {described(wanted.type)}, found {described(found.type)}",
        _mended(found, node, wanted.type),
        tuple(notes),
    )


def _mended(found: Expression, node: tree.Expression, wanted: Type) -> str:
    written = excerpt(node.span)
    if wanted == BOOLEAN:
        return _as_condition(found, written)
    if found.type == TEXT and isinstance(found, Constant) and wanted in (NUMBER, INTEGER, DATE, TIMESTAMP):
        return f"without quotes it is read as {described(wanted)}, if it is written like one"
    if found.type == NUMBER and wanted == INTEGER:
        return f"round it: `round({written})`"
    if isinstance(found.type, Record) and found.type.parts:
        return f"read one of its parts, such as `{written}.{found.type.parts[0][0]}`"
    if isinstance(wanted, Vocabulary):
        same = isinstance(found.type, Vocabulary) and set(found.type.labels) == set(wanted.labels)
        return "list the same labels in the same order" if same else f"the labels are {listed(wanted.labels)}"
    return f"give {described(wanted)}"


def _as_condition(found: Expression, written: str) -> str:
    if isinstance(found.type, Vocabulary) and found.type.labels:
        return f"compare it with a label: `{written} = {found.type.labels[0]}`"
    if found.type in (NUMBER, INTEGER):
        return f"compare it with a number: `{written} > 0`"
    return "write a condition, such as a comparison"


def compares_unlike(place: Place, left: Expression, right: Expression, scope: Scope) -> Diagnostic:
    """A comparison of two values that have no common type."""
    notes = [Note(span, text) for span, text in (_declared(left, scope), _declared(right, scope)) if span]
    return Diagnostic(
        "DF0302",
        place.whole,
        f"`{place.operator}` compares {described(left.type)} with {described(right.type)}",
        _alike(place, left, right),
        tuple(notes),
    )


def _alike(place: Place, left: Expression, right: Expression) -> str:
    kinds = {type(left.type), type(right.type)}
    for value, node, other in ((left, place.left, right), (right, place.right, left)):
        if value.type == CALENDAR:
            return "a calendar step is compared with nothing; compare dates: `start + 18 months <= end`"
        if isinstance(value.type, ListOf):
            return "a list is compared with nothing; collect `count`, `sum`, `min` or `max` instead"
        if isinstance(value.type, Record) and value.type.parts:
            return f"compare one of its parts, such as `{node.span.text}.{value.type.parts[0][0]}`"
        if isinstance(value, Constant) and value.type == TEXT and not value.name:
            if _NUMBER_OR_DATE.fullmatch(value.value):
                return f"write `{value.value}` without quotes"
            return f"give `{_written(other)}` {described(other.type)} to compare with; quotes make a text"
        if value.type == BOOLEAN:
            return f"`{_written(value)}` is true or false; compare it with `true` or `false`"
    for value, other in ((left, right), (right, left)):
        if value.type == DURATION and isinstance(other, Constant) and other.type in (INTEGER, NUMBER):
            return f"write `{_written(other)} days`, or count days: `days(start, end)`"
    if kinds == {Vocabulary, type(TEXT)}:
        return "declare both with the same labels, or both as texts"
    if kinds == {Vocabulary}:
        return "two vocabularies are compared only if they have the same labels in the same order"
    if kinds == {type(DATE), type(TIMESTAMP)}:
        return "declare both as dates, or both as timestamps"
    return (
        f"give `{_written(left)}` {described(left.type)} to compare with, "
        f"or `{_written(right)}` {described(right.type)}"
    )


def truth_expected(node: tree.Name) -> Diagnostic:
    """`yes` or `no` where true or false is compared."""
    truth = "true" if node.name.lower() == "yes" else "false"
    return Diagnostic(
        "DF0302",
        node.span,
        f"`{node.name}` is not `true` or `false`, which is compared here",
        f"write `{truth}`; in data, yes and no are read as well",
    )


def has_no_order(place: Place, left: Expression, scope: Scope) -> Diagnostic:
    """`<` and its like on values without an order."""
    declared, _ = _declared(left, scope)
    notes = (Note(declared, f"`{_written(left)}` is declared here"),) if declared else ()
    what = "labels" if isinstance(left.type, Vocabulary) else "texts" if left.type == TEXT else "true and false"
    advice = "ask `=`, `!=` or `in { … }`"
    if isinstance(left.type, Vocabulary):
        advice = "declare the vocabulary as `ordered { … }`, lowest first, or ask `=`, `!=` or `in { … }`"
    operator = COMPARISON[place.operator].spelling
    return Diagnostic("DF0303", place.span, f"`{operator}` needs an order, and {what} have none", advice, notes)


def wrong_arguments(
    function: Function, kinds: Sequence[Type], node: tree.Call | tree.Infix | tree.Negative
) -> Diagnostic:
    """A function or operator of values that it does not take."""
    given = " and ".join(described(kind) for kind in kinds) if kinds else "nothing"
    span = node.operator_span if isinstance(node, tree.Infix) else node.span
    advice = _instead(function, kinds) or f"it takes {_signatures(function)}"
    return Diagnostic("DF0304", span, f"`{function.spelling}` does not take {given}", advice)


def _instead(function: Function, kinds: Sequence[Type]) -> str:
    """Advice on what the language leaves out on purpose; empty where there is none."""
    if TEXT in kinds and function.spelling == "+":
        return "texts are not joined; compare them one by one"
    if set(kinds) & {DURATION, CALENDAR} and not set(kinds) & {DATE, TIMESTAMP}:
        return "a length of time is only added to a date or timestamp, or taken from one"
    if CALENDAR in kinds and TIMESTAMP in kinds:
        return "months and years move dates only; a timestamp moves by days, hours, minutes or seconds"
    if any(isinstance(kind, Vocabulary) for kind in kinds):
        return "labels are only compared: `=`, `!=`, `in { … }`, and `<` where they are ordered"
    return ""


def _signatures(function: Function) -> str:
    shown = []
    for taken, _ in function.signatures:
        if function.variadic:
            shown.append(f"any number of {taken[0]}s")
        elif function.place in ("infix", "words"):
            shown.append(f"{taken[0]} {function.spelling} {taken[1]}")
        else:
            shown.append(f"({', '.join(str(kind) for kind in taken)})")
    return ", or ".join(dict.fromkeys(shown))


def branches_differ(node: tree.Choice, then: Type, otherwise: Type) -> Diagnostic:
    """An `if` whose branches have no common type."""
    return Diagnostic(
        "DF0305",
        node.otherwise.span,
        f"`else` gives {described(otherwise)}, and `then` gives {described(then)}",
        f"give {described(then)} in both branches",
        (Note(node.then.span, f"{described(then)} here"),),
    )


def interval_backwards(node: tree.Range) -> Diagnostic:
    """An interval whose low end lies above its high end."""
    return Diagnostic(
        "DF0306", node.span, "no value lies in this interval: it ends before it begins", "write the lower end first"
    )


def no_such_moment(node: tree.Moment, reason: str) -> Diagnostic:
    """A date or timestamp that does not exist."""
    form = "2026-11-29" if node.kind == "date" else "2026-11-29T08:00:00+01:00"
    return Diagnostic(
        "DF0308", node.span, f"`{node.spelling}` is not a {node.kind}: {reason}", f"write it like `{form}`"
    )


def timestamp_without_zone(node: tree.Moment) -> Diagnostic:
    """A timestamp literal that names no instant."""
    return Diagnostic(
        "DF0308",
        node.span,
        f"`{node.spelling}` is not a timestamp: it names no instant",
        "write date, time and offset, like `2026-11-29T08:00:00+01:00`, or `Z` for UTC",
    )


def integer_too_large(node: tree.Number) -> Diagnostic:
    """A whole number that does not fit 64 bits."""
    return Diagnostic(
        "DF0309",
        node.span,
        "this integer does not fit into 64 bits",
        "with a point, as in `1.0`, it is a number",
    )


def number_too_large(node: tree.Number) -> Diagnostic:
    """A number that double precision cannot hold."""
    return Diagnostic("DF0309", node.span, "this number is too large", "the largest number is about 1.8e308")


def step_not_whole(node: tree.Length) -> Diagnostic:
    """A calendar step with a broken or endless number of months."""
    return Diagnostic(
        "DF0310",
        node.span,
        f"`{node.span.text}` is not a whole number of months up to 10,000 years",
        "write whole months or years, or days for a length of time",
    )


def duration_too_long(node: tree.Length) -> Diagnostic:
    """A duration beyond what the calendar holds."""
    return Diagnostic("DF0310", node.span, f"`{node.span.text}` is too long", "the longest is about 2.7 million years")


def not_a_record(node: tree.Part, kind: Type, scope: Scope) -> Diagnostic:
    """`NAME.part` of what has no parts."""
    span = scope.span_of(node.record.name)
    notes = (Note(span, f"`{node.record.name}` is declared here"),) if span else ()
    return Diagnostic(
        "DF0311",
        node.span,
        f"`{node.record.name}` has no parts: it is {described(kind)}",
        f"write `{node.record.name}`",
        notes,
    )


def record_not_expected(node: tree.Fields, wanted: Wanted | None) -> Diagnostic:
    """A record where one value is expected."""
    takes = f"{wanted.place} takes {described(wanted.type)}" if wanted else "one value is expected here"
    return Diagnostic("DF0311", node.span, f"{takes}, found a record", "only a decision's outcome may be a record")


def part_twice(part: tree.Name) -> Diagnostic:
    """A record that gives a part twice."""
    return Diagnostic("DF0312", part.span, f"part `{part.name}` is given twice", "give each part once")


def parts_lacking(node: tree.Fields, lacking: Sequence[str], wanted: Wanted) -> Diagnostic:
    """A record that leaves parts out."""
    notes = (Note(wanted.declared, "the record is declared here"),) if wanted.declared else ()
    return Diagnostic(
        "DF0312",
        node.span,
        f"{wanted.place} needs a value for {listed(lacking)}",
        f"add `{lacking[0]} = …`",
        notes,
    )


def not_a_set(node: tree.Name, declared: Declared[Any]) -> Diagnostic:
    """`in NAME` where the name is no set."""
    return Diagnostic(
        "DF0314",
        node.span,
        f"`{node.name}` is a {declared.noun}, not a set",
        f"compare with `=`, or declare a set: `parameter {node.name} = {{ 1, 2 }}`",
        (Note(declared.span, f"`{node.name}` is declared here"),),
    )


def divisor_may_be_zero(span: Span, divisor: str) -> Diagnostic:
    """A division whose divisor may be zero, which gives an error value."""
    shown = divisor if divisor.isidentifier() else "…"
    return Diagnostic(
        "DF0313",
        span,
        f"`{divisor}` may be zero, and dividing by zero makes the decision invalid",
        f"keep zero out: `if {shown} != 0 then … else …`, or a domain without zero",
        severity="warning",
    )


def described(kind: Type) -> str:
    """A type as a sentence names it."""
    if isinstance(kind, Vocabulary):
        return f"a label of {shortened(kind)}"
    if isinstance(kind, Record):
        return f"a record {kind}"
    if isinstance(kind, ListOf):
        return f"a {kind}"
    if kind == BOOLEAN:
        return "true or false"
    return f"an {kind}" if kind == INTEGER else f"a {kind}"


def shortened(kind: Vocabulary, most: int = 6) -> str:
    """A vocabulary with its first labels."""
    more = ", …" if len(kind.labels) > most else ""
    return "{ " + ", ".join(kind.labels[:most]) + more + " }"


def _declared(value: Expression, scope: Scope) -> tuple[Span | None, str]:
    if not isinstance(value, Variable) or value.name not in scope.declared:
        return None, ""
    return scope.declared[value.name].span, f"`{value.name}` is {described(value.type)}"


def _written(value: Expression) -> str:
    return excerpt(value.span, str(value.type))
