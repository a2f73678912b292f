"""CSV: every cell as text, rows and lines counted, other dialects refused."""

import io

import pytest
from declared import feature

from decisionflow.cli.evaluate import expected_rows
from decisionflow.errors import DataError
from decisionflow.tables.files.csv_blocks import blocks
from decisionflow.tables.files.dialect import DEFAULT_DIALECT, Dialect
from decisionflow.tables.files.open_data import open_data
from decisionflow.types import INTEGER, NUMBER, TEXT, Vocabulary


def chunks(tmp_path, content, dialect=DEFAULT_DIALECT, **options):
    path = tmp_path / "data.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return list(open_data(str(path), dialect).chunks(**options))


def cells(tmp_path, content, dialect=DEFAULT_DIALECT):
    return [list(row.values()) for chunk in chunks(tmp_path, content, dialect) for row in chunk.data.to_pylist()]


def refusal(tmp_path, content, dialect=DEFAULT_DIALECT):
    with pytest.raises(DataError) as caught:
        chunks(tmp_path, content, dialect)
    return str(caught.value)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("last", [True, False])
def test_any_line_end_with_or_without_a_mark(tmp_path, end, mark, last):
    text = mark + end.join(["id,note", "007,NA", '2,"a, ""b"""', "3,"]) + (end if last else "")
    found = chunks(tmp_path, text)
    assert [row for chunk in found for row in chunk.data.to_pylist()] == [
        {"id": "007", "note": "NA"},
        {"id": "2", "note": 'a, "b"'},
        {"id": "3", "note": ""},
    ]
    assert [int(line) for chunk in found for line in chunk.lines] == [2, 3, 4]


def test_quoted_line_ends_and_blank_lines_move_the_lines(tmp_path):
    (chunk,) = chunks(tmp_path, 'a,b\n1,"x\ny\n"\n\n2,z\n\n\n3,"\n"\n')
    assert chunk.data.to_pylist() == [{"a": "1", "b": "x\ny\n"}, {"a": "2", "b": "z"}, {"a": "3", "b": "\n"}]
    assert [chunk.line_of(place) for place in range(3)] == [2, 6, 9]


def test_a_blank_line_of_a_single_column_is_an_empty_cell(tmp_path):
    assert cells(tmp_path, "score\n579\n\n660\n") == [["579"], [""], ["660"]]


def test_ragged_rows_are_rejects_and_the_batch_goes_on(tmp_path):
    first, second = chunks(tmp_path, "a,b\n1,x\n2\n3,y,z\n4,w\n", rows=2)
    assert [(r.row, r.line, r.reason, r.raw) for r in (*first.rejects, *second.rejects)] == [
        (1, 3, "the row has 1 cell where the header has 2", "2"),
        (2, 4, "the row has 3 cells where the header has 2", "3,y,z"),
    ]
    features = {"a": feature("a", INTEGER), "b": feature("b", TEXT, optional=True)}
    table = second.read(features)
    assert table.columns["a"].values[1] == 4
    assert table.problems == {name: {0: "the row has 3 cells where the header has 2"} for name in "ab"}
    assert first.data.to_pylist()[1] == {"a": "2", "b": None}


def test_rows_are_counted_across_blocks_of_any_size(tmp_path):
    rows = [f'{number},"line {number}\nend",x' if number % 7 == 0 else f"{number},plain,y" for number in range(500)]
    content = ("id,note,c\n" + "\n".join(rows)).encode()
    for size in (64, 1000, 10**6):
        found = list(blocks(io.BytesIO(content), DEFAULT_DIALECT, "data", size))
        assert b"".join(block.text for block in found) == content
        line = 1
        for block in found:
            assert block.first_line == line
            line += block.lines
            assert block.text.count(b'"') % 2 == 0
    found = chunks(tmp_path, content, rows=100)
    assert [chunk.rows for chunk in found] == [100] * 5
    assert [chunk.first_row for chunk in found] == [0, 100, 200, 300, 400]
    assert found[4].data.column("id").to_pylist()[-1] == "499"
    assert found[4].lines[-1] == 2 + 499 + 72


def test_long_cells_and_marks_inside_cells(tmp_path):
    long = "x" * 9_000_000
    assert cells(tmp_path, f'a,b\n1,"{long}"\n5" pipe,q"q\n') == [["1", long], ['5" pipe', 'q"q']]


def test_only_the_header(tmp_path):
    (chunk,) = chunks(tmp_path, "a,b\n")
    assert (chunk.rows, chunk.data.column_names) == (0, ["a", "b"])


