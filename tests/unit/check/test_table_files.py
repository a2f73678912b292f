"""Tables kept in CSV and XLSX files."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

import openpyxl
import pytest

from decisionflow.conditions.expression import Compare, Constant
from decisionflow.program.declarations import Rule
from decisionflow.syntax.limits import Limits
from decisionflow.types import NUMBER

from .policies import checked, codes, program_of

FEATURES = """
feature ltv : number [0 .. 1]
feature age : integer optional
feature city : text from column "Home City"
feature risk : { low, high, "on hold" }
feature opened : date
"""


def rules(folder: Path, name: str, content: str, decision: str = "rate : number", options: str = "") -> list[Rule]:
    """The rules of a decision whose table is a CSV file."""
    (folder / name).write_text(content, encoding="utf-8")
    text = f'{FEATURES}decision {decision}\n  table from "{name}" {options}\n'
    (found,) = program_of(text, folder / "demo.dflow").decisions.values()
    return list(found.rules)


def test_percent_cells_are_ratios(tmp_path: Path) -> None:
    first, second = rules(tmp_path, "a.csv", 'rule,ltv,rate\nP1,<= 80%,7.5%\nP2,"(80%..100%]",9.25%\n')
    assert (first.name, second.name) == ("P1", "P2")
    assert (first.outcome, second.outcome) == (Constant(0.075, NUMBER), Constant(0.0925, NUMBER))
    assert isinstance(first.condition, Compare)
    assert first.condition.right == Constant(0.8, NUMBER)


def test_decimal_commas_and_other_delimiters(tmp_path: Path) -> None:
    content = "ltv;rate\n< 0,5;7,5 %\n[0,5 .. 1];0,8 * ltv\n"
    first, _ = rules(tmp_path, "a.csv", content, options='delimiter ";" decimal ","')
    assert first.outcome == Constant(0.075, NUMBER)


def test_labels_and_texts_need_no_quotes(tmp_path: Path) -> None:
    content = 'Home City,risk,state\nNew York,"low, on hold",on hold\n1_000,not high,low\n'
    first, second = rules(tmp_path, "a.csv", content, 'state : { low, high, "on hold" }')
    city, risk = first.condition.parts  # type: ignore[union-attr]
    assert city.right.value == "New York" and [choice.value for choice in risk.choices] == ["low", "on hold"]
    assert first.outcome.value == "on hold"  # type: ignore[union-attr]
    assert second.condition.parts[0].right.value == "1_000"  # type: ignore[union-attr]


def test_a_record_has_a_column_for_each_part(tmp_path: Path) -> None:
    (only,) = rules(tmp_path, "a.csv", "cap,ltv,rate\n5,-,7%\n", "offer : ( rate : number, cap : integer )")
    assert [(name, value.value) for name, value in only.outcome.parts] == [("rate", 0.07), ("cap", 5)]  # type: ignore[union-attr]


def test_a_byte_order_mark_and_windows_lines(tmp_path: Path) -> None:
    assert len(rules(tmp_path, "a.csv", "\ufeffltv,rate\r\n-,1\r\n\r\n-,2\r\n")) == 2


def workbook(path: Path, rows: list[list[object]], merged: str = "") -> None:
    book = openpyxl.Workbook()
    book.active.title = "Q3"
    for row in rows:
        book.active.append(row)
    book.active["B2"].number_format = "0.0%"
    if merged:
        book.active.merge_cells(merged)
    book.save(path)


def test_real_values_of_a_workbook(tmp_path: Path) -> None:
    rows = [
        ["ltv", "rate", "age", "opened"],
        ["<= 80%", 0.075, 30.0, datetime(2026, 1, 2)],
        ["-", 9, "-", "> 2026-01-01"],
    ]
    workbook(tmp_path / "a.xlsx", rows)
    text = f'{FEATURES}decision rate : number\n  table from "a.xlsx" sheet "Q3"\n'
    first, second = program_of(text, tmp_path / "demo.dflow").decisions["rate"].rules
    assert (first.outcome, second.outcome) == (Constant(0.075, NUMBER), Constant(9.0, NUMBER))
    _, age, opened = first.condition.parts  # type: ignore[union-attr]
    assert (age.right.value, opened.right.value) == (30, date(2026, 1, 2))


@pytest.mark.parametrize(
    ("rows", "merged", "code", "place"),
    [
        ([["ltv", "rate"], [None, 0.1]], "", "DF0501", "a.xlsx, sheet Q3, cell A2"),
        ([["ltv", "rate"], ["-", None], ["-", 1]], "", "DF0502", "a.xlsx, sheet Q3, cell B2"),
        ([["ltv", "rate"], ["-", 1], [None, 2]], "A2:A3", "DF0506", "a.xlsx, sheet Q3, cell A2"),
        ([["ltv", "rate"], [True, 1]], "", "DF0302", "a.xlsx, sheet Q3, cell A2"),
        ([["ltv", "rate"], ["< lots", 1]], "", "DF0201", "a.xlsx, sheet Q3, cell A2"),
        ([["ltw", "rate"], ["-", 1]], "", "DF0201", "a.xlsx, sheet Q3, cell A1"),
    ],
)
def test_a_faulty_cell_is_named(rows: list[list[object]], merged: str, code: str, place: str, tmp_path: Path) -> None:
    workbook(tmp_path / "a.xlsx", rows, merged)
    text = f'{FEATURES}decision rate : number\n  table from "a.xlsx"\n'
    (found,) = checked(text, tmp_path / "demo.dflow").diagnostics
    assert (found.code, found.span and found.span.source.name) == (code, place)


def test_limits_and_formats(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("ltv,rate\n" + "-,1\n" * 5, encoding="utf-8")
    text = f'{FEATURES}decision rate : number\n  table from "a.csv"\n'
    path = tmp_path / "demo.dflow"
    assert codes(text, path, limits=Limits(table_rows=4)) == ["DF0605"]
    assert codes(text, path, limits=Limits(file_bytes=10)) == ["DF0607"]
    assert codes(text) == ["DF0608"]


def test_another_folder_is_read_only_where_it_is_allowed(tmp_path: Path) -> None:
    shared, own = tmp_path / "shared", tmp_path / "own"
    shared.mkdir()
    own.mkdir()
    (shared / "a.csv").write_text("ltv,rate\n-,1\n", encoding="utf-8")
    (own / "link.csv").symlink_to(shared / "a.csv")
    for name in ("../shared/a.csv", "link.csv", str(shared / "a.csv")):
        text = f'{FEATURES}decision rate : number\n  table from "{name}"\n'
        assert codes(text, own / "demo.dflow") == ["DF0602"]
        assert codes(text, own / "demo.dflow", allowed=[shared]) == []
