"""Examples for messages about types (DF03xx)."""

from __future__ import annotations

from decisionflow.check.explanations.explained import explained

RECORD = """policy demo
feature income : number >= 0
"""

TYPES = (
    explained(
        "DF0301",
        "a value of another type than its place takes",
        "decision outcome : { yes, no }\n  rule any: if age then yes\n  otherwise no",
        "decision outcome : { yes, no }\n  rule any: if age > 21 then yes\n  otherwise no",
    ),
    explained(
        "DF0302",
        "a comparison of two values without a common type",
        'decision old : boolean = age >= "65"',
        "decision old : boolean = age >= 65",
    ),
    explained(
        "DF0303",
        "`<` or its like on values without an order",
        "decision active : boolean = employment < retired",
        "decision active : boolean = employment != retired",
    ),
    explained(
        "DF0304",
        "a function or operator of values that it does not take",
        "derived most = max(income, employment)",
        "derived most = max(income, 1000)",
    ),
    explained(
        "DF0305",
        "an `if` whose branches have different types",
        'derived fee = if age < 21 then 0 else "normal"',
        "derived fee = if age < 21 then 0 else 5",
    ),
    explained(
        "DF0306",
        "an interval that ends before it begins",
        "decision middle : boolean = age in [60 .. 40]",
        "decision middle : boolean = age in [40 .. 60]",
    ),
    explained(
        "DF0308",
        "a date or timestamp that does not exist",
        "feature opened : date >= 2025-02-29",
        "feature opened : date >= 2025-02-28",
    ),
    explained(
        "DF0309",
        "a number that does not fit",
        "decision huge : boolean = income > 99999999999999999999",
        "decision huge : boolean = income > 99999999999999999999.0",
    ),
    explained(
        "DF0310",
        "a length of time that cannot be",
        "feature opened : date\nderived due = opened + 1.5 months",
        "feature opened : date\nderived due = opened + 45 days",
    ),
    explained(
        "DF0311",
        "a record where one value is expected, or the other way round",
        "decision fee : number = ( low = 1, high = 2 )",
        "decision fee : ( low : number, high : number ) = ( low = 1, high = 2 )",
    ),
    explained(
        "DF0312",
        "a record without all of its parts",
        "decision offer : ( rate : number, limit : number ) = ( rate = 5%, rate = 6% )",
        "decision offer : ( rate : number, limit : number ) = ( rate = 5%, limit = 1000 )",
    ),
    explained(
        "DF0313",
        "a divisor that may be zero",
        "feature debt : number >= 0\nderived ratio = debt / income",
        "feature debt : number >= 0\nderived ratio = if income > 0 then debt / income else 1",
    ),
    explained(
        "DF0314",
        "`in` with a name that is no set",
        "parameter special = 30\ndecision lucky : boolean = age in special",
        "parameter special = { 30, 40 }\ndecision lucky : boolean = age in special",
    ),
)
