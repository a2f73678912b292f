"""Output: the input's own columns first, complete or not at all."""

import errno
import io
import os
from datetime import UTC, date, datetime
from decimal import Decimal

import openpyxl
import pyarrow as pa
import pytest

from decisionflow.errors import DataError
from decisionflow.tables.files.chunk import Reject
from decisionflow.tables.files.dialect import Dialect
from decisionflow.tables.files.formats import FORMATS
from decisionflow.tables.files.open_data import open_data
from decisionflow.tables.writing.rejects import REJECT_SCHEMA, reject_table
from decisionflow.tables.writing.write_table import JSONLinesWriter, write_table

DECIDED = pa.schema(
    [("outcome", pa.dictionary(pa.int32(), pa.string())), ("limit", pa.float64()), ("at", pa.timestamp("us", "UTC"))]
)


def decided(rows):
    outcomes = pa.array(["refer", None, "approve"][:rows], pa.string()).dictionary_encode()
    limits = pa.array([1e6, None, 0.1][:rows], pa.float64())
    moments = pa.array([datetime(2024, 5, 1, tzinfo=UTC)] * rows, pa.timestamp("us", "UTC"))
    return pa.table([outcomes, limits, moments], schema=DECIDED)


def convert(tmp_path, name, content, target, rows=65_536):
    (tmp_path / name).write_bytes(content)
    file = open_data(str(tmp_path / name))
    with write_table(str(tmp_path / f"out.{target}"), target, DECIDED, file.own_schema()) as table:
        for chunk in file.chunks(rows):
            table.write(decided(chunk.rows), chunk)
    return tmp_path / f"out.{target}"


def test_csv_to_csv_keeps_its_own_cells(tmp_path):
    content = b'id,"no,te"\n007,"a ""b"""\n2,NA\n3,"x\ny"\n'
    out = convert(tmp_path, "in.csv", content, "csv")
    assert out.read_bytes() == (
        b'id,"no,te",outcome,limit,at\n'
        b'007,"a ""b""",refer,1000000,2024-05-01T00:00:00Z\n'
        b"2,NA,,,2024-05-01T00:00:00Z\n"
        b'3,"x\ny",approve,0.1,2024-05-01T00:00:00Z\n'
    )


def test_json_lines_to_json_lines_keep_their_own_values(tmp_path):
    out = convert(tmp_path, "in.jsonl", b'{"id":509682941429859799,"x":NaN}\n{"y":[1,"\xc3\xbc"]}\n', "jsonl", rows=1)
    assert out.read_text() == (
        '{"id": 509682941429859799, "x": null, "outcome": "refer", "limit": 1000000.0, "at": "2024-05-01T00:00:00Z"}\n'
        '{"y": [1, "ü"], "outcome": "refer", "limit": 1000000.0, "at": "2024-05-01T00:00:00Z"}\n'
    )


@pytest.mark.parametrize("target", FORMATS)
@pytest.mark.parametrize("source", ["csv", "jsonl", "parquet", "feather", "xlsx"])
def test_every_format_becomes_every_other(tmp_path, source, target):
    start = convert(tmp_path, "in.csv", b"id,note\n1,a\n2,b\n3,c\n", source)
    file = open_data(str(start))
    own = pa.schema([field for field in file.own_schema() if field.name in ("id", "note")])
    with write_table(
        str(tmp_path / f"end.{target}"), target, pa.schema([("n", pa.int64())]), file.own_schema()
    ) as table:
        for chunk in file.chunks(2):
            table.write(pa.table({"n": range(chunk.first_row, chunk.first_row + chunk.rows)}), chunk)
    assert own.names == ["id", "note"]
    end = open_data(str(tmp_path / f"end.{target}"))
    assert end.own_schema().names == ["id", "note", "outcome", "limit", "at", "n"]
    assert sum(chunk.rows for chunk in end.chunks()) == 3


def test_only_decisions(tmp_path):
    path = tmp_path / "out.csv"
    with write_table(str(path), "csv", pa.schema([("only", pa.string())])) as table:
        table.write(pa.table({"only": ["a", None]}))
    assert path.read_text() == 'only\na\n""\n'


def test_a_failure_leaves_the_old_file_and_nothing_beside(tmp_path):
    path = tmp_path / "out.csv"
    path.write_text("old")
    for failure in (KeyboardInterrupt, ValueError):
        with pytest.raises(failure), write_table(str(path), "csv", DECIDED) as table:
            table.write(decided(3))
            raise failure
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_the_new_file_keeps_the_rights_of_the_old_one_and_follows_links(tmp_path):
    path, link = tmp_path / "out.csv", tmp_path / "link.csv"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    with write_table(str(link), "csv", DECIDED):
        pass
    assert link.is_symlink()
    assert path.read_text() == "outcome,limit,at\n"
    assert path.stat().st_mode & 0o777 == 0o640


