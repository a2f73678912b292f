"""Whole columns of cells read by a declared type: what `cell_reader` says of each, without a loop over the cells.

Array code reads what it is sure of and marks the rest; only those cells, and each distinct value of a coded column, go
to the cell reader. So there is one definition of what a cell means.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeGuard

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from decisionflow.conditions.values import MISSING, Failure
from decisionflow.program.declarations import Domain, Feature
from decisionflow.tables import reasons
from decisionflow.tables.cell_reader import EXACT_FLOAT, CellReader, cell_reader
from decisionflow.tables.cells import Cells, Coded, Mask, Moments, Numbers, Objects, Texts, Truths
from decisionflow.tables.local_times import instants
from decisionflow.tables.notation import POINT, Notation
from decisionflow.tables.scalars import storage, to_stored
from decisionflow.tables.table import INVALID_STATE, KNOWN, MISSING_STATE, Column
from decisionflow.types import Boolean, Date, Integer, Number, Timestamp, Type

DAYS_OF_CALENDAR = (-719162, 2932896)
"""The days from 0001-01-01 to 9999-12-31, counted from 1970-01-01."""


INTEGER_PATTERN = "^-?[0-9]{1,18}$"
DATE_PATTERN = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
TIMESTAMP_PATTERN = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?(Z|[+-][0-9]{2}:[0-9]{2})$"


@dataclass(frozen=True)
class Reading:
    """A column as read: its values and states, why each invalid cell is invalid, and where the default stands."""

    column: Column
    problems: dict[int, str] = field(default_factory=dict)
    defaulted: Mask | None = None


@dataclass(frozen=True)
class Draft:
    """Values `(n,)` of the declared type, where they are missing, and where array code is not sure of them."""

    values: NDArray[Any]
    missing: Mask | None = None
    unsure: Mask | None = None


def read_column(cells: Cells, feature: Feature, notation: Notation = POINT, validate: bool = True) -> Reading:
    """The column of a feature; without `validate`, types and domains are believed."""
    return _settle(_read(cells, feature, notation, validate), feature)


def _read(cells: Cells, feature: Feature, notation: Notation, validate: bool) -> Reading:
    """Values, missing cells and invalid ones, before the feature says what stands for a missing one."""
    if isinstance(cells, Coded):
        return _take(_read(cells.distinct, feature, notation, validate), cells.codes, feature.type)
    read = cell_reader(feature, notation)
    if isinstance(cells, Objects):
        return _read_one_by_one(cells, feature.type, read)
    if not validate and _is_trusted(cells, feature):
        return Reading(Column(cells.values))
    draft = _draft(cells, feature, notation)
    if draft is None:
        return _read(cells.encode(), feature, notation, validate)
    return _finish(draft, cells, feature, read, validate)


def _is_trusted(cells: Cells, feature: Feature) -> TypeGuard[Numbers]:
    """Whether the promise that every value is valid leaves nothing to do."""
    required = not feature.optional and feature.default is None
    is_float = isinstance(cells, Numbers) and cells.values.dtype == np.float64 and cells.missing is None
    return required and is_float and isinstance(feature.type, Number)


def _settle(reading: Reading, feature: Feature) -> Reading:
    """Missing cells become what the feature says: missing, the default, or invalid."""
    states = reading.column.states
    if states is None or feature.optional or not (missing := states == MISSING_STATE).any():
        return reading
    values, states = reading.column.values.copy(), states.copy()
    if feature.default is not None:
        values[missing] = to_stored(feature.default, feature.type)
        states[missing] = KNOWN
        return Reading(Column(values, states if states.any() else None), reading.problems, missing)
    states[missing] = INVALID_STATE
    reason = reasons.is_missing_text(feature)
    problems = reading.problems | dict.fromkeys(np.flatnonzero(missing).tolist(), reason)
    return Reading(Column(values, states), problems)


def _take(distinct: Reading, codes: NDArray[np.integer[Any]], kind: Type) -> Reading:
    """The reading of rows that hold distinct cells by their codes."""
    column = distinct.column
    absent = codes < 0
    values = np.append(column.values, _fillers(1, kind))[codes]
    states = np.append(column.state(), np.uint8(MISSING_STATE))[codes]
    problems: dict[int, str] = {}
    if distinct.problems:
        bad = np.flatnonzero((states == INVALID_STATE) & ~absent)
        problems = {row: distinct.problems[code] for row, code in zip(bad.tolist(), codes[bad].tolist(), strict=True)}
    return Reading(Column(values, states if states.any() else None), problems)


def _fillers(count: int, kind: Type) -> NDArray[Any]:
    """Values that mean nothing, of the right kind."""
    return np.full(count, "", np.object_) if storage(kind) is np.object_ else np.zeros(count, storage(kind))


def _read_one_by_one(cells: Objects, kind: Type, read: CellReader) -> Reading:
    """Every cell by the cell reader, equal ones of one type only once."""
    rows = np.arange(len(cells))
    return _place(_fillers(len(cells), kind), None, rows, cells, kind, read)


def _finish(draft: Draft, cells: Cells, feature: Feature, read: CellReader, validate: bool) -> Reading:
    """A draft checked against the domain, its unsure cells read one by one."""
    outside = _outside(draft.values, feature) if validate else None
    unsure = _either(draft.unsure, outside)
    if unsure is not None and draft.missing is not None:
        unsure = unsure & ~draft.missing
    if unsure is None or not unsure.any():
        return Reading(Column(draft.values, None if draft.missing is None else draft.missing.astype(np.uint8)))
    return _place(draft.values, draft.missing, np.flatnonzero(unsure), cells, feature.type, read)


def _place(
    values: NDArray[Any], missing: Mask | None, rows: NDArray[np.intp], cells: Cells, kind: Type, read: CellReader
) -> Reading:
    """The values with some rows' cells read by the cell reader."""
    values = values.copy()
    states = np.zeros(len(values), np.uint8) if missing is None else missing.astype(np.uint8)
    problems: dict[int, str] = {}
    known: dict[tuple[type, Any], Any] = {}
    for row in rows.tolist():
        value = _remembered(cells.cell(row), read, known)
        if value is MISSING:
            states[row] = MISSING_STATE
        elif isinstance(value, Failure):
            states[row], problems[row] = INVALID_STATE, value.reason
        else:
            states[row], values[row] = KNOWN, to_stored(value, kind)
    return Reading(Column(values, states if states.any() else None), problems)


