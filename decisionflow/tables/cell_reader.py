"""What one cell means for a feature of a declared type (law 2): the definition that reading whole columns follows.

Where the law is silent:

- blanks around a number, boolean, date or timestamp are ignored, and blanks alone are missing; around a label or a
  text they count, unless the feature says `trim`;
- a number is no text: `7` may have been `007` before something read it as a number;
- a number or boolean is read as a label where a label is written like it: `1` for 1 and 1.0, `true` in any case for
  true;
- an integer in floating-point form is exact up to 2^53; beyond, it must come as an integer or as text;
- a date value with a time of day is no date; a moment finer than a microsecond is no timestamp.
"""

from __future__ import annotations

import math
import sys
import unicodedata
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from decisionflow.conditions.values import INTEGER_HIGH, INTEGER_LOW, MISSING, Failure, Value, is_known
from decisionflow.program.declarations import Domain, Feature
from decisionflow.tables import reasons
from decisionflow.tables.moments import localize, parse_date, parse_timestamp, to_utc
from decisionflow.tables.notation import POINT, Notation, exact_integer
from decisionflow.types import Boolean, Date, Integer, Number, Text, Timestamp, Vocabulary

CellReader = Callable[[Any], Value]
EXACT_FLOAT = 2.0**53
_TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_NOT_AVAILABLE = frozenset({"NAType", "NaTType"})


def cell_reader(feature: Feature, notation: Notation = POINT) -> CellReader:
    """A function from a cell as it came to the feature's value, MISSING, or a Failure that says why it is invalid.

    A missing cell is MISSING whatever the feature allows; `missing_value` says what stands for it.
    """
    read = _reader(feature, notation)
    is_value = value_test(feature)
    domain = feature.domain

    def read_cell(cell: Any) -> Value:
        if is_value(cell):
            return cell
        if is_missing(cell):
            return MISSING
        value = read(_plain(cell))
        if domain is None or not is_known(value) or domain.contains(value):
            return value
        return Failure(reasons.outside_domain(feature, value))

    return read_cell


def value_test(feature: Feature) -> Callable[[Any], bool]:
    """A quick test whether a cell is already a valid value of the feature, to be taken as it is; False says nothing."""
    domain = feature.domain or Domain()
    match feature.type:
        case Number():
            low, high = _float_ends(domain)
            return lambda cell: type(cell) is float and low <= cell <= high
        case Integer() if feature.domain is None:
            return lambda cell: type(cell) is int and INTEGER_LOW <= cell <= INTEGER_HIGH
        case Integer():
            return lambda cell: type(cell) is int and INTEGER_LOW <= cell <= INTEGER_HIGH and domain.contains(cell)
        case Boolean():
            return lambda cell: cell is True or cell is False
        case Vocabulary(labels=labels):
            written = frozenset(
                label for label in labels if label and label == normal_form(label, feature.reading.trim)
            )
            return lambda cell: type(cell) is str and cell in written
    return lambda _: False


def _float_ends(domain: Domain) -> tuple[float, float]:
    """The least and the greatest double inside a domain."""
    low = -sys.float_info.max if domain.low is None else float(domain.low)
    high = sys.float_info.max if domain.high is None else float(domain.high)
    if domain.low is not None and (low < domain.low or (low == domain.low and not domain.low_closed)):
        low = math.nextafter(low, math.inf)
    if domain.high is not None and (high > domain.high or (high == domain.high and not domain.high_closed)):
        high = math.nextafter(high, -math.inf)
    return low, high


def missing_value(feature: Feature) -> Value:
    """What stands for a missing cell: MISSING where that is allowed, the default, or the Failure that it is missing."""
    if feature.default is not None:
        return feature.default
    return MISSING if feature.optional else Failure(reasons.is_missing_text(feature))


def is_missing(cell: Any) -> bool:
    """Whether a cell is None, an empty text, NaN, NaT, pandas' NA or MISSING, and nothing else."""
    if cell is None or cell is MISSING:
        return True
    if isinstance(cell, str):
        return not cell
    if isinstance(cell, int):
        return False
    if isinstance(cell, Decimal):
        return cell.is_nan()
    if type(cell).__name__ in _NOT_AVAILABLE:
        return True
    is_float = isinstance(cell, float) or getattr(getattr(cell, "dtype", None), "kind", "") in ("f", "M", "m")
    return is_float and getattr(cell, "ndim", 0) == 0 and bool(cell != cell)  # noqa: PLR0124 -- NaN differs from itself


