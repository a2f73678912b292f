"""The certificate beside conditions over several features: boxes worked out by hand."""

from __future__ import annotations

from typing import Any

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
