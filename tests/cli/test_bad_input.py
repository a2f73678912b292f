"""Whatever is given, the answer is a clear message and the right exit code, never a traceback."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from decisionflow.cli import main

SHIPPED = Path(__file__).parents[2] / "policies" / "cancer_treatment"
POLICY = "cancer_treatment.dflow"
SMALL = "policy p\nfeature x : number\ndecision d : { a, b }\n  rule r: if x > 1 then a\n  otherwise b\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(SHIPPED, tmp_path, dirs_exist_ok=True)
    (tmp_path / "small.dflow").write_text(SMALL)
    (tmp_path / "x.csv").write_text("x\n0\n2\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = main(arguments)
    message = capfd.readouterr().err
    assert "Traceback" not in message
    return code, message


def change(folder: Path, old: str, new: str, name: str = POLICY) -> str:
    text = (folder / name).read_text()
    assert old in text
    (folder / f"changed_{name}").write_text(text.replace(old, new, 1))
    return f"changed_{name}"


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("explain", POLICY, "patients.csv", "--row", "600"), 2, "there is no row 600: the data has 569 rows"),
        (("explain", POLICY, "patients.csv", "--row", "1", "--rule", "suspicous"), 2, "did you mean `suspicious`?"),
        (("explain", POLICY, "patients.csv", "--row", "1", "--decision", "treatmnt"), 2, "did you mean `treatment`?"),
        (("explain", POLICY, "patients.csv", "--row", "1", "--why-not", "propse"), 2, "did you mean `propose`?"),
        (("explain", POLICY, "patients.csv", "--row", "1", "--method", "smase"), 2, "did you mean `smace`?"),
        (("explain", POLICY, "none.csv", "--row", "1"), 2, "there is no file none.csv"),
        (("check", "none.dflow"), 2, "there is no file none.dflow"),
        (("check", "."), 2, "is a folder"),
        (("evaluate", "small.dflow", "x.csv", "--set", "y=1"), 2, "no parameter `y`"),
        (("evaluate", "small.dflow", "x.csv", "--model", "y=m.skops"), 2, "declares no model `y`"),
        (("evaluate", "small.dflow", "x.csv", "--transparency", "d=0.5"), 2, "`d` is no companion decision"),
        (("evaluate", "small.dflow", "x.csv", "--transparency", "d=2"), 2, "write a share from 0 to 1"),
        (("evaluate", "small.dflow", "x.csv", "--transparency", "d=nan"), 2, "write a share from 0 to 1"),
        (("evaluate", "small.dflow", "x.csv", "--set", "y"), 2, "write --set NAME=VALUE"),
        (("evaluate", "small.dflow", "x.csv", "--today", "soon"), 2, "write it like 2026-11-29"),
        (("evaluate", "small.dflow", "x.csv", "-o", "none/out.csv"), 2, "its folder does not exist"),
        (("evaluate", "small.dflow", "x.csv", "-o", "x.csv/out.csv"), 2, "its folder does not exist"),
        (("evaluate", "small.dflow", "x.csv", "-o", "."), 2, "it is a directory"),
        (("evaluate", "small.dflow", "x.csv", "--rejects", "x.csv"), 2, "is the data too"),
        (("evaluate", "small.dflow", "x.csv", "--rejects", "-"), 2, "is the output too"),
        (("evaluate", "small.dflow", "x.csv", "--rejects", "small.dflow"), 2, "is the policy too"),
        (("evaluate", "small.dflow", "x.csv", "-o", "small.dflow"), 2, "is the policy too"),
        (("evaluate", "small.dflow", "x.csv", "-o", "./small.dflow", "--format", "csv"), 2, "is the policy too"),
        (("explain", "small.dflow", "x.csv", "--row", "0", "-o", "small.dflow"), 2, "is the policy too"),
        (("explain", "small.dflow", "x.csv", "--row", "0", "-o", "x.csv"), 2, "is the data too"),
        (("graph", "small.dflow", "-o", "small.dflow"), 2, "is the policy too"),
        (("evaluate", "small.dflow", "x.csv", "--delimiter", "ab"), 2, "give one character"),
        (("evaluate", "small.dflow", "x.csv", "--encoding", "klingon"), 2, "which is not known"),
        (("evaluate", "small.dflow", "x.csv", "--format", "yaml"), 2, "give csv, jsonl"),
        (("explain-error", "DF9999"), 2, "there is no error DF9999"),
    ],
)
def test_wrong_usage(
    folder: Path, capfd: pytest.CaptureFixture[str], arguments: tuple[str, ...], code: int, words: str
) -> None:
    found, message = said(capfd, *arguments)
    assert words in message
    assert found == code


def test_an_unknown_column_names_the_nearest(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    data = change(folder, "mean radius", "mean radios", "patients.csv")
    code, message = said(capfd, "evaluate", POLICY, data)
    assert (code, 'did you mean "mean radios"?' in message) == (4, True)


def test_a_text_in_a_number_column_spoils_its_row_only(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "x.csv").write_text("x\n0\nbig\n2\n")
    code = main(("evaluate", "small.dflow", "x.csv"))
    out, err = capfd.readouterr()
    assert code == 4
    assert out.splitlines()[1:] == [
        "0,b,otherwise,decided,,",
        'big,,,invalid,,"line 3: x is ""big"", not a number"',
        "2,a,r,decided,,",
    ]
    assert "1 of 3 rows" in err
    assert main(("evaluate", "small.dflow", "x.csv", "--allow-invalid")) == 0


@pytest.mark.parametrize(("content", "words"), [(b"", "is empty"), (b"\x00\x01\x02" * 50, "")])
def test_data_that_is_none(folder: Path, capfd: pytest.CaptureFixture[str], content: bytes, words: str) -> None:
    (folder / "x.csv").write_bytes(content)
    code, message = said(capfd, "evaluate", "small.dflow", "x.csv")
    assert (code, words in message) == (4, True)


def test_a_missing_model_file(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    policy = change(folder, "cancer_risk.skops", "none.skops")
    code, message = said(capfd, "evaluate", policy, "patients.csv")
    assert (code, "there is no file" in message) == (5, True)


def test_a_truncated_model_file(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    model = folder / "models" / "cancer_risk.skops"
    model.write_bytes(model.read_bytes()[:5000])
    code, message = said(capfd, "explain", POLICY, "patients.csv", "--row", "13")
    assert (code, "truncated" in message) == (5, True)


def test_a_line_of_ten_megabytes(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "long.dflow").write_text("policy p\nfeature " + "x" * 10_000_000 + " : number\n")
    code, message = said(capfd, "check", "long.dflow")
    assert (code, "8,388,608" in message, len(message) < 1000) == (3, True, True)


def test_a_policy_nested_ten_thousand_deep(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "deep.dflow").write_text(SMALL.replace("x > 1", "(" * 10_000 + "x > 1" + ")" * 10_000))
    code, message = said(capfd, "check", "deep.dflow")
    assert (code, "nests more than 200 levels" in message, len(message) < 2000) == (3, True, True)


def test_a_binary_file_as_policy(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "binary.dflow").write_bytes(bytes(range(256)) * 20)
    code, message = said(capfd, "check", "binary.dflow")
    assert (code, "is not a text file" in message) == (3, True)


def test_every_mistake_of_a_policy_comes_in_one_run(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "small.dflow").write_text(SMALL.replace("x > 1 then a", "y > 1 then c"))
    code, message = said(capfd, "check", "small.dflow")
    assert code == 3
    assert "`y` is not a name that this policy declares" in message
    assert "2 errors, 0 warnings" in message


def test_an_unexpected_error_shows_its_traceback_only_when_asked(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> int:
        raise ZeroDivisionError("on purpose")

    monkeypatch.setattr("decisionflow.cli.check.run", broken)
    code, message = said(capfd, "check", "small.dflow")
    assert (code, "--debug shows where" in message) == (70, True)
    with pytest.raises(ZeroDivisionError):
        main(("check", "small.dflow", "--debug"))


def test_the_last_row_of_a_long_file_is_explained(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "x.csv").write_text("x,note\n" + f"0,{'n' * 1000}\n" * 5_000 + "2,last\n")
    assert main(("explain", "small.dflow", "x.csv", "--row", "5000")) == 0
    assert "a" in capfd.readouterr().out
    assert main(("explain", "small.dflow", "x.csv", "--row", "5001")) == 2
    assert "5001 rows" in capfd.readouterr().err
