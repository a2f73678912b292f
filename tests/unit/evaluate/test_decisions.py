"""Hit policies, companions, records and results, by hand."""

from __future__ import annotations

from datetime import date

import pandas as pd
import pytest

from decisionflow import parse_policy
from decisionflow.errors import DataError
from decisionflow.evaluate.draws import uniform_draw

POLICIES = """
policy hits
feature x : number optional
decision single : number unique
  rule a: if x < 2 then 1
  rule b: if x > 1 then 2
decision same : number any
  rule a: if x < 2 then 0.8 reason S1 "small"
  rule b: if x > 1 then 0.7 + 0.1 reason S2 "large"
  rule c: if x > 5 then 9
decision best : { red, green, blue } priority
  rule a: if x > 0 then blue reason B1 "blue"
  rule b: if x > 1 then red reason B2 "red"
  rule c: if x > 2 then red reason B3 "red too"
decision total : integer collect sum
  rule a: if x > 0 then 20
  rule b: if x > 1 then 15
decision chosen : { s, t } collect
  rule a: if x > 0 then t
  rule b: if x > 1 then s
decision count : integer collect count
  rule a: if x > 0 then 20
  rule b: if x > 1 then 15
decision lowest : number collect min
  rule a: if x > 0 then 20
  rule b: if x > 1 then x
"""


def test_hit_policies() -> None:
    result = parse_policy(POLICIES).evaluate(pd.DataFrame({"x": [0.0, 1.5, 3.0, 6.0, None]}))
    assert result["single"].status.tolist() == ["decided", "conflict", "decided", "decided", "undecided"]
    assert result["single"].rule.tolist() == ["a", "a;b", "b", "b", ""]
    assert result["single"].value.tolist() == [1.0, None, 2.0, 2.0, None]
    assert result.problems[1] == "rules `a` and `b` disagree"
    assert result["same"].value.tolist() == [0.8, 0.8, 0.7 + 0.1, None, None]
    assert result["same"].rule.tolist() == ["a", "a;b", "b", "b;c", ""]
    assert result["same"].reasons.tolist() == [("S1",), ("S1", "S2"), ("S2",), (), ()]
    assert result["best"].value.tolist() == [None, "red", "red", "red", None]
    assert result["best"].rule.tolist() == ["", "b", "b", "b", ""]
    assert result["best"].reasons.tolist() == [(), ("B2",), ("B2", "B3"), ("B2", "B3"), ()]
    assert result["total"].value.tolist() == [0, 35, 35, 35, 0]
    assert result["chosen"].value.tolist() == [(), ("t", "s"), ("t", "s"), ("t", "s"), ()]
    assert result["count"].value.tolist() == [0, 2, 2, 2, 0]
    assert result["lowest"].value.tolist() == [None, 1.5, 3.0, 6.0, None]
    assert result["lowest"].status.tolist() == ["undecided", "decided", "decided", "decided", "undecided"]


COMPANION = """
policy list
feature x : number
decision said : { yes, no }
  companion of if x > 100 then yes else no
    rule r1: if x < 1 then yes stats (coverage 10%)
    rule r2: if x < 2 then yes stats (coverage 20%)
    rule r3: if x < 3 then yes stats (coverage 0.5)
"""


@pytest.mark.parametrize(
    ("transparency", "rules"),
    [
        (None, ["r1", "r2", "r3"]),
        (0, ["fall-back"] * 3),
        (0.1, ["r1", "fall-back", "fall-back"]),
        (0.29, ["r1", "fall-back", "fall-back"]),
        (0.3, ["r1", "r2", "fall-back"]),
        (0.8, ["r1", "r2", "r3"]),
    ],
)
def test_a_companion_list_uses_as_many_rules_as_the_transparency_allows(
    transparency: float | None, rules: list[str]
) -> None:
    policy = parse_policy(COMPANION)
    result = policy.evaluate(pd.DataFrame({"x": [0.5, 1.5, 2.5]}), transparency=transparency)
    name = policy.decisions["said"].body.fallback_name  # type: ignore[union-attr]
    assert result["said"].rule.tolist() == [name if rule == "fall-back" else rule for rule in rules]


def test_the_next_rule_decides_its_share_of_rows_by_a_draw_from_the_row() -> None:
    policy = parse_policy(COMPANION)
    values = [1 + place / 4000 for place in range(4000)]
    result = policy.evaluate(pd.DataFrame({"x": values}), transparency=0.15, stochastic=True, seed=3)
    taken = result["said"].rule == "r2"
    assert taken.tolist() == [uniform_draw(policy.program, "said", {"x": value}, 3) < 0.25 for value in values]
    assert 0.22 < taken.mean() < 0.28


def test_a_transparency_without_coverage_names_the_rule() -> None:
    policy = parse_policy(COMPANION.replace(" stats (coverage 20%)", ""))
    assert policy.evaluate({"x": 1.5}, transparency=1)["said"].rule == "r2"
    with pytest.raises(DataError, match="r2"):
        policy.evaluate({"x": 1.5}, transparency=0.5)


