"""Parameters set anew: checked against type and domain."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from decisionflow.types import INTEGER, NUMBER

from .policies import checked, program_of

POLICY = """
parameter cutoff = 0.08 [0 .. 1]
parameter limit = 1000
parameter share = 1 [0 .. 1.0]
parameter start = 2026-01-01
parameter on = true
parameter word = "a"
parameter codes = { 1, 2 }
"""


@pytest.mark.parametrize(
    ("name", "given", "value"),
    [
        ("cutoff", 0.05, 0.05),
        ("cutoff", 1, 1.0),
        ("cutoff", "5%", 0.05),
        ("cutoff", " 2.5e-1 ", 0.25),
        ("limit", 7, 7),
        ("limit", "-7", -7),
        ("share", "0.4", 0.4),
        ("start", "2025-02-28", date(2025, 2, 28)),
        ("start", date(2025, 2, 28), date(2025, 2, 28)),
        ("on", "FALSE", False),
        ("word", "0.5", "0.5"),
        ("codes", [7], (7,)),
        ("codes", "{ 7, 8 }", (7, 8)),
    ],
)
def test_a_parameter_is_set_anew(name: str, given: Any, value: Any) -> None:
    assert program_of(POLICY, parameters={name: given}).parameters[name].value == value


@pytest.mark.parametrize(
    ("name", "given", "code"),
    [
        ("cutof", 0.05, "DF0212"),
        ("cutoff", 1.5, "DF0421"),
        ("cutoff", "much", "DF0421"),
        ("cutoff", "1_0", "DF0421"),
        ("cutoff", float("nan"), "DF0421"),
        ("cutoff", float("inf"), "DF0421"),
        ("cutoff", True, "DF0421"),
        ("cutoff", None, "DF0421"),
        ("cutoff", [0.1], "DF0421"),
        ("limit", 0.5, "DF0421"),
        ("limit", 2**63, "DF0421"),
        ("start", "2025-02-30", "DF0421"),
        ("on", 1, "DF0421"),
        ("word", 1, "DF0421"),
        ("codes", 1, "DF0421"),
        ("codes", [], "DF0421"),
        ("codes", ["x"], "DF0421"),
    ],
)
def test_what_does_not_fit_is_refused(name: str, given: Any, code: str) -> None:
    found = checked(POLICY, parameters={name: given})
    assert found.program is None
    assert [diagnostic.code for diagnostic in found.diagnostics] == [code]


def test_a_misspelt_parameter_is_suggested() -> None:
    (found,) = checked(POLICY, parameters={"cutof": 0.05}).diagnostics
    assert found.help == "did you mean `cutoff`?"


def test_a_domain_of_numbers_makes_a_number() -> None:
    parameters = program_of(POLICY).parameters
    assert (parameters["share"].type, parameters["limit"].type) == (NUMBER, INTEGER)
