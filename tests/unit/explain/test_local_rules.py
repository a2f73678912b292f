"""Local rules of a decision and of a model: what they may say, and what becomes of the row they are applied to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

import decisionflow
from decisionflow.explain.cut_points import Cut, shortened
from decisionflow.explain.policy_cuts import tree_splits, whole_cut
from decisionflow.models.estimators import from_estimator

POLICY = """
policy credit
feature age    : integer [18 .. 100] immutable
feature income : number >= 0 step 0.01
feature job    : { employed, student, none }
feature since  : date optional
feature origin : { north, south } sensitive
model risk : probability of bad using age, income
decision outcome : { approve, refer, decline }
  rule young:  if age < 21 then decline
  rule poor:   if income < 1000.5 and job != employed then decline
  rule origin: if origin = south and age < 40 then refer
  rule risky:  if risk > 0.7 then decline
  rule new:    if since > 2020-06-30 then refer
  otherwise approve
"""


@pytest.fixture(scope="module")
def data() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    return pd.DataFrame(
        {
            "age": rng.integers(18, 80, 300),
            "income": rng.uniform(0, 4000, 300).round(2),
            "job": rng.choice(["employed", "student", "none"], 300),
            "since": pd.Series(pd.to_datetime("2015-01-01") + pd.to_timedelta(rng.integers(0, 3000, 300), "D")).dt.date,
            "origin": rng.choice(["north", "south"], 300),
        }
    )


@pytest.fixture(scope="module")
def policy(data: pd.DataFrame) -> decisionflow.Policy:
    bad = np.where((data["income"] < 700) & (data["age"] < 50), "bad", "good")
    fitted = DecisionTreeClassifier(max_depth=3, random_state=0).fit(data[["age", "income"]], bad)
    return decisionflow.parse_policy(POLICY, models={"risk": fitted})


def rules(policy: decisionflow.Policy, data: pd.DataFrame, row: int, **options: Any) -> list[dict[str, Any]]:
    found = policy.explain(data, row=row, method="rules", **options).to_dict()["local_rules"]
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize("row", [0, 5])
def test_conditions_are_policy_text_and_true_or_not_of_the_row_as_their_kind_says(
    policy: decisionflow.Policy, data: pd.DataFrame, row: int
) -> None:
    found = rules(policy, data, row)
    assert {rule["kind"] for rule in found} >= {"supporting", "hypothetically contradicting"}
    head = POLICY[: POLICY.index("decision outcome")]
    decided = policy.evaluate(data)["outcome"].value[row]
    for rule in found:
        pasted = decisionflow.parse_policy(
            f"{head}\ndecision here : boolean = {rule['conditions']}", models={"risk": policy.bound["risk"]}
        )
        true = bool(pasted.evaluate(data)["here"].value[row] is True or pasted.evaluate(data)["here"].value[row] == 1)
        assert true != rule["kind"].startswith("hypothetically")
        assert (rule["class"] == decided) == rule["kind"].endswith("supporting")
        assert "origin" not in rule["conditions"]
        assert set(rule["measures"]) == {"coverage", "support", "confidence", "lift", "leverage"}
        assert rule["p_value"] <= 0.05


def test_the_flip_is_what_the_policy_says_of_the_changed_row(policy: decisionflow.Policy, data: pd.DataFrame) -> None:
    decisions = policy.evaluate(data)["outcome"].value
    flips = []
    for row in (0, 1, 2):
        for rule in rules(policy, data, row):
            if not rule["kind"].startswith("hypothetically"):
                assert rule["flips"] is None
                continue
            changed = data.iloc[row].to_dict() | {change["feature"]: change["to"] for change in rule["changes"]}
            again = policy.evaluate(changed)["outcome"]
            assert again.status == "decided"
            assert rule["becomes"] == again.value
            assert rule["flips"] == (again.value != decisions[row])
            assert rule["permitted"] == ("age" not in {change["feature"] for change in rule["changes"]})
            flips.append(rule["flips"])
    assert True in flips
    assert False in flips


def test_rules_of_a_model_use_its_splits_and_the_thresholds_on_it(
    policy: decisionflow.Policy, data: pd.DataFrame
) -> None:
    found = rules(policy, data, 0, of="risk", k=3, measure="confidence")
    assert {rule["class"] for rule in found} <= {"risk <= 0.7", "risk > 0.7"}
    assert all(rule["conditions"].count("age") + rule["conditions"].count("income") >= 1 for rule in found)
    assert not any("job" in rule["conditions"] for rule in found)


def test_a_class_of_a_model_is_refused(policy: decisionflow.Policy, data: pd.DataFrame) -> None:
    with pytest.raises(decisionflow.DataError, match="all of its classes"):
        rules(policy, data, 0, of="risk=bad")


def test_an_amount_is_its_own_class_and_all_others_another() -> None:
    policy = decisionflow.parse_policy("policy p\nfeature x : number [0 .. 1]\ndecision y : number = round(x, 2)")
    data = pd.DataFrame({"x": np.linspace(0, 1, 200)})
    found = rules(policy, data, 100)
    assert {rule["class"] for rule in found} <= {0.5, "not 0.5"}


def test_splits_of_trees_are_read_in_the_columns_own_unit() -> None:
    frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0], "b": [1, 1, 1, 1]})
    fitted = RandomForestClassifier(5, random_state=0).fit(frame, [0, 0, 1, 1])
    found = tree_splits(from_estimator("m", fitted), frame)
    assert set(found) == {"a"}
    assert Cut(1.5, True) in found["a"]
    assert found["a"] <= {Cut(0.5, True), Cut(1.0, True), Cut(1.5, True), Cut(2.0, True), Cut(2.5, True)}


def test_cuts_are_written_with_few_digits_and_part_alike() -> None:
    values = np.array([0.1, 0.2345, 0.2391, 0.7])
    assert shortened(Cut(0.2391), values) == Cut(0.239)
    assert whole_cut(Cut(29.5, True)) == Cut(30.0)
    assert whole_cut(Cut(29.0, True)) == Cut(30.0)
    assert whole_cut(Cut(29.0)) == Cut(29.0)


def test_a_record_is_concluded_as_the_value_that_it_is(data: pd.DataFrame) -> None:
    policy = decisionflow.parse_policy(
        "policy p\nfeature age : integer\ndecision y : ( rate : number, ok : boolean )\n"
        "  rule old: if age >= 40 then ( rate = 5%, ok = true )\n  otherwise ( rate = 1%, ok = false )"
    )
    old, young = {"rate": 0.05, "ok": True}, {"rate": 0.01, "ok": False}
    explained = policy.explain(data, row=int(np.flatnonzero(data["age"] >= 40)[0]), method="rules")
    found = {rule["kind"]: rule for rule in explained.to_dict()["local_rules"]}
    assert found["supporting"]["class"] == old
    assert found["hypothetically contradicting"]["class"] == young
    assert (found["hypothetically contradicting"]["becomes"], found["hypothetically contradicting"]["flips"]) == (
        young,
        True,
    )
    assert "rate" in str(explained) and "{'rate'" not in str(explained)


@pytest.mark.parametrize("option", [{"k": 0}, {"k": "3"}, {"k": None}, {"measure": "odds"}, {"measure": ["lift"]}])
def test_an_option_that_makes_no_sense_is_named(
    policy: decisionflow.Policy, data: pd.DataFrame, option: dict[str, Any]
) -> None:
    with pytest.raises(decisionflow.DataError, match=next(iter(option))):
        rules(policy, data, 0, **option)
