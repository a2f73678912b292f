"""The same input gives the same table, whatever kind of data brings it; whole columns read as single cells do."""

import io
import json
import math
from datetime import UTC, date, datetime
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from decisionflow.conditions.values import MISSING, Failure
from decisionflow.program.declarations import Domain, Feature, Reading
from decisionflow.tables.cell_reader import cell_reader, missing_value
from decisionflow.tables.cells import Moments, Texts, numbers
from decisionflow.tables.column_reader import read_column
from decisionflow.tables.files.dialect import Dialect
from decisionflow.tables.files.open_data import open_data
from decisionflow.tables.notation import POINT, Notation
from decisionflow.tables.read_table import read_table
from decisionflow.tables.scalars import scalar_at
from decisionflow.types import BOOLEAN, DATE, INTEGER, NUMBER, TEXT, TIMESTAMP, Vocabulary

FEW = settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
LABELS = ("Zürich", "NA", "null", "yes", "1", "two words")
FEATURES = {
    feature.name: feature
    for feature in (
        Feature("number", NUMBER, Reading("A Number"), Domain(-1e6, 1e6), optional=True),
        Feature("integer", INTEGER, Reading("integer"), optional=True),
        Feature("boolean", BOOLEAN, Reading("boolean"), default=True),
        Feature("text", TEXT, Reading("text"), optional=True),
        Feature("label", Vocabulary(LABELS), Reading("label", any_case=True), optional=True),
        Feature("date", DATE, Reading("date"), optional=True),
        Feature("timestamp", TIMESTAMP, Reading("timestamp"), optional=True),
        Feature("local", TIMESTAMP, Reading("local", zone="Europe/Berlin")),
    )
}
COLUMNS = {name: feature.reading.column for name, feature in FEATURES.items()}
WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn"]), max_size=6)
VALUES = {
    "number": st.floats(-2e6, 2e6).map(lambda value: value + 0.0),
    "integer": st.integers(-(2**63), 2**63 - 1),
    "boolean": st.booleans(),
    "text": WORDS,
    "label": st.sampled_from([*LABELS, "zürich", "Zurich"]),
    "date": st.dates(date(1900, 3, 1), date(2200, 1, 1)),
    "timestamp": st.datetimes(datetime(1900, 3, 1), datetime(2200, 1, 1)).map(lambda value: value.replace(tzinfo=UTC)),
    "local": st.datetimes(datetime(2024, 3, 30), datetime(2024, 4, 1)).map(lambda value: value.replace(tzinfo=UTC)),
}
ROWS = st.lists(
    st.fixed_dictionaries({COLUMNS[name]: st.none() | values for name, values in VALUES.items()}),
    min_size=1,
    max_size=8,
)
CELLS = {
    "number": [
        "1",
        " -2.5e3 ",
        "40%",
        "7,5",
        "1_000",
        "inf",
        "nan",
        "10 EUR",
        "0x10",
        ".5",
        "5.",
        "+3",
        "١",
        "true",
        "3e6",
    ],
    "integer": ["3", "3.0", "3.5", "9223372036854775807", "9223372036854775808", "1e3", "-0", "1e99999999", " 7"],
    "boolean": ["true", "NO", "Yes", "1", "0", "maybe", "N", " false ", "2"],
    "text": ["007", "NA", " ", "e\u0301", "12:30", 'a"b', "a,b", "line\nend"],
    "label": ["NA", "null", "Zu\u0308rich", "zürich", "Zurich", "Yes", "None", " NA", "two words", "1", "1.0"],
    "date": ["2024-02-29", "2023-02-29", "29.02.2024", "2024-2-9", " 2024-01-01 ", "2024-01-01T00:00:00"],
    "timestamp": [
        "2024-05-01T10:00:00Z",
        "2024-05-01T10:00:00",
        "2024-05-01 10:00:00Z",
        "2024-05-01T10:00:00.123456+02:00",
    ],
    "local": ["2024-03-31T02:30:00", "2024-10-27T02:30:00", "2024-10-27T02:30:00+01:00", "2024-05-01T10:00:00"],
}
TEXT_ROWS = st.lists(
    st.fixed_dictionaries({COLUMNS[name]: st.sampled_from(["", *cells]) for name, cells in CELLS.items()}),
    min_size=1,
    max_size=12,
)


def summary(table):
    """A table as plain values: for each feature every row's value or state, the problems, the defaults."""
    return {
        name: (
            [shown(scalar_at(column, row, FEATURES[name].type)) for row in range(table.rows)],
            dict(table.problems.get(name, {})),
            table.defaulted[name].tolist() if name in table.defaulted else None,
        )
        for name, column in table.columns.items()
    }


def shown(value):
    return "missing" if value is MISSING else "invalid" if isinstance(value, Failure) else value


def from_file(path: Path, content: bytes):
    path.write_bytes(content)
    (chunk,) = open_data(str(path)).chunks()
    assert chunk.rejects == ()
    return chunk.read(FEATURES)


def written(value):
    """A value as text, like its literal."""
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else value.isoformat() if isinstance(value, date) else str(value)


