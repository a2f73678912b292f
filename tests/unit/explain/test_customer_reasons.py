"""Reasons for the customer: codes of the rules taken, then of the features that led to an adverse outcome."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

import decisionflow
from decisionflow.api.policy import Policy

CREDIT = Path(__file__).parents[3] / "policies" / "consumer_credit" / "consumer_credit.dflow"
FEATURES = """policy demo
feature age    : integer [18 .. 120]
feature income : number [0 .. 20_000]
feature debt   : number [0 .. 20_000]
feature job    : { employed, student, retired }
"""
TABLE = """reasons
  debt   raises R01 "debt too high"
  income lowers R02 "income too low"
  job    raises R03 "kind of employment"
  age    lowers A01 "young"
  age    raises R05 "old"
"""


def policy(decisions: str, **models: Any) -> Policy:
    return decisionflow.parse_policy(FEATURES + decisions + TABLE, models)


def row(**values: Any) -> dict[str, Any]:
    return {"age": 30, "income": 2000, "debt": 300, "job": "employed", **values}


def reasons(of: Policy, data: Any, **asked: Any) -> list[tuple[str, str | None]]:
    """Code and feature of each reason; None for a rule's."""
    found = of.explain(data, **asked).to_dict()["customer_reasons"]
    assert all((one["from"] == "contribution") == ("feature" in one) for one in found)
    return [(one["code"], one.get("feature")) for one in found]


def background(seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": rng.integers(18, 90, 200),
            "income": rng.uniform(500, 9000, 200).round(2),
            "debt": rng.uniform(0, 4000, 200).round(2),
            "job": rng.choice(["employed", "student", "retired"], 200),
        }
    )


BURDEN = """decision outcome : { approve, decline } adverse decline reasons at most 3
  rule minor:  if age < 21 then decline reason A01 "below the minimum age"
  rule burden: if debt > 0.4 * income then decline
  otherwise approve
"""


def test_features_of_the_rule_that_fired_come_nearest_boundary_first() -> None:
    """r_debt = 1 - 100 / 20000 = 0.995; the income would have to be 2250: r_income = 1 - 250 / 20000 = 0.9875."""
    found = policy(BURDEN).explain(row(debt=900)).to_dict()
    assert found["customer_reasons"] == [
        {"code": "R01", "text": "debt too high", "from": "contribution", "feature": "debt"},
        {"code": "R02", "text": "income too low", "from": "contribution", "feature": "income"},
    ]
    record = found["settings"]["customer_reasons"]
    assert record["method"] == "smace, signed"
    assert record["at_most"] == 3
    assert {one["variable"]: one["weight"] for one in record["through"]} == pytest.approx(
        {"debt": 0.995, "income": 0.9875}
    )


def test_a_code_of_the_rule_is_not_said_again_by_a_feature() -> None:
    assert reasons(policy(BURDEN), row(age=19)) == [("A01", None)]


def test_a_favourable_outcome_has_no_reasons_whatever_is_asked() -> None:
    assert reasons(policy(BURDEN), row()) == []
    assert reasons(policy(BURDEN), row(), why_not="decline") == []
    assert "customer_reasons" not in policy(BURDEN).explain(row()).to_dict()["settings"]


def test_the_question_does_not_change_what_the_customer_is_told() -> None:
    assert reasons(policy(BURDEN), row(debt=900), rule="minor") == [("R01", "debt"), ("R02", "income")]


def test_at_most_so_many_and_four_where_the_decision_does_not_say() -> None:
    assert reasons(policy(BURDEN.replace("at most 3", "at most 1")), row(debt=900)) == [("R01", "debt")]
    many = "\n".join(f"  rule r{n}: if debt > {n} then decline reason C{n}" for n in range(6))
    text = f"decision outcome : {{ approve, decline }} adverse decline any\n{many}\n  otherwise approve\n"
    assert [code for code, _ in reasons(policy(text), row())] == ["C0", "C1", "C2", "C3"]


def test_equal_contributions_stand_in_order_of_declaration() -> None:
    text = """decision outcome : { approve, decline } adverse decline
  rule both: if debt > 200 and income < 2_100 then decline
  otherwise approve
"""
    assert reasons(policy(text), row()) == [("R02", "income"), ("R01", "debt")]


def test_knock_outs_come_before_scores() -> None:
    text = """model risk : probability of bad using income
decision outcome : { approve, decline } adverse decline any
  rule scored: if risk > 50% then decline reason S01
  rule minor:  if age < 21 then decline reason K01
  otherwise approve
"""
    found = policy(text, risk=lambda frame: np.full(len(frame), 0.9))
    assert reasons(found, row(age=19), background=background())[:2] == [("K01", None), ("S01", None)]