def _plain(cell: Any) -> Any:
    """A NumPy scalar as Python's own value; a single-precision number as the shortest decimal that prints the same."""
    dtype = getattr(cell, "dtype", None)
    if dtype is None or getattr(cell, "ndim", 1) != 0:
        return cell
    if dtype.kind == "f" and dtype.itemsize < 8:
        return float(str(cell))
    if dtype.kind == "M" and not isinstance(cell, datetime):
        return _moment(cell)
    if dtype.kind == "f":
        return float(cell)
    return cell.item() if hasattr(cell, "item") else cell


def _moment(cell: Any) -> Any:
    """A NumPy moment as a date or datetime; as it is where Python's calendar cannot hold it exactly."""
    micro = cell.astype("datetime64[us]")
    if micro != cell:
        return cell
    whole = cell.item() if isinstance(cell.item(), date) else micro.item()
    return whole if isinstance(whole, date) else cell


def _reader(feature: Feature, notation: Notation) -> CellReader:
    match feature.type:
        case Number():
            return _number_reader(feature, notation)
        case Integer():
            return _integer_reader(feature, notation)
        case Boolean():
            return _boolean_reader(feature)
        case Text():
            return _text_reader(feature)
        case Vocabulary(labels=labels):
            return _label_reader(feature, labels)
        case Date():
            return _date_reader(feature)
        case Timestamp():
            return _timestamp_reader(feature)
    raise TypeError(f"a feature cannot be a {feature.type}")


def _number_reader(feature: Feature, notation: Notation) -> CellReader:
    def read(cell: Any) -> Value:
        if isinstance(cell, str):
            if not cell.strip():
                return MISSING
            written = notation.read(cell)
            if written is None:
                return Failure(reasons.wrong_type(feature, cell))
            value = float(written)
            return value if math.isfinite(value) else Failure(reasons.too_large(feature, cell))
        if isinstance(cell, bool) or not isinstance(cell, int | float | Decimal):
            return Failure(reasons.wrong_type(feature, cell))
        return _finite(feature, cell)

    return read


def _finite(feature: Feature, cell: int | float | Decimal) -> Value:
    if not isinstance(cell, int) and not math.isfinite(cell):
        return Failure(reasons.not_finite(feature, cell))
    try:
        value = float(cell)
    except OverflowError:
        return Failure(reasons.too_large(feature, cell))
    return value if math.isfinite(value) else Failure(reasons.too_large(feature, cell))


def _integer_reader(feature: Feature, notation: Notation) -> CellReader:
    def read(cell: Any) -> Value:
        if isinstance(cell, str):
            if not cell.strip():
                return MISSING
            written = notation.read(cell)
            if written is None:
                return Failure(reasons.wrong_type(feature, cell))
            return _fitting(feature, cell, exact_integer(written))
        if isinstance(cell, bool) or not isinstance(cell, int | float | Decimal):
            return Failure(reasons.wrong_type(feature, cell))
        if isinstance(cell, int):
            return _fitting(feature, cell, cell)
        return _whole(feature, cell)

    return read


def _whole(feature: Feature, cell: float | Decimal) -> Value:
    if not math.isfinite(cell):
        return Failure(reasons.not_finite(feature, cell))
    if isinstance(cell, Decimal):
        return _fitting(feature, cell, exact_integer(str(cell)))
    if abs(cell) > EXACT_FLOAT:
        return Failure(reasons.not_exact(feature, cell))
    return int(cell) if cell.is_integer() else Failure(reasons.not_whole(feature, cell))


def _fitting(feature: Feature, cell: Any, value: int | None) -> Value:
    if value is None:
        return Failure(reasons.not_whole(feature, cell))
    return value if INTEGER_LOW <= value <= INTEGER_HIGH else Failure(reasons.too_large(feature, cell))


def _boolean_reader(feature: Feature) -> CellReader:
    def read(cell: Any) -> Value:
        if isinstance(cell, str):
            word = cell.strip().lower()
            if not word:
                return MISSING
            return _TRUTHS[word] if word in _TRUTHS else Failure(reasons.wrong_type(feature, cell))
        if isinstance(cell, int | float | Decimal) and cell in (0, 1):
            return bool(cell)
        return Failure(reasons.wrong_type(feature, cell))

    return read


