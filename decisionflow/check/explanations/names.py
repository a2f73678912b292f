"""Examples for messages about names (DF02xx)."""

from __future__ import annotations

from decisionflow.check.explanations.explained import explained

RECORD = """policy demo
feature age : integer [18 .. 120]
decision offer : ( rate : number, limit : number ) = ( rate = 5%, limit = 1000 )
"""

NAMES = (
    explained(
        "DF0201",
        "a word that is no declared name",
        "decision adult : boolean = agee >= 21",
        "decision adult : boolean = age >= 21",
    ),
    explained(
        "DF0202",
        "a word that is no label of the vocabulary",
        "decision fee : number = if employment = studnt then 0 else 5",
        "decision fee : number = if employment = student then 0 else 5",
    ),
    explained(
        "DF0203",
        "a label in the wrong case",
        "decision fee : number = if employment = Student then 0 else 5",
        "decision fee : number = if employment = student then 0 else 5",
    ),
    explained(
        "DF0204",
        "one name declared twice",
        "feature score : number\nderived score = income / 100",
        "feature score : number\nderived scaled = income / 100",
    ),
    explained(
        "DF0205",
        "a word that is a label and a declared name",
        "feature student : boolean\ndecision fee : number = if employment = student then 0 else 5",
        'feature student : boolean\ndecision fee : number = if employment = "student" then 0 else 5',
    ),
    explained(
        "DF0206",
        "a call of what is no function",
        "derived capped = minimum(income, 5000)",
        "derived capped = min(income, 5000)",
    ),
    explained(
        "DF0207",
        "names that are computed from each other",
        "derived affordability = limit * 2\nderived limit = affordability / 4",
        "derived affordability = income * 2\nderived limit = affordability / 4",
    ),
    explained(
        "DF0208",
        "names that differ only by case",
        "feature Income : number",
        "feature net_income : number",
    ),
    explained(
        "DF0209",
        "a part that the record does not have",
        "decision dear : boolean = offer.rates > 4%",
        "decision dear : boolean = offer.rate > 4%",
        RECORD,
    ),
    explained(
        "DF0210",
        "two rules of one name",
        """
decision outcome : { approve, decline }
  rule young: if age < 21 then decline
  rule young: if income < 500 then decline
  otherwise approve
""",
        """
decision outcome : { approve, decline }
  rule young: if age < 21 then decline
  rule poor:  if income < 500 then decline
  otherwise approve
""",
    ),
    explained(
        "DF0211",
        "a set read as one value",
        "parameter ages = { 30, 40 }\ndecision round_age : boolean = age = ages",
        "parameter ages = { 30, 40 }\ndecision round_age : boolean = age in ages",
    ),
    explained(
        "DF0213",
        "a test that expects a rule which is not there",
        """
decision outcome : { approve, decline }
  rule young: if age < 21 then decline
  otherwise approve
test "young" given age = 19 expect outcome = decline by yuong
""",
        """
decision outcome : { approve, decline }
  rule young: if age < 21 then decline
  otherwise approve
test "young" given age = 19 expect outcome = decline by young
""",
    ),
    explained(
        "DF0214",
        "a declaration that would hide the date of the run",
        "feature today : date",
        "feature as_of : date",
    ),
    explained(
        "DF0215",
        "a test that expects a reason which no rule gives",
        """
decision outcome : { approve, decline }
  rule young: if age < 21 then decline reason A01 "too young"
  otherwise approve
test "young" given age = 19 expect outcome = decline reason A10
""",
        """
decision outcome : { approve, decline }
  rule young: if age < 21 then decline reason A01 "too young"
  otherwise approve
test "young" given age = 19 expect outcome = decline reason A01
""",
    ),
)
