"""Literals read: numbers that fit, days that exist, lengths of time."""

from __future__ import annotations

import math
import re
from datetime import UTC, date, datetime, timedelta

from decisionflow.check.messages import types as messages
from decisionflow.check.report import Report
from decisionflow.conditions.expression import Constant
from decisionflow.conditions.values import INTEGER_HIGH, INTEGER_LOW
from decisionflow.syntax import tree
from decisionflow.types import CALENDAR, DATE, DURATION, INTEGER, NUMBER, TIMESTAMP, CalendarStep

SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800}
MONTHS = {"month": 1, "year": 12}
_TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d(:\d\d(\.\d{1,6})?)?([Zz]|[+-]\d\d:?\d\d)")


def number(node: tree.Number, report: Report, sign: int = 1) -> Constant | None:
    """A number as written, an integer where it has no point, exponent or per cent; `sign` is that before it."""
    value = sign * node.value
    if isinstance(value, int):
        if INTEGER_LOW <= value <= INTEGER_HIGH:
            return Constant(value, INTEGER, span=node.span)
        report.add(messages.integer_too_large(node))
        return None
    if math.isfinite(value):
        return Constant(value, NUMBER, span=node.span)
    report.add(messages.number_too_large(node))
    return None


def moment(node: tree.Moment, report: Report) -> Constant | None:
    """A date, or a timestamp in UTC."""
    try:
        if node.kind == "date":
            return Constant(date.fromisoformat(node.spelling), DATE, span=node.span)
        if _TIMESTAMP.fullmatch(node.spelling):
            instant = datetime.fromisoformat(node.spelling.upper()).astimezone(UTC)
            return Constant(instant, TIMESTAMP, span=node.span)
    except (ValueError, OverflowError) as fault:
        report.add(messages.no_such_moment(node, str(fault)))
        return None
    report.add(messages.timestamp_without_zone(node))
    return None


def length(node: tree.Length, report: Report) -> Constant | None:
    """A duration, or a calendar step of whole months."""
    if node.unit in MONTHS:
        months = node.amount * MONTHS[node.unit]
        if months != int(months) or abs(months) > 12 * 10_000:
            report.add(messages.step_not_whole(node))
            return None
        return Constant(CalendarStep(int(months)), CALENDAR, span=node.span)
    try:
        return Constant(timedelta(seconds=node.amount * SECONDS[node.unit]), DURATION, span=node.span)
    except OverflowError:
        report.add(messages.duration_too_long(node))
        return None
