"""The outcome that `why_not` names is read by the type of what the decision holds."""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np
import pytest

import decisionflow
from decisionflow.api.outcome_asked import outcome_asked
from decisionflow.errors import DecisionFlowError
from decisionflow.program.declarations import Decision


def decision(kind: str, outcome: str, hit: str = "") -> Decision:
    text = f"policy p\nfeature x : integer [0 .. 9]\ndecision d : {kind} {hit}\n  rule r: if x > 3 then {outcome}\n"
    return decisionflow.parse_policy(text).decisions["d"]


@pytest.mark.parametrize(
    ("kind", "outcome", "hit", "given", "value"),
    [
        ("{ a, b }", "a", "", "b", "b"),
        ("{ a, b }", "a", "collect count", "2", 2),
        ("{ a, b }", "a", "collect", ["b", "a"], ("b", "a")),
        ("{ a, b }", "a", "collect", "b;a", ("b", "a")),
        ("{ a, b }", "a", "collect", "", ()),
        ("integer", "1", "", "7", 7),
        ("number", "1", "", np.float64(2.5), 2.5),
        ("boolean", "true", "", np.True_, True),
        ("boolean", "true", "", "false", False),
        ("date", "2026-01-01", "", "2026-01-02", date(2026, 1, 2)),
        ("( r : number, n : integer )", "( r = 1, n = 2 )", "", {"r": 1, "n": 3}, {"r": 1.0, "n": 3}),
        ("( r : number, n : integer )", "( r = 1, n = 2 )", "", '{"r": 1, "n": 3}', {"r": 1.0, "n": 3}),
    ],
)
def test_is_read_as_the_decision_writes_it(kind: str, outcome: str, hit: str, given: Any, value: Any) -> None:
    found = outcome_asked(decision(kind, outcome, hit), given)
    assert found == value and type(found) is type(value)


@pytest.mark.parametrize(
    ("kind", "outcome", "hit", "given", "message"),
    [
        ("{ a, b }", "a", "", "c", "has no outcome `c`: a, b"),
        ("{ a, b }", "a", "collect", 3, "is a list, not `3`"),
        ("integer", "1", "", "1.5", "is of type integer, and `1.5` is none"),
        ("integer", "1", "", True, "is of type integer"),
        ("( r : number, n : integer )", "( r = 1, n = 2 )", "", {"r": 1}, "a record of r, n, each with a value"),
        ("( r : number, n : integer )", "( r = 1, n = 2 )", "", "r = 1", "a record of r, n, each with a value"),
    ],
)
def test_says_what_it_would_be(kind: str, outcome: str, hit: str, given: Any, message: str) -> None:
    with pytest.raises(DecisionFlowError, match=message):
        outcome_asked(decision(kind, outcome, hit), given)
