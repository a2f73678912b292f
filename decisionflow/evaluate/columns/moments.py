"""Dates, timestamps and lengths of time on columns (law 6): days, microseconds and months since 1970 as integers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import MAXYEAR, MINYEAR, date

import numpy as np
from numpy.typing import NDArray

from decisionflow.evaluate.columns.arithmetic import Answer, Array, Types, add_numbers, subtract_numbers
from decisionflow.evaluate.failures import BROKEN_DAY, DATE_RANGE, where_failed
from decisionflow.types import CALENDAR, DATE, TIMESTAMP, Type

DAY = 24 * 60 * 60 * 1_000_000
"""A day in microseconds."""

FIRST_DAY = (date(MINYEAR, 1, 1) - date(1970, 1, 1)).days
LAST_DAY = (date(MAXYEAR, 12, 31) - date(1970, 1, 1)).days
_FIRST_INSTANT, _LAST_INSTANT = FIRST_DAY * DAY, (LAST_DAY + 1) * DAY - 1
_FARTHEST = 1 << 40
_MOMENTS: Sequence[Type] = (DATE, TIMESTAMP)


def add(left: Array, right: Array, types: Types) -> Answer:
    """The sum of two numbers, or a date or timestamp moved forward."""
    if types[0] in _MOMENTS:
        return moved(left, right, types[0], types[1], 1)
    return moved(right, left, types[1], types[0], 1) if types[1] in _MOMENTS else add_numbers(left, right, types)


def subtract(left: Array, right: Array, types: Types) -> Answer:
    """The difference of two numbers, of two moments, or a moment moved back."""
    if types[0] == DATE and types[1] == DATE:
        return (left - right) * DAY, None
    if types[0] == TIMESTAMP and types[1] == TIMESTAMP:
        return left - right, None
    return moved(left, right, types[0], types[1], -1) if types[0] in _MOMENTS else subtract_numbers(left, right, types)


def moved(moments: Array, steps: Array, kind: Type, step_kind: Type, sign: int) -> Answer:
    """Dates or timestamps moved by durations, or dates by calendar steps."""
    if step_kind == CALENDAR:
        return _add_months(moments, sign * steps)
    if kind == TIMESTAMP:
        return _in_range(moments + sign * steps, _FIRST_INSTANT, _LAST_INSTANT)
    whole, rest = steps // DAY, steps % DAY
    found, codes = _in_range(moments + sign * whole, FIRST_DAY, LAST_DAY)
    if not rest.any():
        return found, codes
    broken = np.where(rest != 0, np.int32(BROKEN_DAY), np.int32(0) if codes is None else codes)
    return found, broken + np.zeros(len(found), np.int32)


def days(start: Array, end: Array, types: Types) -> Answer:
    """Days from start to end; of timestamps, completed days of 24 hours."""
    return (end - start, None) if types[0] == DATE else (_towards_zero(end - start, DAY), None)


def months(start: Array, end: Array, _types: Types) -> Answer:
    """Completed months from start to end, negative when end is earlier."""
    return _completed_months(start, end), None


def years(start: Array, end: Array, _types: Types) -> Answer:
    """Completed years from start to end, negative when end is earlier."""
    return _towards_zero(_completed_months(start, end), 12), None


def _completed_months(start: Array, end: Array) -> NDArray[np.int64]:
    start_month, start_day = _month_and_day(start)
    end_month, end_day = _month_and_day(end)
    counted = end_month - start_month
    forward = counted - (end_day < start_day)
    backward = counted + (start_day < end_day)
    return np.where(end < start, backward, forward)


def _month_and_day(dates: Array) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Months since January 1970, and the day of the month counted from zero."""
    month = dates.astype("datetime64[D]").astype("datetime64[M]")
    return month.astype(np.int64), dates - month.astype("datetime64[D]").astype(np.int64)


def _add_months(dates: Array, steps: Array) -> Answer:
    month, day = _month_and_day(dates)
    reached = month + np.clip(steps, -_FARTHEST, _FARTHEST)
    low, high = (MINYEAR - 1970) * 12, (MAXYEAR - 1970) * 12 + 11
    inside = np.clip(reached, low, high)
    first, following = _first_day(inside), _first_day(inside + 1)
    return np.minimum(first + day, following - 1), where_failed(inside != reached, DATE_RANGE)


def _first_day(month: NDArray[np.int64]) -> NDArray[np.int64]:
    return month.astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)


def _in_range(moments: Array, low: int, high: int) -> Answer:
    return moments, where_failed((moments < low) | (moments > high), DATE_RANGE)


def _towards_zero(amounts: Array, unit: int) -> Array:
    return np.where(amounts >= 0, amounts // unit, -(-amounts // unit))
