"""A whole run from file to policy: the types told from values, and the policy's answers those of the learner."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import decisionflow
from decisionflow.learn import CompanionRuleListClassifier, HybridCORELSClassifier, HybridRuleSetClassifier
from decisionflow.learn.file_frame import file_frame
from decisionflow.learn.learning_errors import LearningDataError
from decisionflow.learn.learning_run import Order, learn, split_rows
from decisionflow.tables.files.open_data import open_data

RNG = np.random.default_rng(5)
ROWS = 200
AMOUNT, KIND = RNG.normal(0, 1, ROWS).round(2), RNG.choice(["a", "b c", "7"], ROWS)
FRAME = pd.DataFrame(
    {
        "an amount": np.where(RNG.random(ROWS) < 0.1, np.nan, AMOUNT),
        "kind": np.where(RNG.random(ROWS) < 0.1, None, KIND),
        "flag": np.where(RNG.random(ROWS) < 0.1, None, RNG.choice(["TRUE", "false"], ROWS)),
        "count": RNG.integers(0, 4, ROWS),
        "share": [f"{share}%" for share in RNG.integers(0, 100, ROWS)],
        "late": np.where((AMOUNT > 0) ^ (KIND == "a") ^ (RNG.random(ROWS) < 0.1), "yes", "no"),
    }
)


def read(path: Path) -> pd.DataFrame:
    file = open_data(str(path))
    return file_frame(next(file.chunks(ROWS)), file.own_schema())


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    "learner",
    [
        CompanionRuleListClassifier(iterations=1000, max_rules=3, min_support=0.1),
        HybridCORELSClassifier(min_transparency=0.4, max_rules=3, max_conditions=1),
        HybridRuleSetClassifier(iterations=1000, max_rules=4, min_transparency=0.4),
    ],
    ids=lambda learner: type(learner).__name__,
)
def test_the_policy_answers_row_for_row_as_the_learner(learner: Any, tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    FRAME.to_csv(data, index=False)
    order = Order(learner, open_data(str(data)), "late", tmp_path / "list.dflow", datetime.date(2026, 1, 31))
    learned = learn(order)
    assert learned.forest is not None
    (tmp_path / "models").mkdir()
    (tmp_path / learned.forest.uri).write_bytes(learned.forest.data)
    (tmp_path / "list.dflow").write_text(learned.policy)
    assert decisionflow.load_policy(tmp_path / "list.dflow").text == learned.policy
    result = decisionflow.load_policy(tmp_path / "list.dflow").evaluate(pd.read_csv(data, dtype=str))["list"]
    answers, sources = learned.learner.predict_with_source(read(data).drop(columns="late"))
    assert list(result.value) == list(answers)
    assert list(result.rule) == list(sources)
    assert len(set(sources)) > 1


def test_types_are_told_from_values(tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    FRAME.to_csv(data, index=False)
    frame = read(data)
    assert frame["an amount"].dtype == np.float64
    assert frame["count"].dtype == np.int64
    assert frame["share"].tolist() == [int(share[:-1]) / 100 for share in FRAME["share"]]
    assert set(frame["flag"].dropna()) == {True, False}
    assert set(frame["kind"].dropna()) == {"a", "b c", "7"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x,when\n1,2026-01-31\n2,\n", "column `when` holds dates or times"),
        ("x,when\n1,2026-01-31T10:00:00Z\n2,\n", "column `when` holds dates or times"),
        ("x,y\n1,2,3\n", "1 of 1 rows cannot be read"),
    ],
)
def test_what_learners_do_not_read_is_refused(text: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(LearningDataError, match=words):
        read(written(tmp_path / "data.csv", text))


def test_a_split_is_drawn_by_its_seed_and_leaves_no_row_out() -> None:
    training, held_out = split_rows(10, 0.25, 0)
    assert len(held_out) == 2
    assert sorted([*training, *held_out]) == list(range(10))
    assert [*split_rows(10, 0.25, 0)[1]] == [*held_out]
    assert len({tuple(split_rows(10, 0.25, seed)[1]) for seed in range(5)}) > 1
    with pytest.raises(LearningDataError, match="too few"):
        split_rows(2, 0.25, 0)
