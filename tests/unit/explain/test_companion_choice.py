"""Both answers of a companion rule list, with what stands behind each."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import decisionflow

POLICY = """
policy recidivism
feature age    : integer [0 .. 100]
feature priors : integer [0 .. 40] optional
feature charge : { misdemeanour, felony }
feature bb     : number [0 .. 1]
model box : probability of yes using bb, age
decision again : { no, yes }
  companion of if box >= 0.5 then yes else no
    rule C1: if priors = 0 and age >= 40 then no stats (coverage 28.6%, accuracy 78.2%, black_box 70%)
    rule C2: if priors >= 8 then yes             stats (coverage 28.6%, accuracy 70.1%, black_box 69.8%)
    rule C3: if age < 21 and charge = felony then yes
"""
DATA = pd.DataFrame(
    [
        (45, 0, "misdemeanour", 0.20),
        (52, 0, "felony", 0.61),
        (33, 9, "felony", 0.88),
        (19, 1, "felony", 0.72),
        (30, 4, "felony", 0.55),
        (30, 2, "misdemeanour", 0.31),
        (20, 8, "felony", 0.93),
        (30, None, "misdemeanour", 0.40),
    ],
    columns=["age", "priors", "charge", "bb"],
)
ANSWERS = ["C1", "C1", "C2", "C3", "if …", "if …", "C2", "if …"]
LABELS = ["no", "no", "yes", "yes", "yes", "no", "yes", "no"]
BOXES = ["no", "yes", "yes", "yes", "yes", "no", "yes", "no"]


@pytest.fixture(scope="module")
def policy() -> decisionflow.Policy:
    return decisionflow.parse_policy(POLICY, models={"box": lambda frame: frame["bb"].to_numpy()})


def companion(policy: decisionflow.Policy, row: int, **options: Any) -> Any:
    return policy.explain(DATA, row=row, **options).to_dict()["companion"]


@pytest.mark.parametrize("row", range(8))
def test_both_answers_of_every_row(policy: decisionflow.Policy, row: int) -> None:
    found = companion(policy, row)
    assert found["black_box"]["value"] == BOXES[row]
    covered = ANSWERS[row].startswith("C")
    assert (found["rule"] is not None) == covered
    if covered:
        assert found["answered_by"] == found["rule"]["rule"] == ANSWERS[row]
        assert found["rule"]["value"] == LABELS[row]
        assert found["agree"] == (LABELS[row] == BOXES[row])
        assert found["nearest_rule"] is None
    else:
        assert found["answered_by"] == found["black_box"]["name"]
        assert found["agree"] is None
        assert found["nearest_rule"]["rule"] in ("C1", "C2", "C3")


def test_accuracies_come_from_stats_and_earlier_rules_are_named(policy: decisionflow.Policy) -> None:
    first, third = companion(policy, 1), companion(policy, 3)
    assert (first["rule"]["accuracy"], first["black_box"]["accuracy"]) == (0.782, 0.7)
    assert (third["rule"]["accuracy"], third["black_box"]["accuracy"]) == (None, None)
    assert (first["failed_rules"], third["failed_rules"]) == ([], ["C1", "C2"])


def test_the_nearest_rule_is_named_with_its_distance(policy: decisionflow.Policy) -> None:
    nearest = companion(policy, 4)["nearest_rule"]
    assert nearest["rule"] == "C3"
    assert nearest["margins"] == {"age": 9.0}
    assert nearest["distance"] == pytest.approx(0.09)
    assert "nearest rule is C3" in str(policy.explain(DATA, row=4))


def test_the_black_box_is_attributed_to_its_inputs(policy: decisionflow.Policy) -> None:
    part = companion(policy, 2)["black_box"]["attributions"]["box"]
    assert part["phi"] == pytest.approx({"bb": 0.88 - np.mean(DATA["bb"]), "age": 0.0})
    assert (part["exact"], part["output"], part["of"]) == (True, "probability", "box")


def test_a_cut_list_covers_less(policy: decisionflow.Policy) -> None:
    found = companion(policy, 2, transparency=0)
    assert found["rule"] is None
    assert found["nearest_rule"] is None
    assert "No rule applies" in str(policy.explain(DATA, row=2, transparency=0))


def test_other_decisions_have_no_such_part() -> None:
    policy = decisionflow.parse_policy(
        "policy p\nfeature x : number [0 .. 1]\ndecision y : { a, b }\n  rule r: if x > 0.5 then b\n  otherwise a"
    )
    assert "companion" not in policy.explain({"x": 1.0}).to_dict()
