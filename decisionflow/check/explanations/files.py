"""Examples for messages about files and limits (DF06xx); what a file holds stands in comments."""

from __future__ import annotations

from decisionflow.check.explanations.explained import explained

DECIDED = """policy demo
feature ltv : number [0 .. 1]
decision rate : number
"""

FILES = (
    explained("DF0601", "a file that cannot be read", 'use "not_there.dflow"', 'use "shared.dflow"'),
    explained("DF0602", "a path outside the policy's folder", 'use "../secret.dflow"', 'use "shared.dflow"'),
    explained(
        "DF0603",
        "files that use each other",
        'use "circle.dflow"\n# circle.dflow says: use "demo.dflow"',
        'use "shared.dflow"\n# shared.dflow uses no other file',
    ),
    explained(
        "DF0606",
        "a table that is no text in UTF-8",
        '  table from "latin.csv"',
        '  table from "pricing.csv"',
        DECIDED,
    ),
    explained(
        "DF0609",
        "an XLSX file that is no workbook",
        '  table from "broken.xlsx"',
        '  table from "pricing.xlsx"',
        DECIDED,
    ),
    explained(
        "DF0610",
        "a table in a format that is not read",
        '  table from "pricing.ods"',
        '  table from "pricing.xlsx"',
        DECIDED,
    ),
)
