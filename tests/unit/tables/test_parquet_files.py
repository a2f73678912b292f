"""Parquet in and out: text of few distinct values stays a dictionary on its way, and nobody notices."""

from __future__ import annotations

import io
from datetime import date

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from decisionflow.tables.files.open_data import open_data
from decisionflow.tables.writing import parquet_writer
from decisionflow.tables.writing.write_table import write_table

SCHEMA = pa.schema(
    [("id", pa.string()), ("city", pa.string()), ("n", pa.int8()), ("day", pa.date32()), ("at", pa.timestamp("ms"))]
)
ROWS = 3_000
CITIES = ["Köln", "Bonn", None]


def rows(first: int, count: int) -> pa.Table:
    places = range(first, first + count)
    columns = [
        [f"customer number {place}" for place in places],
        [CITIES[place % 3] for place in places],
        [place % 100 for place in places],
        [date(2026, 1, 1 + place % 28) for place in places],
        list(places),
    ]
    return pa.table([pa.array(column, field.type) for column, field in zip(columns, SCHEMA, strict=True)], SCHEMA)


def coded(table: pa.Table, *names: str) -> pa.Table:
    for name in names:
        table = table.set_column(table.schema.get_field_index(name), name, table[name].dictionary_encode())
    return table


def written(*batches: pa.Table, schema: pa.Schema = SCHEMA) -> pq.ParquetFile:
    stream = io.BytesIO()
    with write_table("-", "parquet", schema, standard_output=stream) as writer:
        for batch in batches:
            writer.write(batch)
    return pq.ParquetFile(pa.BufferReader(stream.getvalue()))


def test_text_of_few_values_is_read_as_it_is_stored(tmp_path) -> None:
    path = tmp_path / "in.parquet"
    pq.write_table(rows(0, ROWS), path, row_group_size=1_000)
    file = open_data(str(path))
    chunks = list(file.chunks(700))
    assert file.own_schema() == SCHEMA
    assert [pa.types.is_dictionary(field.type) for field in chunks[0].data.schema] == [False, True, False, False, False]
    assert sum(chunk.rows for chunk in chunks) == ROWS
    found = pa.concat_tables(pa.table(chunk.data).cast(SCHEMA) for chunk in chunks)
    assert found == rows(0, ROWS)


def test_what_comes_as_a_dictionary_reads_back_as_text() -> None:
    file = written(coded(rows(0, 10), "city"), coded(rows(10, 5), "city", "id"), rows(15, 3))
    assert file.schema_arrow == SCHEMA
    assert file.read() == rows(0, 18)
    assert "RLE_DICTIONARY" in file.metadata.row_group(0).column(1).encodings
    assert "RLE_DICTIONARY" not in file.metadata.row_group(0).column(2).encodings


def test_what_first_comes_as_text_may_come_as_a_dictionary_later() -> None:
    assert written(rows(0, 2), coded(rows(2, 2), "city")).read() == rows(0, 4)


def test_a_dictionary_that_is_wanted_stays_one() -> None:
    schema = pa.schema([("city", pa.dictionary(pa.int8(), pa.string()))])
    table = rows(0, 4).select(["city"]).cast(schema)
    file = written(table, table, schema=schema)
    assert file.read()["city"].to_pylist() == table["city"].to_pylist() * 2
    assert file.schema_arrow == schema


def test_types_that_only_arrow_knows_survive() -> None:
    schema = pa.schema([("took", pa.duration("ms")), ("note", pa.large_string())])
    table = pa.table([[5, None], ["a", "b"]], schema=schema)
    file = written(table, schema=schema)
    assert file.schema_arrow == schema
    assert file.read() == table


@pytest.mark.parametrize(("limit", "value"), [("ROWS_OF_GROUP", 20), ("BYTES_OF_GROUP", 100)])
def test_rows_are_written_in_groups(monkeypatch: pytest.MonkeyPatch, limit: str, value: int) -> None:
    monkeypatch.setattr(parquet_writer, limit, value)
    file = written(*(rows(first, 10) for first in range(0, 50, 10)))
    groups = [file.metadata.row_group(number).num_rows for number in range(file.metadata.num_row_groups)]
    assert groups == ([20, 20, 10] if limit == "ROWS_OF_GROUP" else [10] * 5)
    assert file.read() == rows(0, 50)


def test_no_rows_are_a_file_too() -> None:
    assert written().read() == rows(0, 0)
    assert written(rows(0, 0)).read() == rows(0, 0)


def test_short_row_groups_come_together(tmp_path) -> None:
    path = tmp_path / "in.parquet"
    pq.write_table(rows(0, 1_000), path, row_group_size=30)
    chunks = list(open_data(str(path)).chunks(100))
    assert [(chunk.first_row, chunk.rows) for chunk in chunks] == [*((first, 100) for first in range(0, 1_000, 100))]
    assert pa.concat_tables(pa.table(chunk.data).cast(SCHEMA) for chunk in chunks) == rows(0, 1_000)


def test_reading_keeps_nothing_of_what_was_read(tmp_path) -> None:
    path = tmp_path / "in.parquet"
    numbers = pa.array([number * 0.37 for number in range(200_000)])
    pq.write_table(pa.table({"x": numbers}), path, row_group_size=5_000, use_dictionary=False)
    file, kept = open_data(str(path)), []
    for _ in file.chunks(5_000):
        kept.append(pa.total_allocated_bytes())
    assert max(kept[20:]) <= max(kept[:20]) + 100_000
