"""Examples for messages about the reasons that a customer is told (DF044x)."""

from __future__ import annotations

from decisionflow.check.explanations.explained import explained

REASONS = (
    explained(
        "DF0440",
        "a reason for what is no feature",
        'derived young = age < 25\nreasons\n  young raises R01 "too young"',
        'derived young = age < 25\nreasons\n  age lowers R01 "too young"',
    ),
    explained(
        "DF0441",
        "two reasons for one feature in one direction",
        'reasons\n  income lowers R01 "income too low"\n  income lowers R02 "income not enough"',
        'reasons\n  income lowers R01 "income too low"\n  income raises R02 "income not plausible"',
    ),
    explained(
        "DF0442",
        "`lowers` for values without an order",
        'reasons\n  employment lowers R01 "kind of employment"',
        'reasons\n  employment raises R01 "kind of employment"',
    ),
    explained(
        "DF0443",
        "a number of reasons that says nothing",
        "decision outcome : { approve, decline } adverse decline reasons at most 0\n  otherwise approve",
        "decision outcome : { approve, decline } adverse decline reasons at most 4\n  otherwise approve",
    ),
)