def _text_reader(feature: Feature) -> CellReader:
    trim = feature.reading.trim

    def read(cell: Any) -> Value:
        if not isinstance(cell, str):
            return Failure(reasons.wrong_type(feature, cell))
        if not is_unicode(cell):
            return Failure(reasons.not_unicode(feature))
        text = normal_form(cell, trim)
        return text if text else MISSING

    return read


def _label_reader(feature: Feature, labels: tuple[str, ...]) -> CellReader:
    reading = feature.reading
    exact = {normal_form(label): label for label in labels}
    folded = _folded(labels)

    def find(text: str) -> str | None:
        label = exact.get(text)
        return folded.get(text.casefold()) if label is None and reading.any_case else label

    def read(cell: Any) -> Value:
        written = _spellings(cell, folded)
        if written is None:
            return Failure(reasons.wrong_type(feature, cell))
        texts = [normal_form(text, reading.trim) for text in written if is_unicode(text)]
        if texts == [""]:
            return MISSING
        found = next((label for text in texts if (label := find(text)) is not None), reading.others)
        return found if found is not None else Failure(reasons.unknown_label(feature, cell, labels))

    return read


def _folded(labels: tuple[str, ...]) -> dict[str, str]:
    """Labels by their case-folded form, those left out that differ by case only."""
    forms = [normal_form(label).casefold() for label in labels]
    return {form: label for form, label in zip(forms, labels, strict=True) if forms.count(form) == 1}


def _spellings(cell: Any, folded: dict[str, str]) -> list[str] | None:
    """How a label may be written that a cell stands for; None for a value that cannot be a label."""
    if isinstance(cell, str):
        return [cell]
    if isinstance(cell, bool):
        word = "true" if cell else "false"
        return [folded.get(word, word)]
    if isinstance(cell, int):
        return [str(cell)]
    if isinstance(cell, float | Decimal) and math.isfinite(cell):
        whole = [str(int(cell))] if -EXACT_FLOAT <= cell <= EXACT_FLOAT and cell == int(cell) else []
        return [*whole, str(cell)]
    return None


def _date_reader(feature: Feature) -> CellReader:
    def read(cell: Any) -> Value:
        if isinstance(cell, str):
            if not cell.strip():
                return MISSING
            found = parse_date(cell)
            return Failure(reasons.wrong_type(feature, cell)) if found is None else found
        if not isinstance(cell, datetime):
            return cell if isinstance(cell, date) else Failure(reasons.wrong_type(feature, cell))
        if cell.tzinfo is not None:
            return Failure(reasons.no_instant(feature, cell, "a timestamp where a date is expected"))
        at_midnight = cell.time() == datetime.min.time() and not getattr(cell, "nanosecond", 0)
        return cell.date() if at_midnight else Failure(reasons.no_time_expected(feature, cell))

    return read


def _timestamp_reader(feature: Feature) -> CellReader:
    def read(cell: Any) -> Value:
        if isinstance(cell, str) and not cell.strip():
            return MISSING
        moment = parse_timestamp(cell) if isinstance(cell, str) else cell
        if not isinstance(moment, datetime):
            return Failure(reasons.wrong_type(feature, cell))
        if getattr(moment, "nanosecond", 0):
            return Failure(reasons.no_instant(feature, cell, "finer than a microsecond"))
        if moment.tzinfo is None and feature.reading.zone is None:
            return Failure(reasons.zone_missing(feature, cell))
        instant = to_utc(moment) if moment.tzinfo is not None else localize(moment, feature.reading.zone or "")
        return instant if isinstance(instant, datetime) else Failure(reasons.no_instant(feature, cell, instant))

    return read


def normal_form(text: str, trim: bool = False) -> str:
    """A text in NFC, without the blanks around it where `trim` holds: the one form in which texts are compared."""
    normal = text if text.isascii() else unicodedata.normalize("NFC", text)
    return normal.strip() if trim else normal


def is_unicode(text: str) -> bool:
    """Whether a text can be written in UTF-8: a lone surrogate cannot."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
