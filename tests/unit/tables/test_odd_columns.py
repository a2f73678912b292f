"""Columns of any type are read: a value that fits no declared type is invalid, never an exception."""

import datetime as dt
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from declared import feature

from decisionflow.errors import DataError
from decisionflow.tables.read_table import read_table
from decisionflow.tables.table import INVALID_STATE, KNOWN, MISSING_STATE
from decisionflow.types import BOOLEAN, DATE, INTEGER, NUMBER, TEXT, TIMESTAMP, Vocabulary

KINDS = [NUMBER, INTEGER, BOOLEAN, TEXT, Vocabulary(("a", "1")), DATE, TIMESTAMP]
STRANGE = {
    "periods": pd.DataFrame({"x": pd.period_range("2024-01", "2024-03", freq="M")}),
    "intervals": pd.DataFrame({"x": pd.interval_range(0, 2)}),
    "complex numbers": pd.DataFrame({"x": [1 + 2j]}),
    "bytes": pd.DataFrame({"x": [b"a"]}),
    "lengths of time": pd.DataFrame({"x": pd.to_timedelta(["1D", "2D"])}),
    "containers": pd.DataFrame({"x": [[1], {"a": 1}, np.array([1, 2]), (1,), set(), object()]}),
    "lists": pa.table({"x": [[1]]}),
    "structs": pa.table({"x": [{"a": 1}]}),
    "binary": pa.table({"x": [b"a"]}),
    "times": pa.table({"x": [dt.time(1)]}),
    "days beyond the calendar": pa.table({"x": pa.array([10**7, -(10**7)], pa.int32()).cast(pa.date32())}),
    "moments beyond the calendar": pa.table({"x": pa.array([10**13, -(10**13)], pa.timestamp("s"))}),
    "lone surrogates": pd.DataFrame({"x": ["\ud800"]}, dtype=object),
    "identifiers": pa.table({"x": pa.ExtensionArray.from_storage(pa.uuid(), pa.array([b"0" * 16], pa.binary(16)))}),
}


def states(data, kind):
    return read_table(data, {"x": feature("x", kind, optional=True)}).columns["x"].state().tolist()


@pytest.mark.parametrize("kind", KINDS, ids=str)
@pytest.mark.parametrize("name", STRANGE)
def test_values_of_no_type_of_the_language_are_invalid(name, kind):
    found = read_table(STRANGE[name], {"x": feature("x", kind, optional=True)})
    assert set(found.columns["x"].state().tolist()) == {INVALID_STATE}
    assert len(found.problems["x"]) == found.rows > 0


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_a_column_of_nulls_is_missing(kind):
    assert states(pa.table({"x": pa.nulls(2)}), kind) == [MISSING_STATE] * 2
    assert states(pa.table({"x": pa.chunked_array([], pa.string())}), kind) == []
    assert (
        states(pd.DataFrame({"x": pd.Series([None, pd.NA, pd.NaT, np.nan], dtype=object)}), kind) == [MISSING_STATE] * 4
    )


def test_numbers_in_unusual_columns():
    for data in (
        pd.DataFrame({"x": pd.arrays.SparseArray([1.0, np.nan])}),
        pa.table({"x": [Decimal("1.0"), None]}),
        pa.table({"x": pa.array([1, None], pa.uint64())}),
        pa.table({"x": pa.array([np.float16(1), None], pa.float16())}),
        pa.table({"x": pa.DictionaryArray.from_arrays(pa.array([0, 1]), pa.array(["1", None]))}),
        pa.table({"x": pa.array(["1", None])}).to_reader(),
    ):
        assert states(data, INTEGER) == [KNOWN, MISSING_STATE]


def test_unusual_columns_of_polars():
    polars = pytest.importorskip("polars")
    assert states(polars.DataFrame({"x": polars.Series([1, None], dtype=polars.Int128)}), INTEGER) == [
        KNOWN,
        MISSING_STATE,
    ]
    assert states(polars.DataFrame({"x": [Decimal("1.5"), None]}), NUMBER) == [KNOWN, MISSING_STATE]
    enumeration = polars.Series(["a", None], dtype=polars.Enum(["a", "b"]))
    assert states(polars.DataFrame({"x": enumeration}), Vocabulary(("a",))) == [KNOWN, MISSING_STATE]
    narrow = polars.DataFrame({"x": polars.Series([0.35], dtype=polars.Float32)})
    assert read_table(narrow, {"x": feature("x", NUMBER)}).columns["x"].values.tolist() == [0.35]


class Unprintable:
    """A value that cannot even be shown."""

    def __repr__(self):
        raise ValueError


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_a_value_that_cannot_be_shown_is_invalid(kind):
    for data in ({"x": Unprintable()}, [{"x": Unprintable()}], pd.DataFrame({"x": [Unprintable()]})):
        found = read_table(data, {"x": feature("x", kind, optional=True)})
        assert found.columns["x"].state().tolist() == [INVALID_STATE]
        assert found.problems["x"][0].startswith("x is a Unprintable, not ")


@pytest.mark.parametrize("data", [pd.Series([1.0], name="x"), pa.array([1.0]), pa.chunked_array([[1.0]])])
def test_a_single_column_is_no_table(data):
    with pytest.raises(DataError, match="is no table: give a dict"):
        read_table(data, {"x": feature("x", NUMBER)})


def test_a_number_of_more_than_double_precision_is_read_as_in_a_column():
    for data in ([{"x": np.longdouble("2.5")}], pd.DataFrame({"x": np.array(["2.5"], np.longdouble)})):
        assert read_table(data, {"x": feature("x", NUMBER)}).columns["x"].values.tolist() == [2.5]
        assert states(data, INTEGER) == [INVALID_STATE]
