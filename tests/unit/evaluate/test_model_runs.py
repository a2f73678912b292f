"""Models see exactly the rows that some decision needs them for, once (law 5); outputs are checked (law 8)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from decisionflow import parse_policy
from decisionflow.errors import ModelError

CREDIT = """
policy credit
feature age : integer [18 .. 120]
feature income : number >= 0
feature debt : number >= 0 optional
derived dti = debt / income
model risk : probability of bad using age, income
decision outcome : { approve, refer, decline }
  rule minor: if age < 21 then decline
  rule indebted: if dti > 0.4 then decline
  rule low: if risk < 0.2 and income > 1000 then approve
  otherwise refer
decision limit : number
  table first
  | outcome | risk | income || limit |
  | approve | < 0.1 | - || 5000 |
  | approve | - | >= 2000 || 1000 |
  | refer, decline | - | - || 0 |
"""


class Recorder:
    """A callable model that remembers the frames it was given; its answer is its column `income` over 10,000."""

    def __init__(self, answer: Any = None) -> None:
        self.frames: list[pd.DataFrame] = []
        self.answer = answer or (lambda frame: frame["income"] / 10_000)

    def __call__(self, frame: pd.DataFrame) -> Any:
        self.frames.append(frame)
        return self.answer(frame)


def test_only_the_rows_that_need_the_model_reach_it_in_one_call() -> None:
    model = Recorder()
    data = pd.DataFrame(
        {
            "age": [19, 30, 31, 32, 33, 34],
            "income": [3000.0, 500.0, 1500.0, 900.0, 4000.0, 0.0],
            "debt": [0.0, 400.0, np.nan, 0.0, 100.0, 5.0],
        }
    )
    result = parse_policy(CREDIT, models={"risk": model}).evaluate(data)
    assert [frame["age"].tolist() for frame in model.frames] == [[31, 33]]
    assert result["outcome"].value.tolist() == ["decline", "decline", "approve", "refer", "refer", None]
    assert result["outcome"].rule.tolist() == ["minor", "indebted", "low", "otherwise", "otherwise", ""]
    assert result["outcome"].status.tolist() == ["decided"] * 5 + ["invalid"]
    assert result["limit"].rule.tolist() == ["row 3", "row 3", "", "row 3", "row 3", ""]
    assert result["limit"].status[2] == "undecided"
    assert result.problems == {5: "rule `indebted`: division by zero; rule `row 1`: decision `outcome` is invalid"}


def test_a_table_of_many_blocks_is_still_one_call() -> None:
    model = Recorder()
    ages = np.arange(40_000) % 60 + 18
    data = pd.DataFrame({"age": ages, "income": 2000.0, "debt": 0.0})
    result = parse_policy(CREDIT, models={"risk": model}).evaluate(data)
    (frame,) = model.frames
    assert len(frame) == (ages >= 21).sum()
    assert result.rows_of("risk").tolist() == np.flatnonzero(ages >= 21).tolist()


CHAIN = """
policy chain
feature age : integer
feature income : number
model first : number using age, income
derived doubled = first * 2
model second : number using doubled, income
decision outcome : { yes, no }
  rule a: if age > 50 then yes
  rule b: if second > 1 and age > 20 then yes
  otherwise no
"""


def test_a_chained_model_runs_after_its_own_inputs_and_for_the_same_rows() -> None:
    first, second = Recorder(), Recorder(lambda frame: frame["doubled"] * 10)
    data = pd.DataFrame({"age": [60, 30, 10, 40], "income": [1.0, 2000.0, 3000.0, 100.0]})
    policy = parse_policy(CHAIN, models={"first": first, "second": second})
    result = policy.evaluate(data)
    assert [frame["age"].tolist() for frame in first.frames] == [[30, 40]]
    assert [frame["doubled"].tolist() for frame in second.frames] == [[0.4, 0.02]]
    assert result["outcome"].rule.tolist() == ["a", "b", "otherwise", "otherwise"]


TWO = """
policy two
feature x : number
feature y : number optional
model m : number using x
model n : number using x
decision stage : { go, stop }
  rule early: if x < 0 then stop
  rule late: if m > 0.5 then stop
  otherwise go
decision step : { one, two, three }
  rule first: if stage = go and n > 0.5 then one
  rule second: if y > 0 or n > 0.9 then two
  rule third: if at least 2 of (x >= 0, y < 0, n < 0.1) then three
