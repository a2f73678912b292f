"""Lines of Python that read one feature of a record; only what is not plainly of its type is read with care."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

from decisionflow.conditions.values import INTEGER_HIGH, INTEGER_LOW, MISSING, Failure
from decisionflow.evaluate.row_plain import NotPlain
from decisionflow.program.declarations import Domain, Feature
from decisionflow.tables.cell_reader import cell_reader, missing_value, normal_form
from decisionflow.types import Boolean, Date, Integer, Number, Text, Timestamp, Vocabulary

Named = Callable[[object], str]
"""Gives the text by which the generated function knows a value."""

ANY, FINITE, LONG = Domain(), Domain(-sys.float_info.max, sys.float_info.max), Domain(INTEGER_LOW, INTEGER_HIGH)
"""What a value may be where the domain leaves an end open."""


def reading_lines(feature: Feature, variable: str, named: Named, validate: bool) -> list[str]:
    """Lines that set `variable` to the feature's value; a missing number is NaN, any other missing value None.

    They leave the plain way where the value is invalid. Without `validate`, domains and labels are believed.
    """
    column = feature.reading.column
    lines = [f"{variable} = " + (f"get({column!r})" if column.isascii() else f"value_of(record, {column!r})")]
    careful = named(careful_reader(feature))
    if isinstance(feature.type, Number):
        return [*lines, *_number_lines(feature, variable, named, validate, careful)]
    return [*lines, f"if not ({_plain_test(feature, variable, named, validate)}): {variable} = {careful}({variable})"]


def _number_lines(feature: Feature, variable: str, named: Named, validate: bool, careful: str) -> list[str]:
    """A number that is one already is asked for its type once; NaN stands for what is missing."""
    lines = [
        f"if type({variable}) is not float: {variable} = "
        f"float({variable}) if type({variable}) is int else {careful}({variable})"
    ]
    wrong = f"not {_within(feature.domain or ANY, variable, named, FINITE)[5:]}" if validate else ""
    if not feature.optional:
        wrong = wrong or f"{variable} != {variable}"
    elif wrong:
        wrong += f" and {variable} == {variable}"
    return [*lines, f"if {wrong}: {variable} = {careful}({variable})"] if wrong else lines


def careful_reader(feature: Feature) -> Callable[[Any], Any]:
    """What any cell means for the feature, a missing one by what stands for it; NotPlain for an invalid one."""
    read, absent = cell_reader(feature), missing_value(feature)
    nothing = math.nan if isinstance(feature.type, Number) else None
    if isinstance(feature.type, Number) and isinstance(absent, int):
        absent = float(absent)

    def careful(cell: Any) -> Any:
        value = read(cell)
        if value is MISSING:
            value = absent
        if isinstance(value, Failure):
            raise NotPlain
        return nothing if value is MISSING else value

    return careful


def _plain_test(feature: Feature, variable: str, named: Named, validate: bool) -> str:
    """A condition under which the value is taken as it is."""
    domain = feature.domain if validate and feature.domain is not None else ANY
    match feature.type:
        case Integer():
            return f"type({variable}) is int{_within(domain, variable, named, LONG)}"
        case Boolean():
            return f"{variable} is True or {variable} is False"
        case Vocabulary(labels=labels):
            known = f"{variable} in {named(_written(labels))}" if validate else variable
            return f"type({variable}) is str and {known}"
        case Text():
            plain = f"{variable} and {variable}.isascii() and {variable} == {variable}.strip()"
            return f"type({variable}) is str and {plain}"
        case Date():
            return f"type({variable}) is {named(date)}{_within(domain, variable, named)}"
        case Timestamp():
            instant = f"type({variable}) is {named(datetime)} and {variable}.tzinfo is {named(UTC)}"
            return f"{instant}{_within(domain, variable, named)}"
    return "False"


def _written(labels: tuple[str, ...]) -> frozenset[str]:
    """The labels that a text can be taken for as it stands."""
    return frozenset(label for label in labels if label and label == normal_form(label, trim=True))


def _within(domain: Domain, variable: str, named: Named, ends: Domain = ANY) -> str:
    """The further condition that a value lies in the domain, and between the `ends` where it has none."""
    low, below = (domain.low, domain.low_closed) if domain.low is not None else (ends.low, True)
    high, above = (domain.high, domain.high_closed) if domain.high is not None else (ends.high, True)
    if low is None and high is None:
        return ""
    before = "" if low is None else f"{named(low)} {'<=' if below else '<'} "
    return f" and {before}{variable}" + ("" if high is None else f" {'<=' if above else '<'} {named(high)}")
