"""The certificate beside conditions over several features: boxes worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

import decisionflow

TEXT = """policy demo
feature a : integer [0 .. 5]
feature h : integer [0 .. 5]
feature s : number [0 .. 2]
decision d : { yes, no }
  rule one: if a + h = 4 then yes
  rule two: if a + 2 * s != 4 then yes
  otherwise no
"""


def ends(part: dict[str, Any]) -> tuple[Any, Any]:
    return part["low"], part["high"]


def test_a_decision_that_changes_right_beside_the_row() -> None:
    policy = decisionflow.parse_policy(TEXT)
    found = policy.explain([{"a": 0, "h": 2, "s": 2.0}], method="certificate").to_dict()["certificate"]
    assert {name: ends(part) for name, part in found["box"].items()} == {"a": (0, 0), "h": (0, 3), "s": (2.0, 2.0)}
    assert ends(found["alone"]["h"]) == (0, 3)


def test_a_feature_without_an_end_through_a_sum() -> None:
    text = """policy demo
feature a : integer [0 .. 10]
feature b : number
decision d : boolean = a + b >= 20
"""
    found = decisionflow.parse_policy(text).explain([{"a": 2, "b": 3.0}], method="certificate").to_dict()["certificate"]
    assert ends(found["box"]["a"]) == (0, 10)
    assert ends(found["box"]["b"]) == (None, pytest.approx(10.0))
