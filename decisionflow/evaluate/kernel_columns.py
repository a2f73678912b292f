"""Columns as a kernel reads them: a missing value stands in the column itself, so that no state is looked at.

A number is float64, NaN where missing; an integer or date int64, `NOTHING` where missing; a boolean int8 and a label
the narrowest integer that holds the vocabulary, -1 where missing. Cells that lie so already are taken without a copy,
and checked by the kernel; all others are read by the declared type first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from decisionflow.evaluate.kernel_text import NOTHING, kernel_dtype
from decisionflow.program.declarations import Feature
from decisionflow.tables.cells import Cells, Coded, Numbers, Texts, Truths
from decisionflow.tables.column_reader import read_column
from decisionflow.tables.table import ERROR_STATE, KNOWN, MISSING_STATE, Column, Table
from decisionflow.tables.unread import Unread
from decisionflow.types import NUMBER, Boolean, Integer, Number, Vocabulary

Part = Callable[[slice], NDArray[Any]]
"""Some rows of a column, to be used before the next ones are asked for."""

INVALID_CODE = -2
_BYTES = 256


@dataclass(frozen=True)
class Fed:
    """A column for a kernel, and where its rows cannot be decided by it; None for nowhere.

    Numbers that come with a mask are also given as they lie, under `unfilled` and `missing`.
    """

    part: Part
    given_up: NDArray[np.bool_] | None = None
    unfilled: Part | None = None
    missing: NDArray[np.bool_] | None = None


def has_gaps(table: Table, features: Iterable[Feature]) -> bool:
    """Whether numbers come with masks that a kernel had better read itself."""
    unread = table.unread
    if unread is None or unread.refused:
        return False
    return any(feature.type == NUMBER and _mask(unread.cells[feature.name]) is not None for feature in features)


def _mask(cells: Cells) -> NDArray[np.bool_] | None:
    return cells.missing if isinstance(cells, Numbers) else None


def fed_column(table: Table, feature: Feature) -> Fed:
    """The column of a feature."""
    unread = table.unread
    found = None if unread is None or unread.refused else _as_it_lies(unread, feature)
    return _read(table.columns[feature.name], feature) if found is None else found


def _as_it_lies(unread: Unread, feature: Feature) -> Fed | None:
    """The cells without reading them; None where they have to be read."""
    cells, kind = unread.cells[feature.name], feature.type
    if isinstance(kind, Vocabulary) and isinstance(cells, Texts):
        cells = cells.encode()
    match kind, cells:
        case Number(), Numbers(values=values, missing=missing):
            unfilled = None if missing is None else _numbers(values, None)
            return Fed(_numbers(values, missing), None, unfilled, missing)
        case Integer(), Numbers(values=values, missing=missing) if values.dtype == np.int64:
            return Fed(_whole(values, missing), _sentinels(values, feature))
        case Boolean(), Truths(values=values, missing=missing):
            return Fed(_flags(values, missing))
        case Vocabulary(), Coded():
            return Fed(_labels(cells, feature, unread))
    return None


def _numbers(values: NDArray[Any], missing: NDArray[np.bool_] | None) -> Part:
    if missing is None:
        return lambda rows: values[rows].astype(np.float64, copy=False)
    holes, scratch = missing.view(np.int8), np.empty(0, np.int64)

    def part(rows: slice) -> NDArray[Any]:
        """The numbers with every bit set where they are missing, which is a NaN: far quicker than choosing."""
        nonlocal scratch
        if len(scratch) < rows.stop - rows.start:
            scratch = np.empty(rows.stop - rows.start, np.int64)
        filled = scratch[: rows.stop - rows.start]
        np.negative(holes[rows], out=filled)
        np.bitwise_or(filled, values[rows].astype(np.float64, copy=False).view(np.int64), out=filled)
        return filled.view(np.float64)

    return part


def _whole(values: NDArray[Any], missing: NDArray[np.bool_] | None) -> Part:
    if missing is None:
        return lambda rows: values[rows]
    return lambda rows: np.where(missing[rows], NOTHING, values[rows])


def _sentinels(values: NDArray[Any], feature: Feature) -> NDArray[np.bool_] | None:
    """Where the number that stands for a missing one is itself a value."""
    required = not feature.optional and feature.default is None
    if required or not len(values) or values.min() != NOTHING:
        return None
    return values == NOTHING


def _flags(values: NDArray[np.bool_], missing: NDArray[np.bool_] | None) -> Part:
    codes = values.view(np.int8)
    if missing is None:
        return lambda rows: codes[rows]
    return lambda rows: codes[rows] | -missing[rows].view(np.int8)


def _labels(cells: Coded, feature: Feature, unread: Unread) -> Part:
    """Codes of the vocabulary: as they lie where the cells' distinct values are its labels in their order."""
    narrow, codes = kernel_dtype(feature.type), cells.codes
    places = _places(cells.distinct, feature, unread).astype(narrow)
    if np.array_equal(places, np.arange(len(places))):
        return lambda rows: codes[rows].astype(narrow, copy=False)
    if len(places) < _BYTES and narrow is np.int8:
        table = np.append(places, np.full(_BYTES - len(places), -1, np.int8)).tobytes()
        return lambda rows: np.frombuffer(codes[rows].astype(np.uint8).tobytes().translate(table), np.int8)
    translated = np.append(places, narrow(-1))
    return lambda rows: translated[codes[rows]]


def _places(distinct: Cells, feature: Feature, unread: Unread) -> NDArray[np.int32]:
    """The place of each distinct value's label, -1 where it is missing, `INVALID_CODE` where it is no label."""
    read = read_column(distinct, feature, unread.notation, unread.validate).column
    if read.states is None:
        return read.values
    return np.where(read.states == KNOWN, read.values, np.where(read.states == MISSING_STATE, -1, INVALID_CODE))


def _read(column: Column, feature: Feature) -> Fed:
    """A column that has been read, what is missing put into it."""
    values, states = column.values, column.states
    if isinstance(feature.type, Vocabulary):
        values = values.astype(kernel_dtype(feature.type), copy=False)
    if isinstance(feature.type, Boolean):
        values = values.view(np.int8)
    given_up = _sentinels(values, feature) if values.dtype == np.int64 else None
    if states is None:
        return Fed(lambda rows: values[rows], given_up)
    nothing = {"f": np.nan, "i": NOTHING if values.dtype == np.int64 else -1}[values.dtype.kind]
    values = np.where(states == MISSING_STATE, values.dtype.type(nothing), values)
    wrong = states >= ERROR_STATE
    if given_up is not None:
        wrong |= given_up & (states == KNOWN)
    return Fed(lambda rows: values[rows], wrong if wrong.any() else None)
