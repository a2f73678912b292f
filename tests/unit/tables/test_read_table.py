"""Columns found, read and settled."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from declared import feature

from decisionflow.errors import DataError
from decisionflow.program.declarations import Domain
from decisionflow.tables.masking import mask
from decisionflow.tables.read_table import read_table
from decisionflow.tables.table import INVALID_STATE, KNOWN, MISSING_STATE
from decisionflow.types import BOOLEAN, DATE, INTEGER, NUMBER, TEXT, TIMESTAMP, Vocabulary


def one(data, declared, **options):
    table = read_table(data, {declared.name: declared}, **options)
    return table.columns[declared.name], table.problems.get(declared.name, {}), table.defaulted.get(declared.name)


def test_required_optional_and_default_cells():
    rows = [{"x": 1.0}, {"x": None}, {}]
    column, problems, _ = one(rows, feature("x", NUMBER))
    assert column.states.tolist() == [KNOWN, INVALID_STATE, INVALID_STATE]
    assert problems == {1: "x is missing", 2: "x is missing"}
    column, problems, _ = one(rows, feature("x", NUMBER, optional=True))
    assert column.states.tolist() == [KNOWN, MISSING_STATE, MISSING_STATE]
    assert problems == {}
    column, problems, defaulted = one([*rows, {"x": "?"}], feature("x", NUMBER, default=7.0))
    assert column.values.tolist()[:3] == [1.0, 7.0, 7.0]
    assert column.states.tolist() == [KNOWN, KNOWN, KNOWN, INVALID_STATE]
    assert problems == {3: 'x is "?", not a number'}
    assert defaulted.tolist() == [False, True, True, False]


def test_long_integers_stay_exact_beside_a_missing_one():
    rows = [{"account": 509682941429859799}, {"account": None}, {"account": 9007199254740993}]
    declared = feature("account", INTEGER, optional=True)
    accounts = [row["account"] for row in rows]
    nullable = pd.DataFrame({"account": pd.array(accounts, dtype="Int64")})
    for data in (rows, nullable, pd.DataFrame(rows, dtype=object), pa.Table.from_pylist(rows)):
        column, problems, _ = one(data, declared)
        assert column.values[[0, 2]].tolist() == [509682941429859799, 9007199254740993]
        assert column.states.tolist() == [KNOWN, MISSING_STATE, KNOWN]
        assert problems == {}


def test_an_integer_column_with_a_gap_is_floating_in_pandas():
    column, problems, _ = one(pd.DataFrame({"calls": [4, None, 3.5]}), feature("calls", INTEGER, optional=True))
    assert column.values[0] == 4
    assert column.values.dtype == np.int64
    assert problems == {2: "calls is 3.5, not a whole number"}


def test_single_precision_means_the_decimal_it_prints():
    frame = pd.DataFrame({"pd": np.array([0.35, 0.9, np.nan], np.float32)})
    column, _, _ = one(frame, feature("pd", NUMBER, optional=True))
    assert column.values[:2].tolist() == [0.35, 0.9]
    assert column.states.tolist() == [KNOWN, KNOWN, MISSING_STATE]


def test_clean_numbers_are_not_copied():
    frame = pd.DataFrame({"a": np.arange(5.0), "b": np.arange(5.0)})
    column, _, _ = one(frame, feature("a", NUMBER, Domain(0.0, None)))
    assert np.shares_memory(column.values, frame["a"].to_numpy())
    assert column.states is None
    arrow = pa.table({"a": np.arange(5.0)})
    assert np.shares_memory(one(arrow, feature("a", NUMBER))[0].values, arrow["a"].chunk(0).to_numpy())


def test_infinity_and_domains_in_a_column():
    frame = pd.DataFrame({"ltv": [0.8, 80.0, np.inf, np.nan, 1.0]})
    column, problems, _ = one(frame, feature("ltv", NUMBER, Domain(0.0, 1.0)))
    assert column.states.tolist() == [KNOWN, INVALID_STATE, INVALID_STATE, INVALID_STATE, KNOWN]
    assert problems == {
        1: "ltv is 80, outside [0 .. 1]; was a percentage meant?",
        2: "ltv is inf, not a finite number",
        3: "ltv is missing",
    }


def test_the_callers_promise_spares_the_checks():
    frame = pd.DataFrame({"ltv": [0.8, 80.0]})
    column, problems, _ = one(frame, feature("ltv", NUMBER, Domain(0.0, 1.0)), validate=False)
    assert column.states is None
    assert problems == {}


def test_dates_and_local_times_of_pandas():
    frame = pd.DataFrame({"d": pd.to_datetime(["2024-02-29", None, "2024-01-01 12:00"], format="mixed")})
    column, problems, _ = one(frame, feature("d", DATE, optional=True))
    assert column.values[0] == 19782
    assert column.states.tolist() == [KNOWN, MISSING_STATE, INVALID_STATE]
    assert problems == {2: "d is 2024-01-01T12:00:00, not a date: it has a time of day"}
    local = pd.DataFrame({"t": pd.to_datetime(["2024-05-01 10:00", "2024-03-31 02:30", "2024-10-27 02:30"])})
    column, problems, _ = one(local, feature("t", TIMESTAMP, zone="Europe/Berlin"))
    assert column.values[0] == pd.Timestamp("2024-05-01T08:00Z").value // 1000
    assert "skips" in problems[1]
    assert "repeats" in problems[2]
    aware = pd.DataFrame({"t": local["t"].iloc[:1].dt.tz_localize("Asia/Tokyo")})
    assert one(aware, feature("t", TIMESTAMP))[0].values[0] == pd.Timestamp("2024-05-01T01:00Z").value // 1000


def test_a_boolean_column_is_no_number():
    _, problems, _ = one(pd.DataFrame({"x": [True, False]}), feature("x", NUMBER))
    assert problems == {0: "x is true, not a number", 1: "x is false, not a number"}


def test_categories_are_read_once_each():
    frame = pd.DataFrame({"city": pd.Categorical(["Bern", None, "Basel", "Bern"])})
    column, problems, _ = one(frame, feature("city", Vocabulary(("Zürich", "Bern")), optional=True))
    assert column.values[[0, 3]].tolist() == [1, 1]
    assert column.states.tolist() == [KNOWN, MISSING_STATE, INVALID_STATE, KNOWN]
    assert problems == {2: 'city is "Basel", not one of Zürich, Bern'}
    booleans = pd.DataFrame({"b": pd.Categorical([True, False])})
    assert one(booleans, feature("b", BOOLEAN))[0].values.tolist() == [True, False]


def test_a_header_differs_from_the_name_and_is_compared_in_normal_form():
    declared = feature("size", NUMBER, column="Gro\u0308ße in m")
    assert one(pd.DataFrame({"Größe in m": [1.8]}), declared)[0].values.tolist() == [1.8]
    assert one({"Größe in m": 1.8}, declared)[0].values.tolist() == [1.8]


def test_an_absent_column_is_an_error_of_tables_and_missing_in_records():
    declared = feature("usage", NUMBER, column="Monthly Usage", optional=True)
    with pytest.raises(DataError, match=r'no column "Monthly Usage".*`usage`.*did you mean "Monthly usage"') as caught:
        read_table(pd.DataFrame({"Monthly usage": [1.0]}), {"usage": declared})
    assert "\n" not in str(caught.value)
    assert one({}, declared)[0].states.tolist() == [MISSING_STATE]


def test_two_columns_of_one_header():
    frame = pd.DataFrame([[1.0, 2.0]], columns=["x", "x"])
    with pytest.raises(DataError, match='more than one column with the header "x"'):
        read_table(frame, {"x": feature("x", NUMBER)})


@pytest.mark.parametrize("data", ["text", 3, [1, 2], np.zeros((2, 2)), None])
def test_what_is_no_table(data):
    with pytest.raises(DataError):
        read_table(data, {"x": feature("x", NUMBER)})


def test_rows_that_could_not_be_read_are_invalid_throughout():
    rows = [{"x": 1.0, "y": "a"}, {}]
    features = {"x": feature("x", NUMBER, default=0.0), "y": feature("y", TEXT, optional=True)}
    table = read_table(rows, features, refused={1: "the line is no JSON"})
    assert table.problems == {"x": {1: "the line is no JSON"}, "y": {1: "the line is no JSON"}}
    assert table.columns["y"].states.tolist() == [KNOWN, INVALID_STATE]
    assert table.defaulted["x"].tolist() == [False, False]


def test_no_rows_and_no_features():
    assert read_table([], {"x": feature("x", NUMBER)}).rows == 0
    assert read_table(pd.DataFrame({"x": []}), {"x": feature("x", INTEGER)}).rows == 0
    assert read_table(pa.table({"x": pa.array([], pa.string())}), {"x": feature("x", TEXT)}).rows == 0
    assert read_table([{"y": 1}], {}).rows == 1


def test_masks_keep_the_last_characters():
    assert mask(feature("x", TEXT), "12345678") == "12345678"
    assert mask(feature("x", TEXT, sensitive=True), "12345678") == "***"
    assert mask(feature("x", TEXT, sensitive=True, kept=4), "12345678") == "***5678"
    assert mask(feature("x", TEXT, sensitive=True, kept=4), "5678") == "***"
