"""Why a cell is invalid, in one voice: the feature, the value as it came, what was expected, what to try."""

from __future__ import annotations

from typing import Any

from decisionflow.diagnostics import nearest
from decisionflow.program.declarations import Domain, Feature
from decisionflow.tables.masking import plain_text, shown
from decisionflow.types import Boolean, Date, Integer, Number, Text, Timestamp, Type, Vocabulary

MOST_LABELS = 8
LARGEST_RATIO = 2


def is_missing_text(feature: Feature) -> str:
    """A required value is not there."""
    return f"{feature.name} is missing"


def wrong_type(feature: Feature, cell: Any) -> str:
    """The value cannot be read as the declared type."""
    return f"{_found(feature, cell)}, not {_wanted(feature)}{_kind_of(cell, feature.type)}"


def too_large(feature: Feature, cell: Any) -> str:
    """A number that its type cannot hold."""
    limit = "64 bits" if isinstance(feature.type, Integer) else "a double-precision number"
    return f"{_found(feature, cell)}, beyond what {limit} can hold"


def not_whole(feature: Feature, cell: Any) -> str:
    """A broken number where an integer is declared."""
    return f"{_found(feature, cell)}, not a whole number"


def not_exact(feature: Feature, cell: Any) -> str:
    """A floating-point integer whose last digits are lost."""
    return f"{_found(feature, cell)}, too large to be exact as a floating-point number: give it as an integer or a text"


def not_finite(feature: Feature, cell: Any) -> str:
    """Infinity."""
    return f"{_found(feature, cell)}, not a finite number"


def no_time_expected(feature: Feature, cell: Any) -> str:
    """A date value with a time of day."""
    return f"{_found(feature, cell)}, not a date: it has a time of day"


def no_instant(feature: Feature, cell: Any, why: str) -> str:
    """A moment that is no instant."""
    return f"{_found(feature, cell)}, {why}"


def zone_missing(feature: Feature, cell: Any) -> str:
    """A timestamp without a zone where none is declared."""
    return f'{_found(feature, cell)}, without a zone: add an offset such as +01:00, or declare `zone "Europe/Berlin"`'


def not_unicode(feature: Feature) -> str:
    """A text that no encoding can write."""
    return f"{feature.name} is not valid Unicode text"


def unknown_label(feature: Feature, cell: Any, labels: tuple[str, ...]) -> str:
    """A text that is none of the labels; the nearest is suggested unless that would give a sensitive value away."""
    listed = ", ".join(labels[:MOST_LABELS]) + (", …" if len(labels) > MOST_LABELS else "")
    text = cell if isinstance(cell, str) else plain_text(cell)
    near = None if feature.sensitive else nearest(text.strip(), labels)
    hint = f'; did you mean "{near}"?' if near is not None else ""
    return f"{_found(feature, cell)}, not one of {listed}{hint}"


def outside_domain(feature: Feature, value: Any) -> str:
    """A value outside the declared domain; a percentage is suspected where a hundredth of a ratio would fit."""
    reason = f"{_found(feature, value)}, outside {domain_text(feature.domain)}" if feature.domain else ""
    return reason + ("; was a percentage meant?" if _looks_like_percentage(feature, value) else "")


def domain_text(domain: Domain) -> str:
    """A domain as a policy writes it."""
    low, high = plain_text(domain.low), plain_text(domain.high)
    if domain.high is None:
        return f"{'>=' if domain.low_closed else '>'} {low}"
    if domain.low is None:
        return f"{'<=' if domain.high_closed else '<'} {high}"
    return f"{'[' if domain.low_closed else '('}{low} .. {high}{']' if domain.high_closed else ')'}"


def _looks_like_percentage(feature: Feature, value: Any) -> bool:
    domain = feature.domain
    if feature.sensitive or not isinstance(feature.type, Number) or domain is None or domain.high is None:
        return False
    return bool(0 < domain.high <= LARGEST_RATIO and value > domain.high and domain.contains(value / 100))


def _found(feature: Feature, cell: Any) -> str:
    return f"{feature.name} is {shown(feature, cell)}"


def _wanted(feature: Feature) -> str:
    match feature.type:
        case Boolean():
            return "true or false"
        case Date():
            return "a date such as 2026-11-29"
        case Timestamp():
            return "a timestamp such as 2026-11-29T08:00:00Z"
        case Integer():
            return "a whole number"
        case Vocabulary():
            return "a label"
    return f"a {feature.type}"


def _kind_of(cell: Any, wanted: Type) -> str:
    """What the value is where its look does not say so."""
    if isinstance(cell, str):
        return ""
    if isinstance(wanted, Text) and isinstance(cell, int | float) and not isinstance(cell, bool):
        return ": it is a number; keep the column as text, so that leading zeros survive"
    return ""