def csv_bytes(rows) -> bytes:
    frame = pd.DataFrame([{key: written(value) for key, value in row.items()} for row in rows], dtype=object)
    return frame.to_csv(index=False).encode()


def json_bytes(rows) -> bytes:
    plain = [{k: written(v) if isinstance(v, date) else v for k, v in row.items() if v is not None} for row in rows]
    return "".join(json.dumps(row) + "\n" for row in plain).encode()


def in_workbook(value):
    """A value as a cell that keeps it: moments, and numbers of more digits than the library writes, as text."""
    is_long = isinstance(value, int | float) and (abs(value) > 2**53 or float(f"{value:.16g}") != value)
    return written(value) if is_long or isinstance(value, datetime) else value


def workbook_bytes(rows) -> bytes:
    book = openpyxl.Workbook()
    book.active.append(list(rows[0]))
    for number, row in enumerate(rows, start=2):
        for place, header in enumerate(rows[0], start=1):
            cell = book.active.cell(number, place)
            cell.value = in_workbook(row[header])
            if isinstance(cell.value, str):
                cell.data_type = "s"
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def parquet_bytes(table: pa.Table) -> bytes:
    stream = pa.BufferOutputStream()
    pq.write_table(table, stream)
    return stream.getvalue().to_pybytes()


SCHEMA = pa.schema(
    {
        "A Number": pa.float64(),
        "integer": pa.int64(),
        "boolean": pa.bool_(),
        "text": pa.string(),
        "label": pa.string(),
        "date": pa.date32(),
        "timestamp": pa.timestamp("us", "UTC"),
        "local": pa.timestamp("us", "UTC"),
    }
)
NULLABLE = {"A Number": "Float64", "integer": "Int64", "boolean": "boolean", "text": "string", "label": "category"}


@FEW
@given(ROWS)
def test_typed_values_read_alike_from_every_kind_of_data(tmp_path, rows):
    expected = summary(read_table(rows, FEATURES))
    arrow = pa.Table.from_pylist(rows, SCHEMA)
    objects = pd.DataFrame(rows, dtype=object)
    kinds = {
        "iterator": iter(rows),
        "objects": objects,
        "nullable": arrow.to_pandas(integer_object_nulls=True).astype(NULLABLE),
        "pandas on Arrow": arrow.to_pandas(types_mapper=pd.ArrowDtype),
        "arrow": arrow,
        "batch": arrow.combine_chunks().to_batches()[0],
        "chunks": pa.concat_tables([arrow.slice(0, 1), arrow.slice(1)]),
        "dictionaries": arrow.set_column(4, "label", arrow["label"].dictionary_encode()),
    }
    for kind, data in kinds.items():
        assert summary(read_table(data, FEATURES)) == expected, kind
    assert summary(from_file(tmp_path / "d.csv", csv_bytes(rows))) == expected
    assert summary(from_file(tmp_path / "d.jsonl", json_bytes(rows))) == expected
    assert summary(from_file(tmp_path / "d.parquet", parquet_bytes(arrow))) == expected
    if any(value not in (None, "") for value in rows[-1].values()):
        assert summary(from_file(tmp_path / "d.xlsx", workbook_bytes(rows))) == expected
    for row, record in enumerate(rows):
        alone = summary(read_table(record, FEATURES))
        assert {name: found[0] for name, found in alone.items()} == {k: [v[0][row]] for k, v in expected.items()}


@FEW
@given(TEXT_ROWS)
def test_text_reads_alike_from_every_kind_of_data(tmp_path, rows):
    expected = summary(read_table(rows, FEATURES))
    frame = pd.DataFrame(rows, dtype=object)
    kinds = {
        "objects": frame,
        "str": frame.astype("str"),
        "string": frame.astype("string"),
        "category": frame.astype("category"),
        "Arrow strings": frame.astype(pd.ArrowDtype(pa.string())),
        "large strings": pa.table({name: pa.array(frame[name], pa.large_string()) for name in frame}),
        "string views": pa.table({name: pa.array(frame[name], pa.string_view()) for name in frame}),
    }
    for kind, data in kinds.items():
        assert summary(read_table(data, FEATURES)) == expected, kind
    assert summary(from_file(tmp_path / "d.jsonl", json_bytes(rows))) == expected
    assert summary(from_file(tmp_path / "d.parquet", parquet_bytes(pa.Table.from_pylist(rows)))) == expected
    if any(rows[-1].values()):
        assert summary(from_file(tmp_path / "d.xlsx", workbook_bytes(rows))) == expected
    (tmp_path / "d.csv").write_bytes(csv_bytes(rows))
    (chunk,) = open_data(str(tmp_path / "d.csv"), Dialect(delimiter=",", decimal=".")).chunks()
    assert summary(chunk.read(FEATURES)) == expected


@FEW
@given(TEXT_ROWS, ROWS)
def test_polars_reads_as_records_do(text_rows, rows):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(text_rows)
    assert summary(read_table(frame, FEATURES)) == summary(read_table(text_rows, FEATURES))
    categories = frame.with_columns(polars.col("label").cast(polars.Categorical))
    assert summary(read_table(categories, FEATURES)) == summary(read_table(text_rows, FEATURES))
    typed = polars.from_arrow(pa.Table.from_pylist(rows, SCHEMA))
    assert summary(read_table(typed, FEATURES)) == summary(read_table(rows, FEATURES))


