"""Reasons for the customer, from text to program."""

from __future__ import annotations

import pytest

import decisionflow
from decisionflow.errors import PolicyError
from decisionflow.program.declarations import FeatureReason, Reason

POLICY = """policy demo

feature reasons  : integer [0 .. 9]
feature employed : boolean
feature plan     : { basic, premium }

decision outcome : { yes, no } adverse no reasons at most 2
  rule many: if reasons > 3 then no reason A01 "too many reasons"
  otherwise yes

reasons
  reasons  raises R01   "many reasons"
  employed lowers R02
  plan     raises "R 3" "kind of plan"

reasons
  employed raises R04 "employed already"
"""


def test_rows_of_every_table_and_the_number_are_kept() -> None:
    policy = decisionflow.parse_policy(POLICY)
    assert policy.text == POLICY
    assert policy.decisions["outcome"].most_reasons == 2
    assert policy.program.reasons == (
        FeatureReason("reasons", "raises", Reason("R01", "many reasons")),
        FeatureReason("employed", "lowers", Reason("R02", "")),
        FeatureReason("plan", "raises", Reason("R 3", "kind of plan")),
        FeatureReason("employed", "raises", Reason("R04", "employed already")),
    )


def test_reasons_raises_and_lowers_stay_names() -> None:
    text = POLICY.replace("feature reasons ", "feature raises : integer\nfeature lowers : integer\nfeature reasons ")
    assert list(decisionflow.parse_policy(text).features)[:3] == ["raises", "lowers", "reasons"]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("plan     raises", "plans raises", "DF0201"),
        ("plan     raises", "outcome raises", "DF0440"),
        ("employed raises", "employed lowers", "DF0441"),
        ("plan     raises", "plan lowers", "DF0442"),
        ("at most 2", "at most 0", "DF0443"),
        ("at most 2", "at most 2.5", "DF0443"),
        ("adverse no reasons", "reasons", "DF0443"),
        ("raises R01  ", "rises R01", "DF0105"),
    ],
)
def test_a_mistake_has_one_message(old: str, new: str, code: str) -> None:
    with pytest.raises(PolicyError) as raised:
        decisionflow.parse_policy(POLICY.replace(old, new))
    assert [found.code for found in raised.value.diagnostics] == [code]
