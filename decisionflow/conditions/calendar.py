"""Dates, instants and lengths of time (law 6 of the language)."""

from __future__ import annotations

import calendar
from datetime import date, datetime, timedelta

from decisionflow.conditions.values import Failure, Value
from decisionflow.types import CalendarStep

OUT_OF_RANGE = Failure("a date outside the years 1 to 9999")
DAY = timedelta(days=1)


def shift(moment: date, step: timedelta | CalendarStep, sign: int = 1) -> Value:
    """A date or timestamp moved by a duration, or a date by a calendar step.

    Adding months ends on the month's last day where the day does not exist; a date moves by whole days only.
    """
    try:
        if isinstance(step, CalendarStep):
            return _add_months(moment, sign * step.months)
        if not isinstance(moment, datetime) and step % DAY:
            return Failure("a date and a duration that is not in whole days")
        return moment + sign * step
    except (OverflowError, ValueError):
        return OUT_OF_RANGE


def _add_months(moment: date, months: int) -> date:
    year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
    last = calendar.monthrange(year, month + 1)[1] if 1 <= year <= 9999 else moment.day
    return moment.replace(year=year, month=month + 1, day=min(moment.day, last))


def days_between(start: date, end: date) -> int:
    """Days from start to end; of two timestamps, completed days of 24 hours."""
    length = end - start
    return length // DAY if length >= timedelta() else -(-length // DAY)


def months_between(start: date, end: date) -> int:
    """Completed months from start to end, counted from the day of the month; negative when end is earlier.

    A month from the 31st completes on the next 1st where there is no 31st.
    """
    if end < start:
        return -months_between(end, start)
    months = (end.year - start.year) * 12 + end.month - start.month
    return months - (end.day < start.day)


def years_between(start: date, end: date) -> int:
    """Completed years from start to end: who is born on 29 February completes a year on 1 March in a common year."""
    months = months_between(start, end)
    return months // 12 if months >= 0 else -(-months // 12)