def test_rules_of_decisions_that_the_fired_rule_reads_come_first() -> None:
    text = """decision check : { pass, fail } adverse fail
  rule minor: if age < 21 then fail reason K01 "below the minimum age"
  otherwise pass
decision tier : { gold, basic } adverse basic
  rule rich: if income > 1_000 then gold reason G01 "good income"
  otherwise basic
decision outcome : { approve, decline } adverse decline
  rule knocked: if check = fail and tier = gold then decline reason D01
  otherwise approve
"""
    found = reasons(policy(text), row(age=19), decision="outcome", background=background())
    assert found[:2] == [("K01", None), ("D01", None)]
    assert "G01" not in [code for code, _ in found]


OTHERWISE = """model risk : probability of bad using debt, job
decision outcome : { approve, decline } adverse decline
  rule good: if income >= 3_000 and age < 60 and risk < 50% then approve
  otherwise decline reason X09 "no rule for approval holds"
"""


def test_where_no_rule_fired_it_is_what_the_nearest_favourable_rule_lacks() -> None:
    """The model was not run, for the income had closed the rule: its features gave nothing away. The age was fine."""
    found = policy(OTHERWISE, risk=lambda frame: np.full(len(frame), 0.9))
    assert reasons(found, row(), background=background()) == [("X09", None), ("R02", "income")]


def test_a_model_that_was_run_counts_there_and_labels_have_one_reason() -> None:
    def risk(frame: pd.DataFrame) -> Any:
        return np.clip(0.2 + frame["debt"] / 8000 + 0.3 * (frame["job"] == "student"), 0, 1)

    found = reasons(policy(OTHERWISE, risk=risk), row(income=4000, debt=3000, job="student"), background=background())
    assert sorted(found[1:]) == [("R01", "debt"), ("R03", "job")]
    only_debt = reasons(policy(OTHERWISE, risk=risk), row(income=4000, debt=3900), background=background())
    assert only_debt == [("X09", None), ("R01", "debt")]


@pytest.mark.parametrize(("age", "code"), [(85, "R05"), (19, "A01")])
def test_a_feature_of_a_curved_model_is_high_or_low_as_the_model_sees_it(age: int, code: str) -> None:
    text = """model risk : probability of bad using age
decision outcome : { approve, decline } adverse decline
  rule bad: if risk > 50% then decline
  otherwise approve
"""
    found = policy(text, risk=lambda frame: np.minimum(1, np.abs(frame["age"] - 52) / 40))
    assert reasons(found, row(age=age), background=background()) == [(code, "age")]


@pytest.mark.parametrize("calibrated", [False, True])
def test_one_hot_columns_and_calibrated_models_give_one_reason_for_a_source_column(calibrated: bool) -> None:
    rows = background(1)
    bad = (rows["job"] == "student") | (rows["debt"] > 0.5 * rows["income"])
    columns = ColumnTransformer([("job", OneHotEncoder(), ["job"]), ("n", StandardScaler(), ["income", "debt"])])
    fitted: Any = make_pipeline(columns, LogisticRegression())
    fitted = CalibratedClassifierCV(fitted, cv=3) if calibrated else fitted
    fitted.fit(rows[["income", "debt", "job"]], np.where(bad, "bad", "good"))
    text = """model risk : probability of bad using income, debt, job
decision outcome : { approve, decline } adverse decline
  rule bad: if risk > 50% then decline reason S01
  otherwise approve
"""
    found = policy(text, risk=fitted)
    data = row(income=1200, debt=3000, job="student")
    assert reasons(found, data, background=rows)[0] == ("S01", None)
    assert sorted(reasons(found, data, background=rows)[1:]) == [("R01", "debt"), ("R02", "income"), ("R03", "job")]
    well = row(income=6000, debt=3900, job="student")
    assert ("R02", "income") not in reasons(found, well, background=rows)


def test_a_fall_back_that_decides_speaks_by_its_own_attribution() -> None:
    rows = background(2)
    tree = DecisionTreeClassifier(max_depth=3, random_state=0).fit(rows[["income"]], rows["income"] < 3000)
    tree.classes_ = np.array(["approve", "decline"])
    text = """model forest : { approve, decline } using income
decision outcome : { approve, decline } adverse decline
  companion of forest
    rule old: if age > 80 then approve
"""
    found = policy(text, forest=tree)
    assert reasons(found, row(income=900), background=rows) == [("R02", "income")]
    assert reasons(found, row(income=9000), background=rows) == []


def test_the_credit_policy_tells_a_declined_applicant_at_most_four_reasons() -> None:
    found = decisionflow.load_policy(CREDIT)
    applicant = {
        **{"age": 22, "income": 1560.07, "debt": 618.12, "employment": "unemployed", "bankruptcies": 0},
        **{"Monthly Usage": 0.3, "opened": None, "amount": 15000},
    }
    told = reasons(found, applicant, today="2026-11-29")
    assert told == [("B03", None), ("B04", "income"), ("B05", "employment"), ("B06", "age")]


def test_of_a_collected_list_only_the_rules_with_an_adverse_outcome_speak() -> None:
    text = """decision outcome : { approve, decline } adverse decline collect
  rule rich: if income > 1_000 then approve reason G01
  rule debt: if debt > 200 then decline reason D01
"""
    assert reasons(policy(text), row()) == [("D01", None), ("R01", "debt")]
