"""`decisionflow evaluate`: whatever ends it, the output is the old one or a complete one, with nothing beside it."""

from __future__ import annotations

import io
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from decisionflow.cli import main

pytestmark = pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
POLICY = "policy p\nfeature x : number\ndecision d : { a, b }\n  rule r: if x > 1 then a\n  otherwise b\n"
DECIDED = "x,d,d.rule,d.status,d.reasons,problem\n0,b,otherwise,decided,,\n2,a,r,decided,,\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "p.dflow").write_text(POLICY)
    (tmp_path / "x.csv").write_text("x\n0\n2\n")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "o.csv").write_text("old")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ending(monkeypatch: pytest.MonkeyPatch, end: Callable[[], None]) -> None:
    """Something happens once the first rows are decided."""

    @contextmanager
    def progress(_: object) -> Iterator[Callable[[int], None]]:
        yield lambda rows: end()

    monkeypatch.setattr("decisionflow.cli.evaluate._progress", progress)


def interrupt() -> None:
    raise KeyboardInterrupt


EVALUATE = ["evaluate", "p.dflow", "x.csv", "-o", "out/o.csv"]


@pytest.mark.parametrize(
    ("end", "code", "word"),
    [
        (interrupt, 130, "interrupted"),
        (lambda: signal.raise_signal(signal.SIGINT), 130, "interrupted"),
        (lambda: signal.raise_signal(signal.SIGTERM), 143, "ended by SIGTERM"),
        (lambda: signal.raise_signal(signal.SIGHUP), 129, "ended by SIGHUP"),
    ],
)
@pytest.mark.parametrize("format_name", ["csv", "jsonl", "parquet", "feather", "xlsx"])
def test_an_interrupted_run_leaves_the_old_output_and_nothing_beside(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    end: Callable[[], None],
    code: int,
    word: str,
    format_name: str,
) -> None:
    ending(monkeypatch, end)
    handlers = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)]
    assert main([*EVALUATE, "--format", format_name, "--rejects", "out/rejects.csv"]) == code
    assert capfd.readouterr().err == f"{word}\n"
    assert [path.name for path in (folder / "out").iterdir()] == ["o.csv"]
    assert (folder / "out" / "o.csv").read_text() == "old"
    assert [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)] == handlers


def test_a_killed_run_leaves_the_old_output(folder: Path) -> None:
    script = (
        "import os, signal, contextlib, decisionflow.cli.evaluate as evaluate\n"
        "evaluate._progress = lambda _: contextlib.nullcontext(lambda _: os.kill(os.getpid(), signal.SIGKILL))\n"
        f"from decisionflow.cli import main; main({EVALUATE!r})"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == -signal.SIGKILL
    assert (folder / "out" / "o.csv").read_text() == "old"


@pytest.mark.parametrize("format_name", ["csv", "jsonl", "parquet", "feather", "xlsx"])
def test_a_full_disk_leaves_the_old_output_and_nothing_beside(
    folder: Path, capfd: pytest.CaptureFixture[str], format_name: str
) -> None:
    (folder / "x.csv").write_text("x,note\n" + "".join(f"{row},{row * row:x}\n" for row in range(2_000)))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, before[1]))
    try:
        code = main([*EVALUATE, "--format", format_name])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert code == 4
    assert capfd.readouterr().err.endswith("; an older file is as it was\n")
    assert [path.name for path in (folder / "out").iterdir()] == ["o.csv"]
    assert (folder / "out" / "o.csv").read_text() == "old"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is full")
def test_a_full_device_has_no_older_file(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "p.dflow", "x.csv", "-o", "/dev/full"]) == 4
    assert capfd.readouterr().err == "error: /dev/full cannot be written: no space is left\n"


def test_a_reader_that_has_gone_is_told_of_once(folder: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "decisionflow", *EVALUATE[:3]]
    found = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)
    assert found.returncode == 4
    assert found.stderr == "error: standard output was closed by its reader before everything was written\n"


def test_the_output_may_replace_the_data(folder: Path) -> None:
    assert main(["evaluate", "p.dflow", "x.csv", "-o", "x.csv"]) == 0
    assert (folder / "x.csv").read_text() == DECIDED


def test_from_standard_input_to_standard_output(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"x\r\n0\r\n2\r\n")))
    assert main(["evaluate", "p.dflow", "-"]) == 0
    assert capfd.readouterr() == (DECIDED, "")


def test_json_lines_are_passed_on_as_they_come(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    lines = b'{"x": 0, "more": [1]}\n{"x":\n'
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines)))
    assert main(["evaluate", "p.dflow", "-", "--rejects", "rejects.csv", "--allow-invalid"]) == 0
    first, second = capfd.readouterr().out.splitlines()
    assert first.startswith('{"x": 0, "more": [1], "d": "b", "d.rule": "otherwise"')
    assert '"problem": "line 2: the line is no JSON' in second
    assert (folder / "rejects.csv").read_text().startswith("row,line,reason,raw\n1,2,the line is no JSON")


@pytest.mark.parametrize(
    ("arguments", "name", "columns"),
    [
        (["-o", "o.parquet"], "o.parquet", ["x", "d", "d.rule", "d.status", "d.reasons", "problem"]),
        (["-o", "o.data", "--format", "parquet", "--only-decisions"], "o.data", ["d", "d.rule", "d.status"]),
    ],
)
def test_the_format_follows_the_option_and_then_the_name(
    folder: Path, arguments: list[str], name: str, columns: list[str]
) -> None:
    assert main(["evaluate", "p.dflow", "x.csv", *arguments]) == 0
    assert pq.read_table(folder / name).column_names[: len(columns)] == columns


def test_bad_rows_make_the_code_4_unless_allowed(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "x.csv").write_text("x,y\n0,1\nbig,1\n3\n")
    assert main(["evaluate", "p.dflow", "x.csv", "--rejects", "rejects.csv"]) == 4
    out, err = capfd.readouterr()
    assert [line.rpartition(",d")[0] or line.split(",")[0] for line in out.splitlines()[1:2]] == ["0,1,b,otherwise"]
    assert "2 of 3 rows have an invalid decision" in err
    assert "1 of 3 rows could not be read" in err
    assert (folder / "rejects.csv").read_text() == (
        "row,line,reason,raw\n2,4,the row has 1 cell where the header has 2,3\n"
    )
    assert main(["evaluate", "p.dflow", "x.csv", "--allow-invalid"]) == 0
