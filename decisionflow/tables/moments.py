"""Dates and timestamps as text and as Python values, local times included (laws 2 and 6)."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone
from functools import lru_cache
from zoneinfo import ZoneInfo

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_TIMESTAMP = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,6}))?(Z|[+-][0-9]{2}:[0-9]{2})?"
)


def parse_date(text: str) -> date | None:
    """A date written like its literal, `2026-11-29`; None where the text is none or the day does not exist."""
    match = _DATE.fullmatch(text.strip())
    try:
        return date(*map(int, match.groups())) if match else None
    except ValueError:
        return None


def parse_timestamp(text: str) -> datetime | None:
    """A timestamp written like its literal; without an offset the answer is naive. None where the text is none."""
    match = _TIMESTAMP.fullmatch(text.strip())
    if match is None:
        return None
    *parts, fraction, offset = match.groups()
    try:
        year, month, day, hour, minute, second = map(int, parts)
        micro = int((fraction or "").ljust(6, "0"))
        moment = datetime(year, month, day, hour, minute, second, micro)
        return moment if offset is None else moment.replace(tzinfo=_offset(offset))
    except ValueError:
        return None


def localize(moment: datetime, zone: str) -> datetime | str:
    """A local time as an instant in UTC, or why there is none: a clock change skips or repeats it."""
    early = moment.replace(tzinfo=zone_of(zone), fold=0)
    late = moment.replace(tzinfo=zone_of(zone), fold=1)
    before, after = early.utcoffset() or timedelta(), late.utcoffset() or timedelta()
    if before == after:
        return to_utc(early)
    skipped = before < after
    return f"a local time that a clock change in {zone} {'skips' if skipped else 'repeats'}"


def to_utc(moment: datetime) -> datetime | str:
    """An instant in UTC, or why the calendar cannot hold it."""
    try:
        instant = moment.astimezone(UTC)
    except OverflowError:
        return "outside the years 1 to 9999"
    return instant if type(instant) is datetime else EPOCH + (instant - EPOCH) // MICROSECOND * MICROSECOND


@lru_cache(maxsize=64)
def zone_of(name: str) -> ZoneInfo:
    """The zone of a name that the checker has accepted."""
    return ZoneInfo(name)


def _offset(text: str) -> timezone:
    if text == "Z":
        return UTC
    hours, minutes = int(text[1:3]), int(text[4:6])
    if minutes > 59:
        raise ValueError("an offset has at most 59 minutes")
    length = timedelta(hours=hours, minutes=minutes)
    return timezone(-length if text[0] == "-" else length)
