"""One record, decided by the generated function: the same Result as of a table with one row."""

from __future__ import annotations

import pickle
from datetime import date
from typing import Any

import numpy as np
import pandas as pd
import pytest

import decisionflow
from decisionflow.errors import DataError, UnknownNameError
from decisionflow.evaluate.row_result import RowResult

TEXT = """
policy credit
feature age : integer [18 .. 120]
feature income : number >= 0
feature debt : number >= 0 default 0
feature job : { employed, retired } optional
feature born : date optional
derived ratio = if income > 0 then debt / income else 1
decision outcome : { approve, refer, decline }
  rule young: if age < 21 then decline reason A01 "too young"
  rule indebted: if ratio > 0.4 then decline reason B02 "too much debt"
  rule worker: if job in { employed } then approve
  otherwise refer
decision terms : ( rate : number, limit : number )
  rule good: if outcome = approve then ( rate = 5%, limit = 2 * income )
decision tags : number collect list
  rule one: if age > 20 then 1
  rule two: if income > 1000 then income reason T "well paid"
decision grown : integer = years(born, today)
"""
SOUND = {"age": 40, "income": 2000, "debt": 100.5, "job": "employed", "born": date(1980, 5, 1)}


@pytest.fixture(scope="module")
def policy() -> decisionflow.Policy:
    loaded = decisionflow.parse_policy(TEXT)
    loaded.row_functions.prepare(True)
    loaded.row_functions.prepare(False)
    return loaded


@pytest.mark.parametrize("validate", [True, False])
def test_a_record_is_decided_without_columns(policy: decisionflow.Policy, validate: bool) -> None:
    result = policy.evaluate(SOUND, today="2026-01-01", validate=validate)
    assert isinstance(result, RowResult)
    assert (result["outcome"].value, result["outcome"].rule, result["outcome"].status) == (
        "approve",
        "worker",
        "decided",
    )
    assert result["outcome"].reasons == ()
    assert result["terms"].value == {"rate": 0.05, "limit": 4000.0}
    assert result["tags"].value == (1.0, 2000.0)
    assert result["tags"].rule == "one;two"
    assert result["tags"].reasons == ("T",)
    assert (result["grown"].value, result["grown"].rule) == (45, "")
    assert len(result) == 1


def test_a_record_has_the_whole_result(policy: decisionflow.Policy) -> None:
    record: dict[str, Any] = {**SOUND, "age": 19}
    result, expected = policy.evaluate(record, "2026-01-01", seed=4), policy.evaluate([record], "2026-01-01", seed=4)
    record["age"] = 50
    assert result.to_pandas().equals(expected.to_pandas())
    assert result.to_arrow().equals(expected.to_arrow())
    assert result.trace(0) == expected.trace(0)
    assert result.problems == expected.problems == {}
    assert (result.today, result.settings.seed, result.single) == (date(2026, 1, 1), 4, True)
    assert result["outcome"].decided.tolist() == [True]
    assert result["outcome"].values.tolist() == ["decline"]
    assert result["outcome"].rules.tolist() == ["young"]
    assert result["outcome"].reasons == ("A01",)
    assert result["terms"].values.tolist() == [None]
    assert np.asarray(result["grown"].values).dtype.kind == "i"
    assert pickle.loads(pickle.dumps(result)).to_pandas().equals(expected.to_pandas())
    with pytest.raises(AttributeError):
        result.nothing  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(decisionflow.DataError):
        policy.evaluate([record], on_model_error="skip")


@pytest.mark.parametrize(
    ("cells", "outcome"),
    [
        ({"age": "40"}, "approve"),
        ({"age": 40.0}, "approve"),
        ({"age": np.int64(40)}, "approve"),
        ({"income": "2000", "debt": None}, "approve"),
        ({"debt": float("nan")}, "approve"),
        ({"born": "1980-05-01"}, "approve"),
        ({"job": float("nan")}, "refer"),
        ({"job": ""}, "refer"),
        ({"debt": 900}, "decline"),
    ],
)
def test_cells_are_read_as_in_a_table(policy: decisionflow.Policy, cells: dict[str, Any], outcome: str) -> None:
    result = policy.evaluate({**SOUND, **cells})
    assert isinstance(result, RowResult)
    assert result["outcome"].value == outcome


