"""`use`: files that share declarations."""

from __future__ import annotations

from pathlib import Path

from decisionflow.syntax.limits import Limits

from .policies import checked, codes, program_of


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.dflow").write_text(text, encoding="utf-8")
    return folder / "demo.dflow"


def test_a_file_is_brought_in_once(tmp_path: Path) -> None:
    path = write(tmp_path, a='use "c.dflow"\nfeature a : number', b='use "c.dflow"', c="policy c\nfeature c : number")
    program = program_of('use "a.dflow"\nuse "b.dflow"\nfeature d : number', path)
    assert list(program.features) == ["c", "a", "d"]
    assert program.name == "demo"


def test_paths_are_relative_to_the_file_that_names_them(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "a.csv").write_text("x,d\n-,1\n", encoding="utf-8")
    write(
        tmp_path / "inner",
        a='feature x : number\nmodel m : number from "m.skops"\n'
        'decision d : number\n  table from "a.csv"\nbackground "rows.csv"',
    )
    program = program_of('use "inner/a.dflow"', tmp_path / "demo.dflow")
    assert (program.models["m"].uri, program.background) == ("inner/m.skops", "inner/rows.csv")


def test_mistakes_of_every_file_appear_together(tmp_path: Path) -> None:
    path = write(tmp_path, a="feature x : nmber", b="derived y = zz + 1")
    found = checked('use "a.dflow"\nuse "b.dflow"\nderived w = qq + 1', path).diagnostics
    assert [item.span.source.name for item in found if item.span] == ["demo.dflow", "b.dflow", "a.dflow"]


def test_more_files_than_the_limit(tmp_path: Path) -> None:
    path = write(tmp_path, a="feature a : number", b="feature b : number")
    assert codes('use "a.dflow"\nuse "b.dflow"', path, limits=Limits(files=2)) == ["DF0604"]


def test_a_file_that_is_not_there_or_not_text(tmp_path: Path) -> None:
    path = write(tmp_path)
    (tmp_path / "binary.dflow").write_bytes(b"\x00\x01\xff")
    assert codes('use "none.dflow"', path) == ["DF0601"]
    assert codes('use "."', path) == ["DF0601"]
    assert len(codes('use "binary.dflow"', path)) == 1
