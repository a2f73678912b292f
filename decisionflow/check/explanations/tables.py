"""Examples for messages about decision tables (DF05xx); what a table's file holds stands in comments."""

from __future__ import annotations

from decisionflow.check.explanations.explained import explained
from decisionflow.diagnostics import Explanation

PRICING = """policy demo
feature ltv : number [0 .. 1]
decision rate : number
"""


def _from_file(code: str, title: str, failing: str, mended: str) -> Explanation:
    return explained(code, title, failing, mended, PRICING)


_FIRST = "# pricing.csv:  ltv,rate\n#               < 80%,7.5%\n#               >= 80%,9%\n"
_WELL = '  table from "pricing.csv"\n' + _FIRST

TABLES = (
    _from_file(
        "DF0501",
        "an empty condition cell",
        '  table from "empty_cell.csv"\n# empty_cell.csv:  ltv,rate\n#                  < 80%,7.5%\n'
        "#                  ,9%",
        _WELL,
    ),
    _from_file(
        "DF0502",
        "an empty outcome cell",
        '  table from "empty_outcome.csv"\n# empty_outcome.csv:  ltv,rate\n#                     < 80%,7.5%\n'
        "#                     >= 80%,",
        _WELL,
    ),
    _from_file(
        "DF0503",
        "an output column that is not the decision's",
        "  table\n  | ltv || rates |\n  | -   || 5%    |",
        "  table\n  | ltv || rate |\n  | -   || 5%   |",
    ),
    explained(
        "DF0504",
        "a table without a column for all that it decides",
        "decision offer : ( rate : number, limit : number )\n  table\n  | age || rate |\n  | -   || 5%   |",
        "decision offer : ( rate : number, limit : number )\n  table\n"
        "  | age || rate | limit |\n  | -   || 5%   | 1000  |",
    ),
    _from_file(
        "DF0505", "a table without rows", "  table\n  | ltv || rate |", "  table\n  | ltv || rate |\n  | -   || 5% |"
    ),
    _from_file(
        "DF0506",
        "merged cells",
        '  table from "merged.xlsx"\n# in merged.xlsx, the cells A2 and A3 are merged into one',
        '  table from "pricing.xlsx"\n# in pricing.xlsx, A2 holds `< 80%` and A3 `>= 80%`',
    ),
    _from_file(
        "DF0507",
        "a sheet that is not there, or no word on which of several to read",
        '  table from "sheets.xlsx"\n# sheets.xlsx has the sheets Q2 and Q3',
        '  table from "sheets.xlsx" sheet "Q3"\n# sheets.xlsx has the sheets Q2 and Q3',
    ),
    _from_file(
        "DF0508",
        "a table file without an output column",
        '  table from "semicolons.csv"\n# semicolons.csv:  ltv;rate\n#                  -;7.5%',
        '  table from "semicolons.csv" delimiter ";"\n# semicolons.csv:  ltv;rate\n#                  -;7.5%',
    ),
    _from_file(
        "DF0509",
        "a column without a head, or two with the same",
        '  table from "heads.csv"\n# heads.csv:  ltv,,rate\n#             -,-,7.5%',
        _WELL,
    ),
    _from_file(
        "DF0510",
        "a row with more or fewer cells than heads",
        '  table from "cells.csv"\n# cells.csv:  ltv,rate\n#             [0, 0.8],7.5%',
        '  table from "quoted.csv"\n# quoted.csv:  ltv,rate\n#              "[0 .. 0.8]",7.5%\n#              > 0.8,9%',
    ),
    _from_file(
        "DF0511",
        "an option that the table's file does not take",
        '  table from "pricing.csv" sheet "Q3"\n' + _FIRST,
        _WELL,
    ),
    _from_file(
        "DF0512",
        "a spreadsheet's value that is no value of a policy",
        '  table from "time.xlsx"\n# in time.xlsx, A2 holds a time of day',
        '  table from "pricing.xlsx"\n# in pricing.xlsx, A2 holds `< 80%`',
    ),
    _from_file(
        "DF0513",
        "quotes that do not end",
        '  table from "quotes.csv"\n# quotes.csv:  ltv,rate\n#              "< 80%,7.5%',
        _WELL,
    ),
)
