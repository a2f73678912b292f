"""`decisionflow check`: what it says, in each format, and its exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import openpyxl
import pandas as pd
import pytest
import skops.io
from sklearn.linear_model import LinearRegression

from decisionflow.cli import main

SOUND = "policy p\nfeature x : number\ndecision d : { a, b }\n  rule r: if x > 1 then a\n  otherwise b\n"
TWICE = "policy p\nfeature x : number\nfeature x : number\ndecision d : { a }\n  otherwise a\n"
LINTED = "policy p\nfeature x : number\ndecision d : { a, b }\n  rule r: if x > 1 and x < 0 then a\n  otherwise b\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in {"sound.dflow": SOUND, "a ü.dflow": TWICE, "linted.dflow": LINTED}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_text_goes_to_standard_error_and_the_code_says_whether_a_policy_is_faulty(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "sound.dflow"]) == 0
    assert capfd.readouterr() == ("", "1 policy checked: nothing to report\n")
    assert main(["check", "sound.dflow", "a ü.dflow"]) == 3
    out, err = capfd.readouterr()
    assert out == ""
    assert "error[" in err
    assert " --> a ü.dflow:3:9\n" in err
    assert err.endswith("\n1 error, 0 warnings\n")


def test_a_lint_counts_only_where_asked(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "linted.dflow"]) == 0
    assert "warning[" in capfd.readouterr().err
    assert main(["check", "linted.dflow", "--strict"]) == 3
    assert main(["check", "sound.dflow", "--strict"]) == 0


def test_json_is_one_list_for_all_policies(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "sound.dflow", "--format", "json"]) == 0
    assert json.loads(capfd.readouterr().out) == []
    assert main(["check", "linted.dflow", "a ü.dflow", "--format", "json"]) == 3
    out, err = capfd.readouterr()
    found = json.loads(out)
    assert err == ""
    assert [one["severity"] for one in found if one["place"]["file"] == "a ü.dflow"] == ["error"]
    (twice,) = [one for one in found if one["severity"] == "error"]
    assert twice["place"] == {"file": "a ü.dflow", "line": 3, "column": 9, "end_line": 3, "end_column": 10}
    assert twice["notes"][0]["place"]["line"] == 2
    assert twice["text"].startswith(f"error[{twice['code']}]: {twice['message']}")


def test_sarif_names_files_by_uri(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "a ü.dflow", "--format", "sarif"]) == 3
    log = json.loads(capfd.readouterr().out)
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    (result,) = run["results"]
    assert result["ruleId"] in [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert result["level"] == "error"
    (location,) = result["locations"]
    assert location["physicalLocation"]["artifactLocation"] == {"uri": "a%20%C3%BC.dflow"}
    assert location["physicalLocation"]["region"] == {"startLine": 3, "startColumn": 9, "endLine": 3, "endColumn": 10}


def test_a_cell_of_a_workbook_is_a_place(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    book = openpyxl.Workbook()
    book.active.append(["ltv", "rate"])
    book.active.append(["< lots", 1])
    book.save(folder / "pricing.xlsx")
    text = 'policy p\nfeature ltv : number\ndecision rate : number\n  table from "pricing.xlsx"\n'
    (folder / "priced.dflow").write_text(text)
    assert main(["check", "priced.dflow"]) == 3
    assert " --> pricing.xlsx, sheet Sheet, cell A2\n" in capfd.readouterr().err
    assert main(["check", "priced.dflow", "--format", "json"]) == 3
    (found,) = json.loads(capfd.readouterr().out)
    assert (found["place"]["file"], found["place"]["cell"]) == ("pricing.xlsx", "Sheet!A2")
    assert main(["check", "priced.dflow", "--format", "sarif"]) == 3
    (result,) = json.loads(capfd.readouterr().out)["runs"][0]["results"]
    assert result["locations"] == [
        {
            "physicalLocation": {"artifactLocation": {"uri": "pricing.xlsx"}},
            "logicalLocations": [{"fullyQualifiedName": "Sheet!A2"}],
        }
    ]


def test_models_are_loaded_only_where_asked(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text = SOUND.replace("decision", 'model m : number using x from "gone.skops"\ndecision').replace("x > 1", "m > 1")
    (folder / "modelled.dflow").write_text(text)
    assert main(["check", "modelled.dflow"]) == 0
    capfd.readouterr()
    assert main(["check", "linted.dflow", "modelled.dflow", "--models"]) == 5
    err = capfd.readouterr().err
    assert "gone.skops" in err
    assert "warning[" in err
    assert main(["check", "modelled.dflow", "a ü.dflow", "--models", "--format", "json"]) == 3
    out, err = capfd.readouterr()
    assert len(json.loads(out)) == 1
    assert "gone.skops" in err


def test_a_model_of_another_version_is_told_of(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    model = LinearRegression().fit(pd.DataFrame({"x": [0.0, 1.0]}), [0.0, 1.0])
    monkeypatch.setattr("sklearn.base.__version__", "0.1")
    skops.io.dump(model, folder / "m.skops")
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    text = SOUND.replace("decision", 'model m : number using x from "m.skops"\ndecision').replace("x > 1", "m > 1")
    (folder / "modelled.dflow").write_text(text)
    (folder / "x.csv").write_text("x\n5\n")
    for command in (["check", "modelled.dflow", "--models"], ["evaluate", "modelled.dflow", "x.csv"]):
        assert main(command) == 0
        assert "note: model m: saved with scikit-learn 0.1, run with scikit-learn" in capfd.readouterr().err
