"""Values as a reader sees them."""

from __future__ import annotations

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
