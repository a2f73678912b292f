"""Workbooks read with the standard library, against openpyxl, which reads them independently."""

from __future__ import annotations

import io
import random
import zipfile
from datetime import date, datetime, time, timedelta
from typing import Any

import openpyxl
import pytest

from decisionflow.source import Span
from decisionflow.tables.grids import xlsx_rows
from decisionflow.tables.workbook_reader import TooLarge, cell_place, open_workbook

FORMATS = ["General", "0%", "yyyy-mm-dd", "[h]:mm", "h:mm", "[Red]0.0", '"days" 0', "0.00E+00", "[$-409]d-mmm-yy"]
FORMATS += ["mm:ss", "#,##0", "[mm]:ss", "d/m/yyyy h:mm", r"\d0", "@", "_d0", "d;@"]
VALUES = [0, 1, 59, 60, 61, 45351, 0.5, 0.075, 0.1 + 0.2, 45351.5453, 1e-10, "x", " a & b<", True, False, "#N/A"]
VALUES += [datetime(2024, 2, 29, 13, 5, 7), date(1900, 1, 5), date(2030, 1, 1), time(3, 4), timedelta(hours=30)]


def saved(book: openpyxl.Workbook) -> io.BytesIO:
    stream = io.BytesIO()
    book.save(stream)
    return stream


def cells(stream: io.BytesIO, sheet: str) -> dict[tuple[int, int], Any]:
    with open_workbook(stream, 2**20) as workbook:
        return {(row, column): value for row, found in workbook.rows(sheet) for column, value in found.items()}


@pytest.mark.parametrize("epoch", [openpyxl.utils.datetime.WINDOWS_EPOCH, openpyxl.utils.datetime.MAC_EPOCH])
def test_every_kind_of_cell_is_read_as_openpyxl_reads_it(epoch: datetime) -> None:
    drawn, book = random.Random(1), openpyxl.Workbook()
    book.epoch = epoch
    sheet = book.create_sheet('two & "x"')
    for number in range(300):
        value = drawn.choice(VALUES)
        cell = sheet.cell(number // 7 + 2, number % 7 * 3 + 1, value)
        if type(value) in (int, float):
            cell.number_format = drawn.choice(FORMATS)
    sheet.merge_cells("B2:C3")
    stream = saved(book)
    known = openpyxl.load_workbook(stream, data_only=True)['two & "x"']
    wanted = {(cell.row, cell.column): cell.value for row in known for cell in row if cell.value is not None}
    found = cells(stream, 'two & "x"')
    assert found == wanted
    assert {place: type(value) for place, value in found.items()} == {place: type(wanted[place]) for place in wanted}
    with open_workbook(stream, 2**20) as workbook:
        assert workbook.merged('two & "x"') == ["B2:C3"]
        assert list(workbook.sheets) == ["Sheet", 'two & "x"']


def rewritten(stream: io.BytesIO, part: str, content: str) -> io.BytesIO:
    """The same archive with another text of one part."""
    changed = io.BytesIO()
    with zipfile.ZipFile(stream) as old, zipfile.ZipFile(changed, "w") as new:
        for name in old.namelist():
            new.writestr(name, content if name == part else old.read(name))
    return changed


def test_what_other_programs_write() -> None:
    sheet = (
        '<worksheet xmlns="http://purl.oclc.org/ooxml/spreadsheetml/main"><sheetData>'
        '<row><c t="inlineStr"><is><r><t>a</t></r><r><t>b</t></r><rPh><t>z</t></rPh></is></c><c><v>1.5E1</v></c></row>'
        '<row r="4"><c r="B4" t="d"><v>2024-02-29</v></c><c t="d"><v>2024-02-29T01:02:03Z</v></c>'
        '<c t="str"><f>1</f><v>one</v></c><c t="e"><v>#N/A</v></c><c><v></v></c></row></sheetData></worksheet>'
    )
    book = openpyxl.Workbook()
    stream = rewritten(saved(book), "xl/worksheets/sheet1.xml", sheet)
    assert cells(stream, "Sheet") == {
        (1, 1): "ab",
        (1, 2): 15.0,
        (4, 2): date(2024, 2, 29),
        (4, 3): datetime(2024, 2, 29, 1, 2, 3),
        (4, 4): "one",
        (4, 5): "#N/A",
    }


@pytest.mark.parametrize(
    "sheet",
    ["<worksheet><sheetData><row>", '<w><row><c t="s"><v>7</v></c></row></w>', '<w><row><c r="?"/></row></w>'],
)
def test_a_damaged_sheet_is_a_value_error(sheet: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        cells(rewritten(saved(openpyxl.Workbook()), "xl/worksheets/sheet1.xml", sheet), "Sheet")


def test_what_is_no_workbook_is_a_value_error() -> None:
    empty = io.BytesIO()
    zipfile.ZipFile(empty, "w").close()
    for stream in (io.BytesIO(b"PK"), empty):
        with pytest.raises(ValueError, match=r"."), open_workbook(stream, 2**20):
            pass
    with pytest.raises(TooLarge, match="GiB"), open_workbook(saved(openpyxl.Workbook()), 10):
        pass


def test_places_of_cells() -> None:
    assert [cell_place(name) for name in ("A1", "Z9", "AA10", "$XFD$1048576")] == [
        (1, 1),
        (9, 26),
        (10, 27),
        (1048576, 16384),
    ]
    with pytest.raises(ValueError, match="names no cell"):
        cell_place("7")


def test_a_stray_cell_at_the_far_end_does_not_fill_memory(tmp_path) -> None:
    book = openpyxl.Workbook()
    book.active["XFD1048576"] = 1
    book.save(tmp_path / "a.xlsx")
    with pytest.raises(ValueError, match="too far apart"):
        xlsx_rows(tmp_path / "a.xlsx", "a.xlsx", "Sheet")


def test_the_place_of_a_cell_is_its_name(tmp_path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["ltv", " 0.5 "])
    book.save(tmp_path / "a.xlsx")
    (row,) = xlsx_rows(tmp_path / "a.xlsx", "pricing.xlsx", "Sheet")
    assert [cell.text for cell in row] == ["ltv", "0.5"]
    assert Span(row[1].source, 1, 3).place == "pricing.xlsx, sheet Sheet, cell B1"
