"""Lines of Python that read one feature of a record, where its value is plainly of the declared type."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime

from decisionflow.conditions.values import INTEGER_HIGH, INTEGER_LOW
from decisionflow.program.declarations import Domain, Feature
from decisionflow.types import Boolean, Date, Integer, Number, Text, Timestamp, Vocabulary

Named = Callable[[object], str]
"""Gives the text by which the generated function knows a value."""


def reading_lines(feature: Feature, variable: str, named: Named, validate: bool) -> list[str]:
    """Lines that set `variable` to the feature's value, None where it is missing; they leave the plain way for anything
    that has to be read with care, a text for a number say, or that is invalid."""
    if isinstance(feature.type, Number):
        return list(_number_lines(feature, variable, named, validate))
    line, missing = f"{variable} = get({feature.reading.column!r})", _absent(feature, variable, named)
    if validate:
        checks = ("    " + check for check in _checks(feature, variable, named))
        return [line, f"if {variable} is None:", f"    {missing}", "else:", *checks]
    return [line] if missing == "pass" else [line, f"if {variable} is None: {missing}"]


def _number_lines(feature: Feature, variable: str, named: Named, validate: bool) -> Iterator[str]:
    """A number's lines; missing is NaN."""
    missing = _absent(feature, variable, named)
    yield f"{variable} = get({feature.reading.column!r})"
    if not validate:
        yield f"if type({variable}) is not float:"
        yield f"    if {variable} is None: {missing}"
        yield f"    else: {variable} = float({variable})"
        return
    yield f"if type({variable}) is float:"
    if feature.domain is not None:
        yield f"    if not {_inside(feature.domain, variable, named)}:"
        yield f"        if {variable} == {variable}: raise NotPlain"
        yield f"        {missing}"
    else:
        yield f"    if {variable} - {variable}:"
        yield f"        if {variable} == {variable}: raise NotPlain"
        yield f"        {missing}"
    yield f"elif {variable} is None:"
    yield f"    {missing}"
    yield "else:"
    yield f"    if type({variable}) is not int or not -{2**53} <= {variable} <= {2**53}: raise NotPlain"
    yield f"    {variable} = float({variable})"
    if feature.domain is not None:
        yield f"    if not {_inside(feature.domain, variable, named)}: raise NotPlain"


def is_plainly_read(feature: Feature) -> bool:
    """Whether values of the feature can be read by such lines."""
    plain = isinstance(feature.type, Number | Integer | Boolean | Text | Vocabulary | Date | Timestamp)
    return plain and feature.reading.column.isascii()


def _absent(feature: Feature, variable: str, named: Named) -> str:
    if feature.default is not None:
        default = float(feature.default) if isinstance(feature.type, Number) else feature.default
        return f"{variable} = {named(default)}"
    if not feature.optional:
        return "raise NotPlain"
    return f"{variable} = nan" if isinstance(feature.type, Number) else "pass"


def _checks(feature: Feature, variable: str, named: Named) -> Iterator[str]:
    """What a value that is there has to be."""
    kind = feature.type
    if isinstance(kind, Integer):
        yield f"if type({variable}) is not int: raise NotPlain"
        yield from _within(feature.domain or Domain(INTEGER_LOW, INTEGER_HIGH), variable, named)
    elif isinstance(kind, Boolean):
        yield f"if {variable} is not True and {variable} is not False: raise NotPlain"
    elif isinstance(kind, Vocabulary):
        labels = named(frozenset(kind.labels))
        yield f"if type({variable}) is not str or {variable} not in {labels}: raise NotPlain"
    elif isinstance(kind, Text):
        plain = f"{variable}.isascii() and {variable} and {variable} == {variable}.strip()"
        yield f"if type({variable}) is not str or not ({plain}): raise NotPlain"
    elif isinstance(kind, Date):
        yield f"if type({variable}) is not {named(date)}: raise NotPlain"
        yield from _within(feature.domain, variable, named)
    elif isinstance(kind, Timestamp):
        yield f"if type({variable}) is not {named(datetime)} or {variable}.tzinfo is not {named(UTC)}: raise NotPlain"
        yield from _within(feature.domain, variable, named)


def _within(domain: Domain | None, variable: str, named: Named) -> Iterator[str]:
    if domain is not None:
        yield f"if not {_inside(domain, variable, named)}: raise NotPlain"


def _inside(domain: Domain, variable: str, named: Named) -> str:
    low = "" if domain.low is None else f"{named(domain.low)} {'<=' if domain.low_closed else '<'} "
    high = "" if domain.high is None else f" {'<=' if domain.high_closed else '<'} {named(domain.high)}"
    return f"({low}{variable}{high})"