def _remembered(cell: Any, read: CellReader, known: dict[tuple[type, Any], Any]) -> Any:
    if not isinstance(cell, str | int | float):
        return read(cell)
    key = (type(cell), cell)
    if key not in known:
        known[key] = read(cell)
    return known[key]


def _outside(values: NDArray[Any], feature: Feature) -> Mask | None:
    """Where stored values lie outside the domain; None where none does. NaN lies nowhere and is not marked."""
    domain = feature.domain
    if domain is None or not len(values):
        return None
    low, high = _stored_ends(domain, feature.type)
    lowest, highest = np.fmin.reduce(values), np.fmax.reduce(values)
    above = low is None or lowest > low or (domain.low_closed and lowest == low)
    below = high is None or highest < high or (domain.high_closed and highest == high)
    if above and below:
        return None
    too_low = None if low is None else (values < low if domain.low_closed else values <= low)
    too_high = None if high is None else (values > high if domain.high_closed else values >= high)
    return _either(too_low, too_high)


def _stored_ends(domain: Domain, kind: Type) -> tuple[Any, Any]:
    low = None if domain.low is None else to_stored(domain.low, kind)
    high = None if domain.high is None else to_stored(domain.high, kind)
    return low, high


def _either(left: Mask | None, right: Mask | None) -> Mask | None:
    if left is None or right is None:
        return right if left is None else left
    return left | right


def _draft(cells: Cells, feature: Feature, notation: Notation) -> Draft | None:
    """What array code makes of the cells for the declared type; None where it has no way."""
    match feature.type, cells:
        case Number(), Numbers():
            return _number_draft(cells)
        case Integer(), Numbers():
            return _integer_draft(cells)
        case Boolean(), Truths():
            return Draft(cells.values, cells.missing)
        case Number(), Texts():
            return _text_draft(cells.array, notation, notation.plain_pattern, pa.float64())
        case Integer(), Texts():
            return _text_draft(cells.array, notation, INTEGER_PATTERN, pa.int64())
        case Date(), Moments():
            return _date_draft(cells)
        case Date(), Texts():
            return _moment_text_draft(cells.array, DATE_PATTERN, pa.date32(), feature)
        case Timestamp(), Texts():
            return _moment_text_draft(cells.array, TIMESTAMP_PATTERN, pa.timestamp("us", "UTC"), feature)
        case Timestamp(), Moments():
            return _timestamp_draft(cells, feature.reading.zone)
    return None