@pytest.mark.parametrize(
    "cells",
    [
        {"age": True},
        {"age": 17},
        {"age": 2**70},
        {"age": None},
        {"income": float("inf")},
        {"income": 10**400},
        {"job": "Employed"},
        {"born": "1980-13-01"},
    ],
)
def test_what_is_invalid_says_so(policy: decisionflow.Policy, cells: dict[str, Any]) -> None:
    record = {**SOUND, **cells}
    result, expected = policy.evaluate(record), policy.evaluate([record])
    names = [name for name in policy.decisions if expected[name].status[0] == "invalid"]
    assert names
    assert [name for name in policy.decisions if result[name].status == "invalid"] == names
    assert result.problems == expected.problems
    assert result.single


def test_the_first_records_are_decided_by_columns() -> None:
    policy = decisionflow.parse_policy(TEXT)
    found = [policy.evaluate(SOUND, "2026-01-01") for _ in range(12)]
    assert [isinstance(result, RowResult) for result in found] == [False] * 8 + [True] * 4
    assert {result["terms"].value["limit"] for result in found} == {4000.0}


def test_a_policy_with_many_rules_waits_for_more_records() -> None:
    rules = "\n".join(f"rule r{place}: if x = {place} then {place}" for place in range(96))
    policy = decisionflow.parse_policy(f"policy p feature x : integer decision d : integer {rules}")
    found = [policy.evaluate({"x": place}) for place in range(14)]
    assert [isinstance(result, RowResult) for result in found] == [False] * 12 + [True] * 2
    assert [result["d"].value for result in found] == list(range(14))


def test_a_prepared_function_answers_for_one_decision(policy: decisionflow.Policy) -> None:
    decide = policy.row_function("outcome")
    assert decide(SOUND) == ("approve", "worker", "decided", ())
    assert decide({**SOUND, "age": 20}).reasons == ("A01",)
    assert decide({**SOUND, "age": 12}) == (None, "", "invalid", ())
    assert policy.row_function("grown", today="2026-04-30")(SOUND).value == 45
    assert policy.row_function("grown", today="2026-05-01")(SOUND).value == 46
    with pytest.raises(UnknownNameError):
        policy.row_function("outcom")


def test_a_record_that_needs_no_model_runs_none() -> None:
    calls: list[int] = []

    def risk(frame: Any) -> Any:
        calls.append(len(frame))
        return np.full(len(frame), 0.3)

    text = """
    policy p
    feature age : integer
    feature income : number
    model risk : number using income
    decision d : { yes, no }
      rule young: if age < 18 then no
      rule rich: if income > 10 and risk < 0.5 then yes
      otherwise no
    """
    policy = decisionflow.parse_policy(text, models={"risk": risk})
    policy.row_functions.prepare()
    young = policy.evaluate({"age": 3, "income": 50})
    poor = policy.evaluate({"age": 30, "income": 5})
    assert isinstance(young, RowResult)
    assert (young["d"].rule, poor["d"].rule, calls) == ("young", "otherwise", [])
    rich = policy.evaluate({"age": 30, "income": 50})
    assert (rich["d"].rule, calls) == ("rich", [1])
    assert rich.to_pandas()["d"].tolist() == ["yes"]
    assert calls == [1]


COMPANION = """
policy p
feature x : number
decision o : { yes, no } companion of yes
  rule r: if x > 1 then no stats (coverage 20%)
"""


@pytest.mark.parametrize(
    "wrong",
    [
        {"on_model_error": "skip"},
        {"today": 5},
        {"today": True},
        {"today": "tomorrow"},
        {"today": pd.NaT},
        {"today": 5.0},
        {"today": np.datetime64("2026-01-01")},
        {"transparency": "half"},
        {"transparency": {"o": "half"}},
        {"transparency": {"o": None}},
    ],
    ids=str,
)
def test_what_is_asked_for_wrongly_is_refused_whatever_the_data(wrong: dict[str, Any]) -> None:
    policy = decisionflow.parse_policy(COMPANION)
    policy.row_functions.prepare(True)
    for data in ({"x": 1.0}, [{"x": 1.0}]):
        with pytest.raises(decisionflow.DataError):
            policy.evaluate(data, **wrong)


@pytest.mark.parametrize("data", [{"x": 1.0}, [{"x": 1.0}]])
def test_a_decision_that_is_not_there_has_its_nearest_name_told(data: object) -> None:
    policy = decisionflow.parse_policy("policy p feature x : number decision outcome : { a } otherwise a")
    result = policy.evaluate(data)
    for asked in (result, result.trace(0)):
        with pytest.raises(DataError, match="no decision `outcom`; did you mean `outcome`"):
            asked["outcom"]
    assert len(repr(result)) < 300
