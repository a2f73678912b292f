"""A column as it came, before a declared type reads it: arrays of the few kinds that all sources reduce to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Numbers:
    """Numbers `(n,)`, float64, int64 or uint64; NaN is missing, and so is where the mask holds."""

    values: NDArray[Any]
    missing: Mask | None = None

    def cell(self, row: int) -> Any:
        return None if self.missing is not None and self.missing[row] else self.values[row].item()

    def filled(self) -> NDArray[Any]:
        """The numbers; where they lie in floating point, those under the mask are NaN."""
        if self.missing is None or self.values.dtype != np.float64:
            return self.values
        return np.where(self.missing, np.nan, self.values)

    def encode(self) -> Coded:
        """The distinct numbers, and which one each row holds."""
        distinct, codes = np.unique(self.values, return_inverse=True)
        return Coded(_masked(codes, self.missing), Objects(distinct.tolist()))

    def __len__(self) -> int:
        return len(self.values)


@dataclass(frozen=True)
class Truths:
    """Booleans `(n,)`, missing where the mask holds."""

    values: NDArray[np.bool_]
    missing: Mask | None = None

    def cell(self, row: int) -> Any:
        return None if self.missing is not None and self.missing[row] else bool(self.values[row])

    def encode(self) -> Coded:
        return Coded(_masked(self.values.astype(np.int64), self.missing), Objects([False, True]))

    def __len__(self) -> int:
        return len(self.values)


@dataclass(frozen=True)
class Texts:
    """Strings `(n,)`, null or empty where missing."""

    array: pa.Array

    def cell(self, row: int) -> Any:
        return self.array[row].as_py()

    def encode(self) -> Coded:
        coded = self.array.dictionary_encode()
        codes = coded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
        return Coded(codes, Objects(coded.dictionary.to_pylist()))

    def __len__(self) -> int:
        return len(self.array)


@dataclass(frozen=True)
class Moments:
    """Moments `(n,)` as datetime64 of any unit, NaT where missing; `aware` ones are instants in UTC.

    `days` says that the source has dates: moments without a time of day.
    """

    values: NDArray[np.datetime64]
    aware: bool = False

    def cell(self, row: int) -> Any:
        moment = self.values[row]
        micro = moment.astype("datetime64[us]")
        if np.isnat(moment):
            return None
        if micro != moment:
            return _finer(moment, self.aware)
        value = moment.item() if self.unit == "D" and not self.aware else micro.item()
        if not hasattr(value, "year"):
            return moment
        return value.replace(tzinfo=UTC) if self.aware else value

    @property
    def unit(self) -> str:
        return np.datetime_data(self.values.dtype)[0]

    @cached_property
    def missing(self) -> Mask:
        return np.isnat(self.values)

    def encode(self) -> Coded:
        distinct, first, codes = np.unique(self.values.view(np.int64), return_index=True, return_inverse=True)
        return Coded(codes, Objects([self.cell(row) for row in first])) if len(distinct) else Coded(codes, Objects([]))

    def __len__(self) -> int:
        return len(self.values)


@dataclass(frozen=True)
class Objects:
    """Python values of any kind, as records and columns of dtype object bring them."""

    values: Sequence[Any]

    def cell(self, row: int) -> Any:
        return self.values[row]

    def __len__(self) -> int:
        return len(self.values)


@dataclass(frozen=True)
class Coded:
    """Distinct cells and which of them each row `(n,)` holds, −1 where missing: categories and dictionaries."""

    codes: NDArray[np.integer[Any]]
    distinct: Cells

    def cell(self, row: int) -> Any:
        code = int(self.codes[row])
        return None if code < 0 else self.distinct.cell(code)

    def __len__(self) -> int:
        return len(self.codes)


Cells = Numbers | Truths | Texts | Moments | Objects | Coded


def taken(cells: Cells, rows: NDArray[np.intp]) -> Cells:
    """The cells of some rows, in the order given."""
    match cells:
        case Coded(codes=codes, distinct=distinct):
            return Coded(codes[rows], distinct)
        case Texts(array=array):
            return Texts(array.take(pa.array(rows)))
        case Objects(values=values):
            return Objects([values[row] for row in rows.tolist()])
        case Moments(values=values, aware=aware):
            return Moments(values[rows], aware)
    return type(cells)(cells.values[rows], None if cells.missing is None else cells.missing[rows])


def numbers(values: NDArray[Any], missing: Mask | None = None) -> Numbers:
    """Numbers of any NumPy width; single precision is widened to the shortest decimal that prints the same (law 1)."""
    if values.dtype.kind == "f":
        return Numbers(values if values.dtype == np.float64 else widen(values), missing)
    if values.dtype.kind == "u" and values.dtype.itemsize == 8:
        fits = not len(values) or values.max() <= np.iinfo(np.int64).max
        return Numbers(values.astype(np.int64) if fits else values, missing)
    return Numbers(values.astype(np.int64, copy=False), missing)


def widen(values: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    """Floating-point numbers in double precision, narrow ones as the shortest decimal that prints the same."""
    if values.dtype.itemsize > 4:
        return values.astype(np.float64)
    if values.dtype.itemsize == 2:
        distinct, codes = np.unique(values, return_inverse=True)
        return np.array([float(str(value)) for value in distinct], np.float64)[codes]
    written = pa.array(values.astype(np.float32), from_pandas=False).cast(pa.string())
    return written.cast(pa.float64()).to_numpy(zero_copy_only=False)


def _masked(codes: NDArray[np.int64], missing: Mask | None) -> NDArray[np.int64]:
    return codes if missing is None else np.where(missing, -1, codes)


def _finer(moment: np.datetime64, aware: bool) -> Any:
    """A moment with nanoseconds as pandas holds it."""
    import pandas as pd

    found = pd.Timestamp(moment)
    return found.tz_localize("UTC") if aware else found
