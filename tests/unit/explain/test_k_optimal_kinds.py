"""The four kinds: does the rule hold at the row, and does it agree with the decision?"""

from __future__ import annotations

import numpy as np
import pandas as pd

from decisionflow.explain.k_optimal import KINDS, Mining, rules_by_kind

ROWS = pd.DataFrame({"age": ["young", "young", "old", "old"] * 10, "priors": ["many", "none", "many", "none"] * 10})
DECISIONS = np.where((ROWS["age"] == "young") & (ROWS["priors"] == "many"), "high", "low")


def texts(rules):
    return {kind: [f"{rule.text} -> {rule.target}" for rule in found] for kind, found in rules.items()}


def test_each_rule_stands_under_its_kind():
    found = rules_by_kind(ROWS, DECISIONS, {"age": "young", "priors": "many"}, "high")
    assert tuple(found) == KINDS
    assert texts(found) == {
        "supporting": ["age = young and priors = many -> high", "age = young -> high", "priors = many -> high"],
        "contradicting": [],
        "hypothetically supporting": [],
        "hypothetically contradicting": ["age = old -> low", "priors = none -> low"],
    }


def test_a_row_on_the_other_side_turns_the_kinds_round():
    found = texts(rules_by_kind(ROWS, DECISIONS, {"age": "old", "priors": "many"}, "low"))
    assert found == {
        "supporting": ["age = old -> low"],
        "contradicting": ["priors = many -> high"],
        "hypothetically supporting": ["priors = none -> low"],
        "hypothetically contradicting": ["age = young and priors = many -> high", "age = young -> high"],
    }


def test_a_rule_is_hypothetical_where_the_rows_label_is_missing():
    found = texts(rules_by_kind(ROWS, DECISIONS, {"age": "young"}, "high"))
    assert found["supporting"] == ["age = young -> high"]
    assert found["hypothetically supporting"] == ["age = young and priors = many -> high", "priors = many -> high"]


def test_all_other_classes_compete_for_the_places():
    frame = pd.DataFrame({"a": ["x"] * 20 + ["y"] * 20 + ["z"] * 20})
    labels = ["high"] * 20 + ["middle"] * 20 + ["low"] * 20
    found = texts(rules_by_kind(frame, labels, {"a": "x"}, "high"))
    assert found["hypothetically contradicting"] == ["a = y -> middle", "a = z -> low"]
    first = texts(rules_by_kind(frame, labels, {"a": "x"}, "high", Mining(k=1)))
    assert first["hypothetically contradicting"] == ["a = y -> middle"]
