"""`decisionflow learn`: a file in, a policy out that answers, formats, explains; and clear words for bad input."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import skops.io
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier

import decisionflow
from decisionflow.cli import main
from decisionflow.learn import given_black_box
from decisionflow.learn.search_progress import SearchProgress

RNG = np.random.default_rng(3)
ROWS = 240
LATE = RNG.random(ROWS).round(2)
KIND = RNG.choice(["a", "b c", "in"], ROWS)
FRAME = pd.DataFrame(
    {
        "Monthly Usage": np.where(RNG.random(ROWS) < 0.1, np.nan, LATE),
        "count": RNG.integers(0, 5, ROWS),
        "kind": np.where(RNG.random(ROWS) < 0.1, None, KIND),
        "known": RNG.choice(["true", "false"], ROWS),
        "empty": None,
        "constant": 1,
        "bad": np.where(((LATE > 0.5) | (KIND == "in")) ^ (RNG.random(ROWS) < 0.1), 1, 0),
    }
)
HARD = ("--min-support", "0.01", "--max-conditions", "2", "--max-rules", "20", "--regularization", "0.0001")
QUICK = ("--min-support", "0.1", "--max-conditions", "1", "--max-rules", "3")
SMALL = skops.io.dumps(RandomForestClassifier(3, random_state=0).fit(FRAME[["count", "constant"]], FRAME["bad"]))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(given_black_box, "TREES", 5)
    FRAME.to_csv("data.csv", index=False)
    Path("small.skops").write_bytes(SMALL)
    return tmp_path


def learn(
    *arguments: str,
    learner: str = "companion",
    data: str = "data.csv",
    out: str = "list.dflow",
    fitted: str = "small.skops",
) -> int:
    target = () if "--target" in arguments else ("--target", "bad")
    steps = ("--iterations", "500") if learner in ("companion", "hybrid-rule-set") else ()
    given = fitted and not {"--black-box", "--black-box-predictions"} & set(arguments)
    black_box = ("--black-box", fitted) if given else ()
    return main(["learn", learner, data, *target, "-o", out, *steps, *QUICK, *black_box, *arguments])


def said(capfd: pytest.CaptureFixture[str], *arguments: str, **changed: str) -> tuple[int, str]:
    code = learn(*arguments, **changed)
    message = capfd.readouterr().err
    assert "Traceback" not in message
    return code, message


def other(frame: pd.DataFrame) -> str:
    frame.to_csv("other.csv", index=False)
    return "other.csv"


def stored(estimator: Any, columns: list[str], labels: Any = None) -> str:
    skops.io.dump(estimator.fit(FRAME[columns], FRAME["bad"] if labels is None else labels), "model.skops")
    return "model.skops"


@pytest.mark.parametrize("learner", ["companion", "hybrid-corels", "hybrid-rule-set", "corels"])
def test_the_policy_decides_its_own_data_and_is_canonical(learner: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert learn("--data-date", "2026-01-31", learner=learner, fitted="") == 0
    told = capfd.readouterr()
    assert "On 60 held-out rows:" in told.out
    assert told.err == "note: column `empty` holds no value and is left out\n"
    text = Path("list.dflow").read_text()
    assert "from data of 2026-01-31, 180 rows." in text
    assert "feature `Monthly Usage` : number optional" in text
    assert "feature known           : boolean\n" in text
    assert main(["format", "--check", "list.dflow"]) == 0
    assert main(["evaluate", "list.dflow", "data.csv", "-o", "out.csv"]) == 0
    out = pd.read_csv("out.csv", dtype=str)
    assert set(out["list.status"]) == {"decided"}
    rules = set(out["list.rule"].dropna()) - {"black_box"}
    assert main(["explain", "list.dflow", "data.csv", "--row", "0"]) == 0
    assert rules or learner == "corels"


def test_the_policy_gives_the_learners_own_answers(capfd: pytest.CaptureFixture[str]) -> None:
    assert learn("--format", "json", learner="hybrid-corels", fitted="") == 0
    told = json.loads(capfd.readouterr().out)
    result = decisionflow.load_policy("list.dflow").evaluate(pd.read_csv("data.csv", dtype=str))["list"]
    from decisionflow.learn.learning_run import split_rows

    _, held_out = split_rows(ROWS, 0.25, 0)
    right = np.array(result.value)[held_out] == FRAME["bad"].to_numpy()[held_out].astype(str)
    assert told["trade_off"][-1]["accuracy"] == pytest.approx(right.mean(), abs=1e-12)
    by_rule = np.array(result.rule)[held_out] != "black_box"
    assert told["trade_off"][-1]["transparency"] == pytest.approx(by_rule.mean(), abs=1e-12)
    assert told["trade_off"][0]["black_box_accuracy"] is None
    assert told["certificate"]["certified"] is True
    assert told["certificate"]["gap"] == pytest.approx(0, abs=1e-12)


def test_the_same_command_writes_the_same_policy() -> None:
    assert learn(out="one.dflow") == learn(out="two.dflow") == 0
    one, two = Path("one.dflow").read_text(), Path("two.dflow").read_text()
    assert one == two.replace("two", "one")


def test_labels_and_gaps_of_held_out_rows_are_declared_too() -> None:
    rare = [f"only {place}" if place % 2 else None for place in range(8)]
    data = other(FRAME.assign(rare=[*rare, *["usual"] * (ROWS - 8)]))
    assert learn(data=data, fitted="") == 0
    assert '"only 1", "only 3", "only 5", "only 7", usual } optional' in Path("list.dflow").read_text()
    assert main(["evaluate", "list.dflow", data, "-o", "out.csv"]) == 0


def test_excluded_columns_are_nowhere_in_the_policy() -> None:
    assert learn("--exclude", "kind", "--exclude", "known", "--decision", "late", "--title", "Who is late") == 0
    text = Path("list.dflow").read_text()
    assert text.startswith('policy list "Who is late"\n')
    assert "decision late : " in text
    assert "kind" not in text
    assert "known" not in text


def test_a_given_model_is_named_by_its_place_and_reads_its_own_columns() -> None:
    Path("policies/models").mkdir(parents=True)
    model = stored(RandomForestClassifier(5, random_state=0), ["count", "constant"])
    Path(model).rename("policies/models/forest.skops")
    assert learn("--black-box", "policies/models/forest.skops", out="policies/list.dflow") == 0
    text = Path("policies/list.dflow").read_text()
    assert 'from "models/forest.skops" using count, constant\n' in text
    assert main(["evaluate", "policies/list.dflow", "data.csv", "-o", "out.csv"]) == 0


def test_a_model_outside_the_folder_is_told_of(capfd: pytest.CaptureFixture[str]) -> None:
    Path("policies").mkdir()
    model = stored(RandomForestClassifier(5, random_state=0), ["count"])
    code, message = said(capfd, "--black-box", model, out="policies/list.dflow")
    assert code == 0
    assert "load the policy with --allow-path" in message
    assert main(["evaluate", "policies/list.dflow", "data.csv", "-o", "out.csv", "--allow-path", "."]) == 0


def test_answers_in_a_column_are_the_fall_back() -> None:
    data = other(FRAME.assign(guess=FRAME["bad"]))
    assert learn("--black-box-predictions", "guess", "--sweep", "0.2:0.6:0.2", learner="hybrid-corels", data=data) == 0
    assert "companion of guess" in Path("list.dflow").read_text()
    assert main(["evaluate", "list.dflow", data, "-o", "out.csv"]) == 0
    out = pd.read_csv("out.csv")
    left = out["list.rule"] == "guess"
    assert (out["list"] == out["guess"])[left].all()


def test_a_sweep_prints_one_line_for_each_share_and_draws(capfd: pytest.CaptureFixture[str]) -> None:
    assert learn("--sweep", "0.1:0.5:0.2", "--report", "front.svg", "--format", "json") == 0
    assert [point["min_transparency"] for point in json.loads(capfd.readouterr().out)["sweep"]] == [0.1, 0.3, 0.5]
    picture = Path("front.svg").read_text()
    assert "black box" in picture
    assert "sweep" in picture
    assert learn("--report", "front.png") == 0
    assert Path("front.png").read_bytes().startswith(b"\x89PNG")
    assert learn("--report", "front.html", "--title", "<x>") == 0
    assert "<x>" not in Path("front.html").read_text()


def test_a_page_shows_the_lists_of_a_sweep_too() -> None:
    assert learn("--sweep", "0.1:0.5:0.2", "--report", "front.html") == 0
    assert "min_transparency" in Path("front.html").read_text()


def test_a_sweep_that_a_learner_cannot_make_is_refused_before_it_learns(capfd: pytest.CaptureFixture[str]) -> None:
    code, message = said(capfd, "--sweep", "0.1:0.5:0.2", "--target", "nothing", learner="corels")
    assert (code, "corels takes no --sweep" in message) == (2, True)


def test_a_column_called_black_box_is_a_column() -> None:
    data = other(FRAME.rename(columns={"count": "black_box"}))
    assert learn(data=data, fitted="") == 0
    assert "companion of black_box_2" in Path("list.dflow").read_text()
    assert main(["evaluate", "list.dflow", data, "-o", "out.csv"]) == 0


def test_json_lines_and_parquet_are_read_too(capfd: pytest.CaptureFixture[str]) -> None:
    known = FRAME.assign(known=FRAME["known"] == "true").drop(columns="empty")
    known.to_json("data.jsonl", orient="records", lines=True)
    known.to_parquet("data.parquet")
    for data in ("data.jsonl", "data.parquet"):
        assert learn(data=data) == 0
        assert "feature known           : boolean\n" in Path("list.dflow").read_text()


def test_no_list_that_covers_enough_is_proved_infeasible(capfd: pytest.CaptureFixture[str]) -> None:
    data = other(FRAME.assign(only=np.where(np.arange(ROWS) % 4, 0, 1))[["only", "bad"]])
    code, message = said(
        capfd,
        "--no-negations",
        "--min-transparency",
        "0.9",
        learner="hybrid-corels",
        data=data,
        out="none.dflow",
        fitted="",
    )
    assert code == 1
    assert message.startswith("infeasible:")
    assert not Path("none.dflow").exists()


@pytest.mark.parametrize(
    ("settings", "why"),
    [(("--time-limit", "0"), "time limit"), ((*HARD, "--memory-limit", "0.0000001"), "memory limit")],
)
def test_a_limit_gives_the_best_so_far_with_its_gap_or_says_that_there_is_none(
    settings: tuple[str, ...], why: str, capfd: pytest.CaptureFixture[str]
) -> None:
    code = learn("--format", "json", *settings, learner="hybrid-corels")
    told = capfd.readouterr()
    if code == 0:
        certificate = json.loads(told.out)["certificate"]
        assert certificate["stopped_by"] == why
        assert certificate["certified"] is False
        assert certificate["gap"] > 0
    else:
        assert code == 1
        assert f"no list found: the search stopped ({why})" in told.err
        assert not Path("list.dflow").exists()


def test_control_c_keeps_the_best_so_far(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    from contextlib import contextmanager

    from decisionflow.cli import learn as verb

    def interrupt(moment: SearchProgress) -> None:
        raise KeyboardInterrupt

    @contextmanager
    def pressed(learner: str) -> Any:
        yield interrupt

    monkeypatch.setattr(verb, "_progress", pressed)
    assert learn("--format", "json", "--sweep", "0.1:0.5:0.1") == 0
    told = json.loads(capfd.readouterr().out)
    assert told["certificate"]["stopped_by"] == "interrupted"
    assert told["sweep"] == []
    assert main(["evaluate", "list.dflow", "data.csv", "-o", "out.csv"]) == 0


def test_the_progress_line_says_objective_bound_and_gap() -> None:
    from decisionflow.cli.learn import _progress_line

    line = _progress_line("hybrid-corels", SearchProgress(0.5, 3.2, done=0.25, bound=0.125))
    assert "best objective 0.500000, bound 0.125000, gap 0.375000, 25% done, 3 CPU s" in line


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--target", "bda"), "no column `bda`; did you mean `bad`?"),
        (("--exclude", "kinds"), "no column `kinds`; did you mean `kind`?"),
        (("--exclude", "bad"), "must be different ones"),
        (("--held-out", "1"), "give a share between 0 and 1"),
        (("--min-transparency", "1.5"), "is a share from 0 to 1"),
        (("--paradigm", "pre"), "companion takes no --paradigm"),
        (("--sweep", "0.1-0.5"), "write FROM:TO:STEP"),
        (("--report", "curve.gif"), "name a .png, .svg, .html file"),
        (("--data-date", "soon"), "write it like 2026-11-29"),
        (("--thresholds", "count=low"), "numbers with commas"),
        (("--thresholds", "kind=1"), "not a column of numbers"),
        (("--decision", "count"), "`count` would name two things"),
        (("--min-support", "2"), "min_support is a share"),
        (("--bins", "1"), "n_bins must be at least 2"),
        (("--alpha", "-1"), "alpha is a cost per rule"),
        (("--time-limit", "-1"), "time_limit"),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...], words: str, capfd: pytest.CaptureFixture[str]) -> None:
    code, message = said(capfd, *arguments)
    assert code == 2, message
    assert words in message
    assert not Path("list.dflow").exists()


@pytest.mark.parametrize(
    ("arguments", "learner", "words"),
    [
        (("--specialization", "1"), "hybrid-corels", "specialization shapes a black box that is fitted after"),
        (("--sweep", "0.1:0.5:0.1"), "corels", "corels takes no --sweep"),
        (("--min-transparency", "0.5"), "corels", "corels takes no --min-transparency"),
        (("--paradigm", "past"), "hybrid-corels", "paradigm is one of post, pre"),
    ],
)
def test_contradictory_settings(
    arguments: tuple[str, ...], learner: str, words: str, capfd: pytest.CaptureFixture[str]
) -> None:
    code, message = said(capfd, *arguments, learner=learner)
    assert code == 2, message
    assert words in message


@pytest.mark.parametrize("paradigm", ["pre", "pre_no_collaboration"])
def test_a_forest_that_comes_after_the_rules(paradigm: str) -> None:
    settings = ("--paradigm", paradigm, "--specialization", "2", "--min-transparency", "0.3")
    assert learn(*settings, learner="hybrid-corels", fitted="") == 0
    assert main(["evaluate", "list.dflow", "data.csv", "-o", "out.csv"]) == 0


@pytest.mark.skipif(find_spec("imodels") is not None, reason="the extra [baselines] is installed")
def test_a_learner_without_its_extra_says_which(capfd: pytest.CaptureFixture[str]) -> None:
    code = main(["learn", "bayesian", "data.csv", "--target", "bad", "-o", "list.dflow", "--black-box", "small.skops"])
    assert code == 2
    assert "pip install 'decisionflow[baselines]'" in capfd.readouterr().err


def test_missing_files_and_folders(capfd: pytest.CaptureFixture[str]) -> None:
    assert said(capfd, data="none.csv") == (2, "error: there is no file none.csv\n")
    code, message = said(capfd, out="nowhere/list.dflow")
    assert code == 2
    assert "in a folder that exists" in message


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"bad": 1}, "must hold two classes"),
        ({"bad": np.arange(ROWS) % 3}, "Only binary classification is supported"),
        ({"bad": np.where(np.arange(ROWS), FRAME["bad"], np.nan)}, "the target holds missing values"),
        ({"born": "1980-02-29"}, "column `born` holds dates or times"),
        ({"name": [f"n{place}" for place in range(ROWS)]}, "column `name` holds 240 different texts"),
    ],
)
def test_data_that_cannot_be_learned_from(
    changed: dict[str, Any], words: str, capfd: pytest.CaptureFixture[str]
) -> None:
    code, message = said(capfd, data=other(FRAME.assign(**changed)))
    assert code == 4, message
    assert words in message


def test_data_with_nothing_in_them(capfd: pytest.CaptureFixture[str]) -> None:
    code, message = said(capfd, data=other(FRAME[["empty", "bad"]]), fitted="")
    assert (code, "no column with values is left" in message) == (4, True)
    code, message = said(capfd, data=other(FRAME.head(2)), fitted="")
    assert (code, "too few to learn from" in message) == (4, True)
    Path("broken.csv").write_text("x,bad\n1,1\n2,0,7\n")
    code, message = said(capfd, data="broken.csv", fitted="")
    assert (code, "1 of 2 rows cannot be read, the first row 1 (line 3)" in message) == (4, True)


def test_constant_columns_alone_leave_all_to_the_black_box_or_to_one_rule() -> None:
    data = other(FRAME[["constant", "bad"]])
    assert learn(data=data, fitted="") == 0
    assert main(["evaluate", "list.dflow", data, "-o", "out.csv"]) == 0


def test_a_black_box_that_cannot_be_used(capfd: pytest.CaptureFixture[str]) -> None:
    code, message = said(capfd, "--black-box", "none.skops")
    assert code == 5, message
    strange = stored(DummyClassifier(strategy="constant", constant=7), ["count"], np.where(FRAME["bad"], 7, 8))
    code, message = said(capfd, "--black-box", strange)
    assert (code, "answers `7`, but the target holds" in message) == (5, True)
    gaps = stored(RandomForestClassifier(2), ["count"])
    code, message = said(capfd, "--black-box", gaps, "--exclude", "count")
    assert (code, "reads `count`, which is excluded" in message) == (2, True)
    code, message = said(capfd, "--black-box", gaps, data=other(FRAME.drop(columns="count")))
    assert (code, "reads `count`, but the data have no values for it" in message) == (4, True)
    code, message = said(capfd, "--black-box-predictions", "count")
    assert (code, "the black box should answer 0 or 1" in message) == (5, True)


def test_a_black_box_that_fails(capfd: pytest.CaptureFixture[str]) -> None:
    from sklearn.linear_model import LogisticRegression

    filled = FRAME[["Monthly Usage"]].fillna(0)
    skops.io.dump(LogisticRegression().fit(filled, FRAME["bad"]), "model.skops")
    code, message = said(capfd, "--black-box", "model.skops")
    assert code == 5, message
    assert "NaN" in message
