"""Values as a reader sees them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from decisionflow.conditions.values import MISSING, Failure, Value


def value_text(value: Value, digits: int = 6) -> str:
    """A value in a few characters; numbers to so many significant digits."""
    if value is None:
        return "–"
    if value is MISSING:
        return "missing"
    if isinstance(value, Failure):
        return f"error: {value.reason}"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.{digits}g}"
    if isinstance(value, dict):
        return "( " + ", ".join(f"{name} = {value_text(part)}" for name, part in value.items()) + " )"
    if isinstance(value, tuple):
        return "[" + ", ".join(value_text(item) for item in value) + "]"
    return str(value)


def margin_text(margin: float | None) -> str:
    """The distance to a condition's boundary; empty where there is none."""
    return "" if margin is None else f"{margin:.4g}"


def range_text(part: Mapping[str, Any]) -> str:
    """A part of a certificate's box: labels, or an interval."""
    if "labels" in part:
        return "{ " + ", ".join(value_text(label) for label in part["labels"]) + " }"
    low, high = (value_text(part[end]) for end in ("low", "high"))
    if part["low"] is None and part["high"] is None:
        return "anything"
    if part["high"] is None:
        return f"{'>=' if part['low_closed'] else '>'} {low}"
    if part["low"] is None:
        return f"{'<=' if part['high_closed'] else '<'} {high}"
    return f"{'[' if part['low_closed'] else '('}{low} .. {high}{']' if part['high_closed'] else ')'}"