class Failing(io.RawIOBase):
    def __init__(self, number):
        self.number = number

    def writable(self):
        return True

    def write(self, data):
        raise OSError(self.number, os.strerror(self.number))


@pytest.mark.parametrize("target", ["csv", "parquet", "feather", "xlsx"])
@pytest.mark.parametrize(
    ("number", "message"), [(errno.ENOSPC, "no space is left"), (errno.EPIPE, "closed by its reader")]
)
def test_a_full_disk_and_a_broken_pipe_are_clear(target, number, message):
    with (
        pytest.raises(DataError, match=message),
        write_table("-", target, DECIDED, standard_output=Failing(number)) as out,
    ):
        out.write(decided(3))


def test_where_nothing_can_be_written(tmp_path):
    for path, message in ((tmp_path / "absent" / "out.csv", "folder does not exist"), (tmp_path, "is a directory")):
        with pytest.raises(DataError, match=message), write_table(str(path), "csv", DECIDED):
            pass


def test_a_column_that_data_and_result_share(tmp_path):
    with pytest.raises(DataError, match=r'column "limit".*--only-decisions'):
        convert(tmp_path, "in.csv", b"limit\n1\n", "csv")


def test_a_dialect_of_the_output(tmp_path):
    path = tmp_path / "out.csv"
    dialect = Dialect(delimiter=";", decimal=",", encoding="cp1252")
    with write_table(str(path), "csv", pa.schema([("ü", pa.float64()), ("t", pa.string())]), dialect=dialect) as table:
        table.write(pa.table({"ü": [1.5], "t": ["a;b"]}))
    assert path.read_bytes() == 'ü;t\n1,5;"a;b"\n'.encode("cp1252")
    with (
        pytest.raises(DataError, match="--encoding utf-8"),
        write_table(str(path), "csv", pa.schema([("日", pa.string())]), dialect=dialect),
    ):
        pass


def test_a_workbook_holds_no_formulas_and_no_rounded_integers(tmp_path):
    path = tmp_path / "out.xlsx"
    with write_table(str(path), "xlsx", pa.schema([("t", pa.string()), ("n", pa.int64())])) as table:
        table.write(pa.table({"t": ["=1+1", "a\x01b"], "n": [509682941429859799, 5]}))
    rows = list(openpyxl.load_workbook(path).active.iter_rows(min_row=2))
    assert [(cell.value, cell.data_type) for row in rows for cell in row] == [
        ("=1+1", "s"),
        ("509682941429859799", "s"),
        ("a\N{REPLACEMENT CHARACTER}b", "s"),
        (5, "n"),
    ]


def test_rejects_become_a_file(tmp_path):
    path = tmp_path / "rejects.csv"
    with write_table(str(path), "csv", REJECT_SCHEMA) as table:
        table.write(reject_table([Reject(3, 5, "too few cells", "1,2"), Reject(4, None, "other", "x")]))
    assert path.read_text() == 'row,line,reason,raw\n3,5,too few cells,"1,2"\n4,,other,x\n'


def test_a_dictionary_is_written_as_what_it_stands_for(tmp_path):
    path = tmp_path / "out.csv"
    schema = pa.schema([("t", pa.dictionary(pa.int8(), pa.string())), ("n", pa.dictionary(pa.int32(), pa.float64()))])
    batches = [(["a,b", None, 'c"', "a,b"], [0.5, 0.5, None, 2.0]), (["c", "d", "c", ""], [1.0, 1.0, 1.0, None])]
    tables = [
        pa.table([pa.array(column, field.type) for column, field in zip(batch, schema, strict=True)], schema)
        for batch in batches
    ]
    with write_table(str(path), "csv", schema) as table:
        table.write(pa.concat_tables(tables))
        table.write(tables[0].slice(0, 0))
    assert path.read_text() == 't,n\n"a,b",0.5\n,0.5\n"c""",\n"a,b",2\nc,1\nd,1\nc,1\n,\n'


def test_values_that_json_lacks():
    stream = io.BytesIO()
    JSONLinesWriter(stream, pa.schema([])).write_records(
        [
            {"n": [float("nan"), {"m": float("inf")}], "at": datetime(2024, 5, 1, tzinfo=UTC), "t": (1, 2)},
            {"d": Decimal("1.50"), "day": date(2024, 5, 1), "big": 2**70, "text": "ü\ud800"},
        ]
    )
    assert stream.getvalue().decode() == (
        '{"n": [null, {"m": "inf"}], "at": "2024-05-01T00:00:00Z", "t": [1, 2]}\n'
        '{"d": "1.50", "day": "2024-05-01", "big": 1180591620717411303424, "text": "ü?"}\n'
    )
