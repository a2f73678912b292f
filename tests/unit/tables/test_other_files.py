"""JSON lines, Parquet, Feather and workbooks."""

import io
from datetime import date, datetime

import openpyxl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from declared import feature

from decisionflow.errors import DataError
from decisionflow.program.declarations import Domain
from decisionflow.tables.files.chunk import joined
from decisionflow.tables.files.open_data import every_row, open_data
from decisionflow.types import DATE, INTEGER, NUMBER, TEXT


def opened(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    return open_data(str(path))


def workbook(*rows, formats=None):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    for place, style in (formats or {}).items():
        book.active[place].number_format = style
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def test_json_lines_keep_integers_and_know_missing_values(tmp_path):
    lines = b'\xef\xbb\xbf{"id":"a","n":509682941429859799}\n\n{"id":"b","n":null}\n{"id":"c"}\n{"id":"d","n":NaN}\n'
    (chunk,) = opened(tmp_path, "data.jsonl", lines).chunks()
    table = chunk.read({"n": feature("n", INTEGER, optional=True)})
    assert table.columns["n"].values[0] == 509682941429859799
    assert table.columns["n"].states.tolist() == [0, 1, 1, 1]
    assert [chunk.line_of(place) for place in range(4)] == [1, 3, 4, 5]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"x": 1', "the line is no JSON: Expecting"),
        (b"[1]", "the line is no JSON object but an array"),
        (b"3", "the line is no JSON object but a number"),
        (b'{"x": 1, "x": 2}', 'the line is no JSON: the key "x" is given twice'),
        (b'{"x": "\xff"}', "the line is not UTF-8"),
        (b'{"x": ' + b"[" * 100_000 + b"}", "the line is nested too deeply"),
        (b'{"x": ' + b"9" * 5_000 + b"}", "the line is no JSON"),
    ],
)
def test_a_bad_line_is_a_reject_that_names_its_line(tmp_path, line, reason):
    (chunk,) = opened(tmp_path, "data.jsonl", b'{"x": 1}\n\n' + line + b'\n{"x": 2}\n').chunks()
    (reject,) = chunk.rejects
    assert (reject.row, reject.line) == (1, 3)
    assert reject.reason.startswith(reason)
    table = chunk.read({"x": feature("x", NUMBER)})
    assert table.columns["x"].values[[0, 2]].tolist() == [1.0, 2.0]
    assert table.problems == {"x": {1: reject.reason}}


def test_json_values_of_the_wrong_type(tmp_path):
    lines = b'{"x": true}\n{"x": "1"}\n{"x": [1]}\n{"x": Infinity}\n{"x": ""}\n'
    (chunk,) = opened(tmp_path, "data.jsonl", lines).chunks()
    table = chunk.read({"x": feature("x", NUMBER, optional=True)})
    assert table.columns["x"].states.tolist() == [3, 0, 3, 3, 1]


def test_the_own_columns_of_json_lines_have_types_that_hold_them(tmp_path):
    lines = b'{"a": 1, "b": 1, "c": "x", "d": true, "e": 9007199254740993}\n'
    lines += b'{"a": 2, "b": 0.5, "c": 1, "e": 0.5, "f": [1]}\n'
    schema = opened(tmp_path, "data.jsonl", lines).own_schema()
    assert {field.name: str(field.type) for field in schema} == {
        "a": "int64",
        "b": "double",
        "c": "string",
        "d": "bool",
        "e": "string",
        "f": "string",
    }


@pytest.mark.parametrize("content", [b"", b"\n", b'[{"x": 1}]', b"\0\1"])
def test_what_is_no_json_lines_file(tmp_path, content):
    with pytest.raises(DataError):
        opened(tmp_path, "data.jsonl", content)


@pytest.mark.parametrize("name", ["data.parquet", "data.feather", "data"])
def test_arrow_files_come_in_chunks(tmp_path, name):
    table = pa.table({"x": [1.0, None, 3.0], "unused": ["a", "b", "c"]})
    write = pyarrow.feather.write_feather if name == "data.feather" else pyarrow.parquet.write_table
    write(table, str(tmp_path / name))
    found = list(open_data(str(tmp_path / name)).chunks(rows=2, only={"x"}))
    assert [(chunk.first_row, chunk.rows, chunk.data.schema.names) for chunk in found] == [(0, 2, ["x"]), (2, 1, ["x"])]
    assert found[0].read({"x": feature("x", NUMBER, optional=True)}).columns["x"].states.tolist() == [0, 1]
    with (tmp_path / name).open("rb") as stream:
        assert sum(chunk.rows for chunk in open_data("-", standard_input=stream).chunks()) == 3