@given(st.lists(st.floats(width=32) | st.floats(width=32).map(lambda x: round(x, 3)), min_size=1))
def test_a_narrow_number_is_widened_to_the_decimal_that_prints_the_same(values):
    narrow = np.array(values, np.float32)
    widened = numbers(narrow).values
    assert all(str(np.float32(x)) == str(np.float32(y)) for x, y in zip(widened, narrow, strict=True))
    assert [x for x in widened.tolist() if x == x] == [float(str(x)) for x in narrow if x == x]


KINDS = [
    Feature("x", NUMBER, Reading("x"), Domain(0.0, 1.0, high_closed=False)),
    Feature("x", INTEGER, Reading("x"), Domain(None, 2**53, high_closed=False), optional=True),
    Feature("x", BOOLEAN, Reading("x"), default=False),
    Feature("x", Vocabulary(("0", "1", "0.5")), Reading("x", others="0.5")),
    Feature("x", TEXT, Reading("x", trim=True), sensitive=True, kept=2),
    Feature("x", DATE, Reading("x"), Domain(date(2000, 1, 1), None), optional=True),
    Feature("x", TIMESTAMP, Reading("x", zone="America/New_York"), optional=True),
    Feature("x", TIMESTAMP, Reading("x"), Domain(datetime(2000, 1, 1, tzinfo=UTC), None), optional=True),
]
FLOATS = st.lists(st.floats() | st.sampled_from([0.0, 0.5, 1.0, 2.0**53, 2.0**53 + 2, 2.0**63, math.nan, math.inf]))
TICKS = st.integers(-(2**62), 2**62) | st.just(np.iinfo(np.int64).min) | st.integers(-900_000, 900_000)
UNITS = st.sampled_from(["D", "s", "ms", "us", "ns"])


@settings(deadline=None)
@given(st.sampled_from(KINDS), FLOATS)
def test_columns_of_numbers_read_as_their_cells_do(feature, values):
    check_column(numbers(np.array(values, np.float64)), feature)


@settings(deadline=None)
@given(st.sampled_from(KINDS), st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 3)))
def test_columns_of_integers_read_as_their_cells_do(feature, values):
    check_column(numbers(np.array(values, np.uint64)), feature)


@settings(deadline=None)
@given(
    st.sampled_from(KINDS), st.lists(st.sampled_from(sorted({c for cells in CELLS.values() for c in cells})) | WORDS)
)
def test_columns_of_texts_read_as_their_cells_do(feature, values):
    check_column(Texts(pa.array(values, pa.string())), feature)


DAY_TEXTS = st.dates().map(str) | st.sampled_from(["0000-01-01", "2023-02-29", "9999-12-31", ""])
OFFSETS = st.sampled_from(["Z", "+01:00", "-23:59", "+00:00"]) | st.sampled_from(["", "+24:00", "+01:60"])
MOMENT_TEXTS = st.builds(
    lambda moment, offset: moment.isoformat() + offset,
    st.datetimes() | st.sampled_from([datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59)]),
    OFFSETS,
)


@settings(deadline=None)
@given(st.sampled_from(KINDS[-3:]), st.lists(DAY_TEXTS) | st.lists(MOMENT_TEXTS) | st.lists(MOMENT_TEXTS, max_size=1))
def test_columns_of_moments_as_text_read_as_their_cells_do(feature, values):
    check_column(Texts(pa.array(values, pa.string())), feature)


MARKS = st.sampled_from([Notation(), Notation(","), Notation(",", "."), Notation(".", ","), Notation(",", " ")])
DIGITS = st.from_regex(r"\s?-?[0-9]{1,4}([.,' ][0-9]{1,3}){0,3}(e[0-9])?%?", fullmatch=True)


@settings(deadline=None)
@given(st.sampled_from(KINDS[:2]), st.lists(DIGITS), MARKS)
def test_columns_of_marked_numbers_read_as_their_cells_do(feature, values, notation):
    check_column(Texts(pa.array(values, pa.string())), feature, notation)


@settings(deadline=None)
@given(st.sampled_from(KINDS), st.lists(TICKS), UNITS, st.booleans())
def test_columns_of_moments_read_as_their_cells_do(feature, values, unit, aware):
    check_column(Moments(np.array(values, np.int64).view(f"datetime64[{unit}]"), aware), feature)


def check_column(cells, feature, notation=POINT):
    read = cell_reader(feature, notation)
    reading = read_column(cells, feature, notation)
    for row in range(len(cells)):
        expected = read(cells.cell(row))
        expected = missing_value(feature) if expected is MISSING else expected
        found = scalar_at(reading.column, row, feature.type)
        if isinstance(expected, Failure):
            assert isinstance(found, Failure)
            assert reading.problems[row] == expected.reason
        else:
            assert found == expected
            assert row not in reading.problems
