"""`format`, `test` and `graph`: several policies in one command, each looked at, whatever is wrong with another."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from decisionflow.cli import main

TESTED = (
    "policy p\n\nfeature x : number\n\ndecision d : { a, b }\n  rule r: if x > 1 then a\n  rule z: if x > 5 then a\n"
    '  otherwise b\n\ntest "big"\n  given x = 2\n  expect d = a\n'
)
FAILING = TESTED.replace("expect d = a", "expect d = b").replace('"big"', '"wrong"')
MESSY = "policy  p # why\nfeature x:number\ndecision d : { a }\n  otherwise a\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {"tested.dflow": TESTED, "failing.dflow": FAILING, "messy.dflow": MESSY, "broken.dflow": "policy p q\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_broken_policy_does_not_keep_others_from_being_formatted(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["format", "--check", "broken.dflow", "messy.dflow"]) == 3
    assert (folder / "messy.dflow").read_text() == MESSY
    capfd.readouterr()
    assert main(["format", "broken.dflow", "messy.dflow"]) == 3
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith("formatted messy.dflow\nerror[")
    assert "--> broken.dflow:1:10" in err
    assert (folder / "messy.dflow").read_text().startswith("policy p  # why\n\nfeature x : number\n")
    assert (folder / "broken.dflow").read_text() == "policy p q\n"
    assert main(["format", "--check", "messy.dflow"]) == 0


def test_nothing_is_formatted_where_a_file_is_missing(folder: Path) -> None:
    assert main(["format", "messy.dflow", "none.dflow"]) == 2
    assert (folder / "messy.dflow").read_text() == MESSY
    assert main(["format", "--check", "messy.dflow"]) == 1


def test_the_tests_of_each_policy_stand_under_its_name(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["test", "tested.dflow", "--coverage"]) == 0
    assert capfd.readouterr() == (
        "passed  big\n1 passed, 0 failed\nd: 1 of 3 rules fired in a test; never fired: z, otherwise\n",
        "",
    )
    assert main(["test", "tested.dflow", "failing.dflow"]) == 1
    out, _ = capfd.readouterr()
    assert out.startswith("tested.dflow:\npassed  big\n1 passed, 0 failed\nfailing.dflow:\nFAILED  wrong\n")
    assert main(["test", "broken.dflow", "failing.dflow"]) == 3
    out, err = capfd.readouterr()
    assert "FAILED  wrong" in out
    assert "--> broken.dflow:1:10" in err


def test_the_tests_of_several_policies_are_one_json_value(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["test", "tested.dflow", "failing.dflow", "--format", "json"]) == 1
    found = json.loads(capfd.readouterr().out)
    assert [(each["policy"], each["test"], each["passed"]) for each in found] == [
        ("tested.dflow", "big", True),
        ("failing.dflow", "wrong", False),
    ]
    assert main(["test", "tested.dflow", "--format", "json", "--coverage"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert [each["test"] for each in found["tests"]] == ["big"]
    assert found["coverage"] == [
        {"policy": "tested.dflow", "decision": "d", "rules": 3, "never_fired": ["z", "otherwise"]}
    ]


def test_the_tests_in_a_file_that_uses_the_policy_run_with_its_own(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "more.dflow").write_text('policy more\nuse "tested.dflow"\ntest "small" given x = 0 expect d = b\n')
    assert main(["test", "more.dflow"]) == 0
    assert capfd.readouterr().out == "passed  big\npassed  small\n2 passed, 0 failed\n"


@pytest.mark.parametrize(("format_name", "start"), [("text", "policy p\n"), ("mermaid", "flowchart"), ("svg", "<svg")])
def test_a_graph_in_each_format(folder: Path, capfd: pytest.CaptureFixture[str], format_name: str, start: str) -> None:
    assert main(["graph", "tested.dflow", "--format", format_name]) == 0
    out, err = capfd.readouterr()
    assert (out.startswith(start), err) == (True, "")
    assert main(["graph", "tested.dflow", "--format", format_name, "-o", "drawn"]) == 0
    assert (folder / "drawn").read_text() == out
    if format_name == "svg":
        ElementTree.fromstring(out)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["graph", "broken.dflow"], 3),
        (["graph", "none.dflow"], 2),
        (["graph", "tested.dflow", "--format", "pdf"], 2),
        (["graph", "tested.dflow", "-o", "none/drawn"], 2),
        (["test", "none.dflow"], 2),
        (["test"], 2),
        (["format"], 2),
        (["nonsense"], 2),
        ([], 2),
        (["--version"], 0),
        (["graph", "--help"], 0),
    ],
)
def test_exit_codes(folder: Path, capfd: pytest.CaptureFixture[str], arguments: list[str], code: int) -> None:
    assert main(arguments) == code
    assert "Traceback" not in capfd.readouterr().err


def test_tests_beside_a_policy_run_with_its_own(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "tested_more.dflow").write_text(
        'policy more\nuse "tested.dflow"\ntest "small"\n  given x = 0\n  expect d = b by otherwise\n'
        'test "huge"\n  given x = 9\n  expect d = b\n'
    )
    more = 'policy other\nuse "tested.dflow"\nfeature y : number\ntest "not of the policy" given x = 0 expect d = a\n'
    (folder / "other.dflow").write_text(more)
    (folder / ".#tested.dflow").symlink_to(folder / "nowhere")
    (folder / "gone.dflow").symlink_to(folder / "nowhere")
    assert main(["test", "tested.dflow", "--format", "json"]) == 1
    found = json.loads(capfd.readouterr().out)
    assert [(each["test"], each["passed"]) for each in found] == [("big", True), ("small", True), ("huge", False)]


def test_a_broken_file_of_tests_is_told_of(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "more.dflow").write_text('policy more use "tested.dflow" test given')
    assert main(["test", "tested.dflow"]) == 3
    assert "--> more.dflow:1:" in capfd.readouterr().err