"""


def test_a_model_waits_for_the_decision_that_may_make_it_needless() -> None:
    m, n = Recorder(lambda frame: frame["x"]), Recorder(lambda frame: frame["x"])
    data = pd.DataFrame({"x": [-1.0, 0.7, 0.2, 0.95], "y": [1.0, 1.0, 1.0, -1.0]})
    result = parse_policy(TWO, models={"m": m, "n": n}).evaluate(data)
    assert [frame["x"].tolist() for frame in m.frames] == [[0.7, 0.2, 0.95]]
    assert sorted(value for frame in n.frames for value in frame["x"]) == [0.2, 0.95]
    assert result["step"].rule.tolist() == ["second", "second", "second", "second"]


def test_unusable_outputs_make_the_decision_invalid_and_say_why() -> None:
    policy = parse_policy(CREDIT, models={"risk": lambda frame: [1.5, np.nan, 0.1]})
    data = {"age": [30, 30, 30], "income": [2000.0] * 3, "debt": [0.0] * 3}
    result = policy.evaluate(pd.DataFrame(data))
    assert result["outcome"].status.tolist() == ["invalid", "invalid", "decided"]
    assert "1.5" in result.problems[0]
    assert "row 0: age = 30, income = 2000" in result.problems[0]


def test_a_failing_row_costs_no_other_row_its_answer() -> None:
    def fussy(frame: pd.DataFrame) -> Any:
        if (frame["age"] == 31).any():
            raise ValueError("no 31")
        return [0.1] * len(frame)

    data = pd.DataFrame({"age": [30, 31, 32], "income": [2000.0] * 3, "debt": [0.0] * 3})
    policy = parse_policy(CREDIT, models={"risk": fussy})
    result = policy.evaluate(data)
    assert result["outcome"].status.tolist() == ["decided", "invalid", "decided"]
    assert "risk" in result.problems[1]
    assert "no 31" in result.problems[1]
    with pytest.raises(ModelError, match="row 1: age = 31"):
        policy.evaluate(data, on_model_error="stop")


def test_single_precision_scores_mean_their_shortest_decimal() -> None:
    policy = parse_policy(
        """
        policy cut
        feature x : number
        model pd : probability of bad using x
        decision outcome : { refer, approve }
          rule high: if pd >= 0.35 then refer
          otherwise approve
        """,
        models={"pd": lambda frame: np.array([0.35, 0.3499], dtype=np.float32)},
    )
    result = policy.evaluate(pd.DataFrame({"x": [1.0, 2.0]}))
    assert result["outcome"].value.tolist() == ["refer", "approve"]


def test_a_missing_input_reaches_only_a_model_that_takes_it() -> None:
    text = """
    policy gaps
    feature x : number optional
    model m : number using x
    decision outcome : number = m
    """
    result = parse_policy(text, models={"m": lambda frame: frame["x"]}).evaluate({"x": None})
    assert result["outcome"].status == "invalid"
    assert result.problems == {0: "model `m` does not take missing values, and `x` is missing"}


def test_a_slow_model_is_named_with_its_rows_and_inputs(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([10.0, 14.9, 20.0, 26.5])
    monkeypatch.setattr("decisionflow.evaluate.model_calls.perf_counter", lambda: next(clock))
    policy = parse_policy(CREDIT, models={"risk": Recorder()})
    data = pd.DataFrame({"age": [19, 30, 40], "income": [3000.0, 1500.0, 5000.0], "debt": [0.0, 100.0, 0.0]})
    assert policy.evaluate(data).slow_calls == ()
    (call,) = policy.evaluate(data).slow_calls
    assert (call.model, call.rows, call.first_row, call.seconds) == ("risk", 2, 1, 6.5)
    assert str(call) == "model `risk`, given 2 rows from row 1 on (age = 30, income = 1500)"


def test_who_ends_a_model_that_does_not_come_back_is_told_its_name() -> None:
    def hang(_: pd.DataFrame) -> None:
        raise KeyboardInterrupt

    policy = parse_policy(CREDIT, models={"risk": hang})
    with pytest.raises(KeyboardInterrupt) as end:
        policy.evaluate({"age": 30, "income": 1500.0, "debt": 100.0})
    assert end.value.__notes__ == ["in model `risk`, given row 0 (age = 30, income = 1500)"]
