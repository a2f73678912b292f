"""Examples for lints (DF07xx)."""

from __future__ import annotations

from decisionflow.check.explanations.explained import explained

LINTED = (
    explained(
        "DF0701",
        "a rule that earlier rules keep from firing",
        """
decision outcome : { standard, premium, other }
  rule adults: if age >= 21 then standard
  rule rich:   if age >= 30 and income > 9000 then premium
  otherwise other
""",
        """
decision outcome : { standard, premium, other }
  rule rich:   if age >= 30 and income > 9000 then premium
  rule adults: if age >= 21 then standard
  otherwise other
""",
    ),
    explained(
        "DF0702",
        "conditions that exclude each other",
        """
decision outcome : { refer, approve }
  rule middle: if income > 4000 and income < 2000 then refer
  otherwise approve
""",
        """
decision outcome : { refer, approve }
  rule middle: if income > 2000 and income < 4000 then refer
  otherwise approve
""",
    ),
    explained(
        "DF0703",
        "a condition that is never, or always, true",
        """
decision outcome : { refer, approve }
  rule adults: if age >= 18 and income < 500 then refer
  otherwise approve
""",
        """
decision outcome : { refer, approve }
  rule adults: if income < 500 then refer
  otherwise approve
""",
    ),
    explained(
        "DF0704",
        "a threshold outside the domain",
        """
decision outcome : { refer, approve }
  rule old: if age > 150 then refer
  otherwise approve
""",
        """
decision outcome : { refer, approve }
  rule old: if age > 75 then refer
  otherwise approve
""",
    ),
    explained(
        "DF0705",
        "rules that overlap where only one may fire",
        """
decision band : { low, high }
  table unique
  | income   || band |
  | <= 2000  || low  |
  | >= 2000  || high |
""",
        """
decision band : { low, high }
  table unique
  | income   || band |
  | < 2000   || low  |
  | >= 2000  || high |
""",
    ),
    explained(
        "DF0706",
        "rows that no rule takes",
        """
decision band : { low, high }
  table unique
  | income       || band |
  | [0 .. 1999]  || low  |
  | >= 2000      || high |
""",
        """
decision band : { low, high }
  table unique
  | income       || band |
  | [0 .. 2000)  || low  |
  | >= 2000      || high |
""",
    ),
    explained(
        "DF0707",
        "a missing value that lets a row past a rule",
        """
feature score : number optional
decision outcome : { decline, approve }
  rule poor: if score < 500 then decline
  otherwise approve
""",
        """
feature score : number optional
decision outcome : { decline, approve }
  rule unknown: if score is missing then decline
  rule poor:    if score < 500 then decline
  otherwise approve
""",
    ),
    explained(
        "DF0708",
        "an outcome outside the decision's domain",
        """
decision limit : number [0 .. 20000]
  rule rich: if income > 9000 then 25000
  otherwise 500
""",
        """
decision limit : number [0 .. 25000]
  rule rich: if income > 9000 then 25000
  otherwise 500
""",
    ),
)
