"""Anchors of whole decisions: their conditions, precision and coverage, against a count by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

import decisionflow

POLICY = """
policy loan
feature age    : integer [18 .. 100]
feature income : number >= 0
feature job    : {{ employed, student, none }}
feature name   : text sensitive
{model}
decision outcome : {{ approve, decline }}
  rule young: if age < 21 then decline
  rule poor:  if {poor} and job in {{ student, none }} then decline
  otherwise approve
"""
RNG = np.random.default_rng(1)
DATA = pd.DataFrame(
    {
        "age": RNG.integers(18, 80, 200),
        "income": RNG.uniform(0, 4000, 200).round(1),
        "job": RNG.choice(["employed", "student", "none"], 200),
        "name": RNG.choice(["Ann", "Bob"], 200),
    }
)
RULES_ONLY = decisionflow.parse_policy(POLICY.format(model="", poor="income < 1000"))


def anchor(policy: decisionflow.Policy, row: dict[str, Any], **options: Any) -> dict[str, Any]:
    found = policy.explain(row, background=DATA, method="anchor", **options).to_dict()["anchor"]
    assert isinstance(found, dict)
    return found


def test_a_rule_that_suffices_is_the_anchor() -> None:
    found = anchor(RULES_ONLY, {"age": 19, "income": 3000, "job": "employed", "name": "Zoe"})
    assert found["conditions"] == ["age < 21"]
    assert (found["precision"], found["bound"], found["exact"], found["certain"]) == (1.0, [1.0, 1.0], True, True)
    assert found["coverage"] == pytest.approx((DATA["age"] < 21).mean())


def test_precision_is_that_of_the_background_changed_and_decided() -> None:
    row = {"age": 50, "income": 500, "job": "none", "name": "Zoe"}
    found = anchor(RULES_ONLY, row, why_not="approve")
    held = decisionflow.parse_policy(
        POLICY.format(model="", poor="income < 1000")
        + "\ndecision here : boolean = "
        + " and ".join(f"({one})" for one in found["conditions"] or ["true"])
    )
    changed = DATA.copy()
    for column in [name for name in row if any(name in one for one in found["conditions"])]:
        alone = [one for one in found["conditions"] if column in one]
        probe = decisionflow.parse_policy(
            POLICY.format(model="", poor="income < 1000") + "\ndecision here : boolean = " + " and ".join(alone)
        )
        fails = ~np.array(probe.evaluate(DATA)["here"].value, bool)
        changed.loc[fails, column] = row[column]
    assert np.array(held.evaluate(changed)["here"].value, bool).all()
    assert found["precision"] == pytest.approx((RULES_ONLY.evaluate(changed)["outcome"].value == "approve").mean())
    assert found["coverage"] == pytest.approx(np.mean(held.evaluate(DATA)["here"].value))


def test_a_model_behind_the_decision_is_sampled_with_a_bound() -> None:
    fitted = LogisticRegression().fit(DATA[["income"]] / 1000, np.where(DATA["income"] < 1000, "bad", "good"))
    model = "model risk : probability of bad using income"
    policy = decisionflow.parse_policy(
        POLICY.format(model=model, poor="risk > 0.5"),
        models={"risk": lambda frame: fitted.predict_proba(frame / 1000)[:, 0]},
    )
    row = {"age": 19, "income": 3000, "job": "employed", "name": "Zoe"}
    found = anchor(policy, row)
    assert found["conditions"] == ["age < 21"]
    assert not found["exact"]
    assert found["certain"]
    assert found["wanted"] <= found["bound"][0] <= found["precision"] <= found["bound"][1]
    assert found == anchor(policy, row)


def test_what_nearly_every_row_gets_needs_no_condition() -> None:
    policy = decisionflow.parse_policy(
        "policy p\nfeature x : number [0 .. 1]\ndecision y : { a, b }\n  rule r: if x > 0.999 then b\n  otherwise a"
    )
    found = policy.explain(pd.DataFrame({"x": np.linspace(0, 1, 101)}), method="anchor")
    assert found.to_dict()["anchor"]["conditions"] == []
    assert "nothing at all" in str(found)