RECORD = """
policy terms
feature x : number
feature born : date optional
decision offer : ( rate : number [0 .. 1], limit : integer )
  rule low: if x < 1 then ( rate = 5%, limit = 1000 ) reason L1 "low"
  rule high: if x > 2 then ( rate = x, limit = 5 )
decision cost : number = offer.rate * 100
decision adult : boolean = years(born, today) >= 18
decision until : date = born + 1 month
"""


def test_records_dates_and_frames() -> None:
    data = pd.DataFrame({"x": [0.0, 1.5, 3.0], "born": ["2004-02-29", None, "2006-01-31"]}, index=[7, 8, 9])
    result = parse_policy(RECORD).evaluate(data, today="2022-02-28")
    assert result["offer"].value.tolist() == [{"rate": 0.05, "limit": 1000}, None, None]
    assert result["offer"].status.tolist() == ["decided", "undecided", "invalid"]
    assert result["cost"].value.tolist() == [5.0, None, None]
    assert result["adult"].value.tolist() == [False, None, False]
    assert result["until"].value.tolist() == [date(2004, 3, 29), None, date(2006, 2, 28)]
    frame = result.to_pandas()
    assert list(frame) == [
        *("offer.rate", "offer.limit", "offer.rule", "offer.status", "offer.reasons"),
        *("cost", "cost.rule", "cost.status", "cost.reasons"),
        *("adult", "adult.rule", "adult.status", "adult.reasons"),
        *("until", "until.rule", "until.status", "until.reasons", "problem"),
    ]
    assert frame.index.tolist() == [7, 8, 9]
    assert frame["offer.limit"].isna().tolist() == [False, True, True]
    assert frame["offer.reasons"].tolist() == ["L1", "", ""]
    assert frame["problem"].tolist() == ["", "", "offer.rate is 3, outside [0 .. 1]; decision `offer` is invalid"]
    table = result.to_arrow()
    assert table.column_names == list(frame)
    assert table["offer.rule"].to_pylist() == ["low", "", ""]
    assert table["offer.rate"].to_pylist() == [0.05, None, None]
    assert table["until"].to_pylist() == [date(2004, 3, 29), None, date(2006, 2, 28)]


def test_one_record_gives_single_values() -> None:
    found = parse_policy(RECORD).evaluate({"x": 0.0, "born": "2000-01-01"}, today="2022-02-28")
    assert found["offer"].value == {"rate": 0.05, "limit": 1000}
    assert (found["offer"].rule, found["offer"].status, found["offer"].reasons) == ("low", "decided", ("L1",))
    assert found["cost"].value == 5.0
    assert isinstance(found["cost"].value, float)
    assert found["adult"].value is True


def test_no_rows_give_empty_answers() -> None:
    result = parse_policy(RECORD).evaluate(pd.DataFrame({"x": [], "born": []}))
    assert len(result) == 0
    assert result["offer"].value.tolist() == []
    assert len(result.to_pandas()) == 0


def test_an_invalid_feature_spoils_only_what_depends_on_it() -> None:
    result = parse_policy(RECORD).evaluate(pd.DataFrame({"x": ["ten", "0"], "born": ["2000-01-01", "2000-13-01"]}))
    assert result["offer"].status.tolist() == ["invalid", "decided"]
    assert result["adult"].status.tolist() == ["decided", "invalid"]
    assert "ten" in result.problems[0]
    assert "2000-13-01" in result.problems[1]


def test_every_decision_reads_the_others_once() -> None:
    text = """
    policy reading
    feature x : number optional
    decision first : { a, b } unique
      rule one: if x > 0 then a
      rule two: if x > 1 then b
    decision second : { c, d }
      rule absent: if first is missing then c
      rule known: if first = a then d
    """
    result = parse_policy(text).evaluate(pd.DataFrame({"x": [0.0, 0.5, 2.0, None]}))
    assert result["first"].status.tolist() == ["undecided", "decided", "conflict", "undecided"]
    assert result["second"].rule.tolist() == ["absent", "known", "", "absent"]
    assert result["second"].status.tolist() == ["decided", "decided", "invalid", "decided"]
    assert result.problems[2] == "rules `one` and `two` disagree; rule `absent`: decision `first` is conflict"


def test_long_chains_and_lists_do_not_recurse() -> None:
    chain = "\n".join(f"derived v{place} = v{place - 1} + 1" for place in range(1, 3000))
    rules = "\n".join(f"rule r{place}: if x = {place} then {place}" for place in range(1000))
    text = f"policy long feature x : number derived v0 = x {chain} decision k : number {rules} otherwise v2999"
    result = parse_policy(text).evaluate(pd.DataFrame({"x": [0.0, 999.0, -1.0]}))
    assert result["k"].value.tolist() == [0.0, 999.0, 2998.0]