def _number_draft(cells: Numbers) -> Draft:
    if cells.values.dtype != np.float64:
        return Draft(cells.values.astype(np.float64), cells.missing)
    values = cells.filled()
    if not len(values) or np.isfinite(values.min() + values.max()):
        return Draft(values)
    missing = np.isnan(values)
    infinite = np.isinf(values) if np.isinf([np.fmin.reduce(values), np.fmax.reduce(values)]).any() else None
    return Draft(values, missing if missing.any() else None, infinite)


def _integer_draft(cells: Numbers) -> Draft:
    if cells.values.dtype == np.int64:
        return Draft(cells.values, cells.missing)
    values = cells.filled()
    missing = np.isnan(values) if values.dtype == np.float64 else cells.missing
    with np.errstate(invalid="ignore"):
        sure = np.abs(values) <= EXACT_FLOAT
        whole = np.where(sure, values, 0).astype(np.int64)
    unsure = ~(sure & (whole == values))
    return Draft(whole, missing if missing is not None and missing.any() else None, unsure if unsure.any() else None)


def _text_draft(array: pa.Array, notation: Notation, pattern: str, kind: pa.DataType) -> Draft:
    """Numbers read by Arrow where the text has the plain pattern, which its casts read exactly."""
    missing = _empty(array)
    array = pc.ascii_trim_whitespace(array)
    plain = pc.match_substring_regex(array, pattern)
    sure = pc.fill_null(plain, False).to_numpy(zero_copy_only=False)
    if not sure.all():
        array = pc.if_else(plain, array, pa.scalar("0", array.type))
    values = _in_pythons_marks(array, notation).cast(kind).fill_null(0).to_numpy(zero_copy_only=False)
    unsure = ~sure if missing is None else ~sure & ~missing
    return Draft(values, missing, unsure if unsure.any() else None)


def _in_pythons_marks(array: pa.Array, notation: Notation) -> pa.Array:
    if notation.thousands:
        array = pc.replace_substring(array, notation.thousands, "")
    return array if notation.decimal == "." else pc.replace_substring(array, notation.decimal, ".")


def _moment_text_draft(array: pa.Array, pattern: str, kind: pa.DataType, feature: Feature) -> Draft | None:
    """Dates and instants read by Arrow where all have the pattern and exist; None leaves them to the cell reader."""
    missing = _empty(array)
    known = array if missing is None else array.filter(pa.array(~missing))
    if not pc.all(pc.match_substring_regex(known, pattern)).as_py():
        return None
    try:
        moments = pc.if_else(pc.equal(pc.binary_length(array), 0), pa.scalar(None, array.type), array).cast(kind)
    except pa.ArrowInvalid:
        return None
    cells = Moments(moments.to_numpy(zero_copy_only=False), aware=pa.types.is_timestamp(kind))
    return _date_draft(cells) if isinstance(feature.type, Date) else _timestamp_draft(cells, None)


def _empty(array: pa.Array) -> Mask | None:
    """Where texts are null or empty; None where none is."""
    missing = pc.fill_null(pc.equal(pc.binary_length(array), 0), True).to_numpy(zero_copy_only=False)
    return missing if missing.any() else None


def _date_draft(cells: Moments) -> Draft:
    missing = cells.missing if cells.missing.any() else None
    days = cells.values.astype("datetime64[D]")
    stored = np.where(cells.missing, 0, days.astype(np.int64))
    low, high = DAYS_OF_CALENDAR
    unsure = (stored < low) | (stored > high) | ((days != cells.values) & ~cells.missing)
    if cells.aware:
        unsure = ~cells.missing
    return Draft(stored, missing, unsure if unsure.any() else None)


def _timestamp_draft(cells: Moments, zone: str | None) -> Draft | None:
    """Instants in microseconds; dates, finer moments and local times without a declared zone go to the cell reader."""
    if cells.unit == "D" or (not cells.aware and zone is None):
        return None
    micro = cells.values.astype("datetime64[us]")
    unsure = (micro != cells.values) & ~cells.missing
    if not cells.aware:
        micro = instants(micro, zone or "")
        unsure |= np.isnat(micro) & ~cells.missing
    low, high = (np.datetime64(f"{year}-01-01", "us") for year in ("0001", "10000"))
    unsure |= (micro < low) | (micro >= high)
    stored = np.where(np.isnat(micro), 0, micro.astype(np.int64))
    return Draft(stored, cells.missing if cells.missing.any() else None, unsure if unsure.any() else None)
