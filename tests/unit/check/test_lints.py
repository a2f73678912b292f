"""Lints on decisions of every kind: what is said, and what is left unsaid."""

from __future__ import annotations

from .policies import lints, program_of


def said(text: str) -> list[tuple[str, str]]:
    """Code and message of every lint."""
    return [(item.code, item.message) for item in lints(text)]


def test_a_gap_between_bands_of_numbers_and_none_between_integers() -> None:
    table = """
decision grade : { A, B }
  table unique
  | row | dti         || grade |
  | D1  | [0 .. 10]   || A     |
  | D2  | [11 .. 100] || B     |
"""
    assert said("feature dti : number [0 .. 100]" + table) == [
        (
            "DF0706",
            "no rule of `grade` covers `dti` in (10 .. 11) (nearest: `D1`, `D2`); with dti = 10.5, "
            "the decision is undecided",
        )
    ]
    assert said("feature dti : integer [0 .. 100]" + table) == []


def test_collected_tables_have_neither_gaps_nor_overlaps() -> None:
    assert (
        said("""
feature smoker : boolean optional
feature age : integer
decision points : integer collect sum
  table
  | smoker | age   || points |
  | true   | -     || 20     |
  | -      | >= 65 || 15     |
""")
        == []
    )


def test_a_missing_score_is_not_covered() -> None:
    found = said("""
feature score : number optional
decision d : { decline, approve }
  rule R1: if score < 580 then decline
  rule R2: if score >= 580 then approve
""")
    assert found == [("DF0706", "no rule of `d` covers `score` missing; with score missing, the decision is undecided")]


def test_the_cause_of_an_unreachable_rule_is_named() -> None:
    found = said("""
feature x : number
feature y : number
decision d : { a, b, c }
  rule low:  if x < 5 then a
  rule high: if x >= 5 then b
  rule both: if x in [2 .. 8] and y > 1 then c
  otherwise c
""")
    assert [code for code, _ in found] == ["DF0701"]
    assert "rule `both` of `d` can never fire: `low`, `high` before it take all of its cases; with x = 5" in found[0][1]


def test_what_is_computed_is_found_by_evaluation_or_left_unsaid() -> None:
    features = "feature income : number >= 0\nfeature debt : number >= 0\n"
    ratio = "derived ratio = if income > 0 then debt / income else 1\n"
    gap = said(
        features
        + ratio
        + """
decision d : { a, b }
  rule low: if ratio < 0.4 then a
  rule high: if ratio > 0.6 then b
"""
    )
    assert gap == [] or all("the decision is undecided" in message for _, message in gap)
    impossible = said(
        features
        + """
derived more = income + 1
decision d : { a, b }
  rule low: if income < 5 then a
  rule high: if more >= 5 then b
"""
    )
    assert impossible == []


def test_dates_timestamps_texts_and_booleans() -> None:
    found = said("""
feature opened : date [2020-01-01 .. 2030-12-31]
feature seen : timestamp
feature name : text
feature active : boolean
decision a : { x, y }
  rule a: if opened < 2025-01-01 then x
  rule b: if opened > 2025-01-01 then y
decision b : { x, y }
  rule a: if seen <= 2026-01-01T00:00:00Z then x
  rule b: if seen > 2026-01-01T00:00:00.000001Z then y
decision c : { x, y }
  rule a: if name = "a" then x
  rule b: if name != "a" and name != "b" then y
decision d : { x, y }
  rule a: if active then x
decision e : { x, y }
  rule a: if opened < today then x
  rule b: if opened > today then y
decision f : { x, y }
  rule a: if opened > 2040-01-01 then x
  otherwise y
decision g : { x, y }
  rule a: if name starts with "m" then x
decision h : { x, y }
  rule a: if seen - 2026-01-01T00:00:00Z > 10 days then x
  otherwise y
""")
    assert [(code, message.split(";")[0]) for code, message in found] == [
        ("DF0706", "no rule of `a` covers `opened` = 2025-01-01 (nearest: `a`, `b`)"),
        ("DF0706", "no rule of `b` covers `seen` = 2026-01-01T00:00:00.000001Z (nearest: `a`, `b`)"),
        ("DF0706", 'no rule of `c` covers `name` = "b"'),
        ("DF0706", "no rule of `d` covers `active` = false"),
        ("DF0706", "no rule of `e` covers `opened` = `today`"),
        ("DF0704", "in rule `a` of `f`, `2040-01-01` lies outside the domain [2020-01-01 .. 2030-12-31] of `opened`"),
        ("DF0706", 'no rule of `g` covers where not `name starts with "m"`'),
    ]


def test_models_decisions_and_records_as_inputs() -> None:
    found = said("""
feature income : number >= 0
model risk : probability of bad using income
decision offer : ( rate : number [0 .. 1], cap : number )
  rule cheap: if risk < 0.1 then ( rate = 5%, cap = income )
  rule dear: if risk > 0.2 then ( rate = 9%, cap = 0 )
decision fee : number
  rule none: if offer.rate <= 0.05 then 0
  rule some: if offer.rate > 0.05 then 5
decision listed : number collect
  rule a: if income > 3 then 1
decision late : { x, y }
  rule a: if listed is missing then x
  otherwise y
""")
    assert [(code, message.split(";")[0]) for code, message in found] == [
        ("DF0706", "no rule of `offer` covers `risk` in [0.1 .. 0.2] (nearest: `cheap`, `dear`)"),
        ("DF0706", "no rule of `fee` covers `offer.rate` missing"),
    ]


def test_overlaps_need_a_row_that_meets_both() -> None:
    features = "feature x : number\nderived y = x + 1\n"
    apart = "decision d : { a, b } unique\n  rule p: if x < 1 then a\n  rule q: if y > 3 then b\n"
    assert [code for code, _ in said(features + apart)] == ["DF0706"]


def test_lints_never_refuse_a_policy() -> None:
    assert program_of("feature x : number\ndecision d : boolean\n  rule a: if x > 3 and x < 2 then true")