def test_dialects_when_they_are_named(tmp_path):
    german = Dialect(delimiter=";", decimal=",", thousands=".", encoding="cp1252")
    (chunk,) = chunks(tmp_path, "stadt;betrag\nZürich;1.234,5\nBern;7,5 %\n".encode("cp1252"), german)
    table = chunk.read({"b": feature("b", NUMBER, column="betrag"), "s": feature("s", TEXT, column="stadt")})
    assert table.columns["b"].values.tolist() == [1234.5, 0.075]
    assert table.columns["s"].values.tolist() == ["Zürich", "Bern"]
    assert cells(tmp_path, "a\tb\n1\t2\n", Dialect(delimiter="tab")) == [["1", "2"]]
    assert cells(tmp_path, "a,b\n1,ü\n".encode("utf-16"), Dialect(encoding="utf-16")) == [["1", "ü"]]
    assert cells(tmp_path, "a;b\n1;2\n", Dialect(delimiter=",")) == [["1;2"]]
    assert cells(tmp_path, 'a,b\n"1,5",2\n', Dialect(decimal=".")) == [["1,5", "2"]]


@pytest.mark.parametrize(
    ("content", "options"),
    [
        (b"a;b\n1;2\n", '--delimiter ";"'),
        (b"a;b\n1,5;2\n2;3\n", '--delimiter ";" --decimal ","'),
        (b"a;b\n1.000,5;2\n2;3\n", '--delimiter ";" --decimal "," --thousands "."'),
        (b"a\tb\n1\t2\n", "--delimiter tab"),
        (b'a,b\n"1,5",2\n', '--decimal ","'),
        (b'a,b\n"1,500",2\n', '--thousands ","'),
        ("a,b\nZürich,2\n".encode("latin-1"), "--encoding"),
        ("a,b\nZürich,2\n".encode("utf-16"), "--encoding utf-16"),
        ("a,b\nx,2\n".encode("utf-16-le"), "--encoding utf-16-le"),
    ],
)
def test_other_dialects_are_refused_with_the_options_to_give(tmp_path, content, options):
    assert options in refusal(tmp_path, content)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"\n\n", "is empty"),
        (b"PK\x03\x04rest", "XLSX workbook"),
        (b"PAR1rest", "Parquet"),
        (b"\x1f\x8brest", "gzip"),
        (b"a,b\n1,\0\n", "NUL bytes"),
        (b"a,a\n1,2\n", 'more than one column with the header "a"'),
        (b'a,b\n1,"x\n2,3\n', "line 2: a quotation mark is opened and never closed"),
    ],
)
def test_what_is_no_csv(tmp_path, content, message):
    assert message in refusal(tmp_path, content)


def test_bad_bytes_far_into_a_file_name_their_line(tmp_path):
    content = b"a,b\n" + b"1,2\n" * 30_000
    assert "line 30002: the byte 0xff is not UTF-8" in refusal(tmp_path, content + b"\xff,3\n")
    assert "line 30002: a NUL byte" in refusal(tmp_path, content + b"\0,3\n")


@pytest.mark.parametrize(
    "options",
    [{"delimiter": ";;"}, {"decimal": ";"}, {"thousands": "."}, {"encoding": "klingon"}, {"encoding": "base64"}],
)
def test_options_that_make_no_sense(options):
    with pytest.raises(DataError, match=f"--{next(iter(options))}"):
        Dialect(**options)


def test_what_cannot_be_opened(tmp_path):
    for path in (tmp_path / "absent.csv", tmp_path):
        with pytest.raises(DataError, match=r"no file|a directory"):
            open_data(str(path))


def test_standard_input_is_read_as_it_comes():
    file = open_data("-", standard_input=io.BytesIO(b"country\nNA\nnull\n\nDE\n"))
    assert file.own_schema().names == ["country"]
    (chunk,) = file.chunks()
    table = chunk.read({"country": feature("country", Vocabulary(("NA", "SE", "DE")), optional=True)})
    assert table.columns["country"].states.tolist() == [0, 3, 1, 0]
    assert table.problems["country"] == {1: 'country is "null", not one of NA, SE, DE'}
    assert file.name == "standard input"


@pytest.mark.parametrize("name", ["data.csv", "data.jsonl"])
def test_the_share_that_has_been_read_tells_how_many_rows_there_are(tmp_path, name, monkeypatch):
    monkeypatch.setattr("decisionflow.tables.files.csv_blocks.BYTES_OF_BLOCK", 8_000)
    line = b"1234,5678\n" if name == "data.csv" else b'{"a":123}\n'
    (tmp_path / name).write_bytes((b"abcd,efgh\n" if name == "data.csv" else line) + line * 39_999)
    file = open_data(str(tmp_path / name))
    assert expected_rows(file, 0) is None
    done = 0
    for chunk in file.chunks(2_000):
        done += chunk.rows
        # A block is read ahead of the one that is handed over.
        assert done < 10_000 or expected_rows(file, done) == pytest.approx(40_000, rel=0.1)
    assert (done, expected_rows(file, done)) == (40_000 - (name == "data.csv"),) * 2
    assert file.rows is None
