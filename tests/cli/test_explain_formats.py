"""`decisionflow explain`: pages, pictures and overviews from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from decisionflow.cli import main

POLICY = """policy demo
feature age    : integer [0 .. 100]
feature income : number [0 .. 1_000]
decision outcome : { yes, no } adverse no reasons at most 2
  rule young: if age < 20 then no reason A1 "too young"
  rule poor:  if income < 200 then no
  otherwise yes
reasons
  income lowers R1 "income too low"
"""


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "demo.dflow").write_text(POLICY)
    (tmp_path / "data.csv").write_text("age,income\n10,100\n30,150\n40,900\n")
    return [str(tmp_path / "demo.dflow"), str(tmp_path / "data.csv")]


@pytest.mark.parametrize(
    ("name", "start"),
    [("page.html", b"<!doctype html>"), ("picture.png", b"\x89PNG"), ("picture.svg", b"<?xml"), ("why.json", b"{")],
)
def test_the_ending_of_the_output_names_its_format(files: list[str], tmp_path: Path, name: str, start: bytes) -> None:
    first, second = tmp_path / name, tmp_path / f"again_{name}"
    for path in (first, second):
        assert main(["explain", *files, "--row", "1", "--today", "2026-11-29", "-o", str(path)]) == 0
    assert first.read_bytes().startswith(start)
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize("plot", ["waterfall", "map"])
def test_other_pictures_are_drawn_on_request(files: list[str], tmp_path: Path, plot: str) -> None:
    out = tmp_path / "out.svg"
    assert main(["explain", *files, "--row", "1", "--plot", plot, "--features", "age,income", "-o", str(out)]) == 0
    assert b"income" in out.read_bytes()


def test_json_says_what_the_customer_is_told_and_how_it_was_found(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", *files, "--row", "1", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["customer_reasons"] == [
        {"code": "R1", "text": "income too low", "from": "contribution", "feature": "income"}
    ]
    settings = found["settings"]
    assert settings["customer_reasons"]["at_most"] == 2
    assert settings["seed"] == 0
    assert len(settings["background_sha256"]) == 64
    assert {"decisionflow", "python", "numpy"} <= set(settings["versions"])


def test_text_says_it_too(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", *files, "--row", "0"]) == 0
    assert "The customer is told" in capsys.readouterr().out


def test_an_overview_is_text_json_or_a_picture(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", *files, "--overview", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [load["fired"] for load in found["rules"]] == [1, 1, 1]
    assert main(["explain", *files, "--overview", "--by", "age"]) == 0
    assert "Where age is 10" in capsys.readouterr().out
    assert main(["explain", *files, "--overview", "-o", str(tmp_path / "bee.png")]) == 0


@pytest.mark.parametrize(
    "wrong", [["--format", "html"], ["--format", "csv"], ["--rule", "young"], ["--by", "wage"], ["--method", "shap"]]
)
def test_what_an_overview_cannot_say_is_wrong_usage(files: list[str], wrong: list[str]) -> None:
    assert main(["explain", *files, "--overview", *wrong]) == 2