@pytest.mark.parametrize("name", ["data.parquet", "data.feather", "data.xlsx"])
def test_damaged_files(tmp_path, name):
    for content in (b"", b"no such file format at all"):
        with pytest.raises(DataError, match="cannot be read as"):
            list(opened(tmp_path, name, content).chunks())


def test_a_workbook_brings_ratios_dates_and_texts(tmp_path):
    content = workbook(
        ["ltv", "opened", "note", "n"],
        [0.8, datetime(2024, 2, 29), "007", 3],
        [80, "2024-03-01", None, 3.5],
        [1, date(2024, 3, 2), "NA", None],
        formats={"A2": "0%"},
    )
    file = opened(tmp_path, "data.xlsx", content)
    (chunk,) = file.chunks()
    table = chunk.read(
        {
            "ltv": feature("ltv", NUMBER, Domain(0.0, 1.0)),
            "opened": feature("opened", DATE),
            "note": feature("note", TEXT, optional=True),
            "n": feature("n", INTEGER, optional=True),
        }
    )
    assert table.columns["ltv"].values[[0, 2]].tolist() == [0.8, 1.0]
    assert table.columns["opened"].values.tolist() == [19782, 19783, 19784]
    assert table.columns["note"].values[[0, 2]].tolist() == ["007", "NA"]
    assert table.problems == {
        "ltv": {1: "ltv is 80, outside [0 .. 1]; was a percentage meant?"},
        "n": {1: "n is 3.5, not a whole number"},
    }
    assert [chunk.line_of(row) for row in range(3)] == [2, 3, 4]
    assert file.rows == 3


def test_workbooks_that_are_no_tables(tmp_path):
    with pytest.raises(DataError, match="is empty"):
        list(opened(tmp_path, "data.xlsx", workbook()).chunks())
    with pytest.raises(DataError, match="row 2: a cell stands to the right of the last header"):
        list(opened(tmp_path, "data.xlsx", workbook(["a"], [1, 2])).chunks())
    with pytest.raises(DataError, match="more than one column"):
        list(opened(tmp_path, "data.xlsx", workbook(["a", "a"], [1, 2])).chunks())


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.parquet", "a.feather", "a.xlsx"])
def test_every_row_of_a_file_is_one_chunk(tmp_path, name, monkeypatch):
    monkeypatch.setattr("decisionflow.tables.files.csv_blocks.BYTES_OF_BLOCK", 10)
    numbers = pa.table({"n": range(5)})
    match name:
        case "a.csv":
            (tmp_path / name).write_bytes(b"n,m\n" + b"".join(b"%d,x\n" % number for number in range(5)) + b"9\n")
        case "a.jsonl":
            (tmp_path / name).write_bytes(b"".join(b'{"n":%d}\n' % number for number in range(5)) + b"{\n")
        case "a.parquet":
            pyarrow.parquet.write_table(numbers, tmp_path / name, row_group_size=2)
        case "a.feather":
            pyarrow.feather.write_feather(numbers, tmp_path / name, chunksize=2)
        case "a.xlsx":
            (tmp_path / name).write_bytes(workbook(["n"], *([number] for number in range(5))))
    file = open_data(str(tmp_path / name))
    whole = every_row(file)
    for chunk in (whole, joined(file.chunks(2))):
        table = chunk.read({"n": feature("n", INTEGER)})
        assert table.columns["n"].values[:5].tolist() == [0, 1, 2, 3, 4]
        broken = [] if name in ("a.parquet", "a.feather", "a.xlsx") else [(5, 7 if name == "a.csv" else 6)]
        assert [(reject.row, reject.line) for reject in chunk.rejects] == broken
        assert chunk.line_of(4) == {"a.csv": 6, "a.jsonl": 5, "a.xlsx": 6}.get(name)
