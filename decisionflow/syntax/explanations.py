"""A failing and a mended example for every code of `messages`, shown by `explain-error`."""

from __future__ import annotations

from decisionflow.diagnostics import Explanation

EXPLANATIONS: tuple[Explanation, ...] = (
    Explanation(
        "DF0101", "something else is expected here", "derived total = income +", "derived total = income + bonus"
    ),
    Explanation("DF0102", "a reserved word as a name", "feature rule : text", "feature `rule` : text"),
    Explanation(
        "DF0103",
        "a reserved word as a label",
        "feature country : { SE, NO, IN }",
        'feature country : { SE, NO, "IN" }',
    ),
    Explanation(
        "DF0104",
        "a rule without `then`",
        "decision offer : { yes, no }\n  rule minor: if age < 18 no",
        "decision offer : { yes, no }\n  rule minor: if age < 18 then no",
    ),
    Explanation("DF0105", "a word that cannot stand here", "featrue age : integer", "feature age : integer"),
    Explanation("DF0106", "a sign of another notation", "derived adult = age ≥ 18", "derived adult = age >= 18"),
    Explanation("DF0107", "a decimal comma", "parameter cutoff = 0,08", "parameter cutoff = 0.08"),
    Explanation("DF0108", "quotes that are not straight", "use “shared.dflow”", 'use "shared.dflow"'),
    Explanation("DF0109", "a quote that is not closed", 'use "shared.dflow', 'use "shared.dflow"'),
    Explanation(
        "DF0110", "a bracket that is not closed", "feature plan : { basic, gold", "feature plan : { basic, gold }"
    ),
    Explanation("DF0111", "a bracket closed by another", "derived total = (a + b] * 2", "derived total = (a + b) * 2"),
    Explanation("DF0112", "a character without meaning", "feature income € : number", "feature `income €` : number"),
    Explanation(
        "DF0113",
        "an empty cell",
        "decision limit : number\n  table\n  | age | income || limit |\n  | 18  |        || 500   |",
        "decision limit : number\n  table\n  | age | income || limit |\n  | 18  | -      || 500   |",
    ),
    Explanation(
        "DF0114",
        "an empty outcome",
        "decision limit : number\n  table\n  | age   || limit |\n  | >= 18 ||       |",
        "decision limit : number\n  table\n  | age   || limit |\n  | >= 18 || 500   |",
    ),
    Explanation(
        "DF0115",
        "a row with too many or too few cells",
        "decision limit : number\n  table\n  | age | income || limit |\n  | >= 18 || 500 |",
        "decision limit : number\n  table\n  | age | income || limit |\n  | >= 18 | - || 500 |",
    ),
    Explanation(
        "DF0116",
        "a table without outcomes",
        "decision limit : number\n  table\n  | age | limit |\n  | 18  | 500   |",
        "decision limit : number\n  table\n  | age || limit |\n  | 18  || 500   |",
    ),
    Explanation("DF0117", "a minus before a power", "derived x = -a ^ 2", "derived x = -(a ^ 2)"),
    Explanation("DF0118", "a power of a power", "derived x = a ^ b ^ c", "derived x = (a ^ b) ^ c"),
    Explanation(
        "DF0119",
        "a clause that is written twice",
        "feature age : integer optional optional",
        "feature age : integer optional",
    ),
    Explanation(
        "DF0120",
        "a whole condition in a cell",
        "decision limit : number\n  table\n  | age        || limit |\n  | age >= 18 || 500   |",
        "decision limit : number\n  table\n  | age   || limit |\n  | >= 18 || 500   |",
    ),
    Explanation(
        "DF0121",
        "an outcome that is no single value",
        "decision limit : number\n  table\n  | age   || limit    |\n  | >= 18 || 500, 600 |",
        "decision limit : number\n  table\n  | age   || limit |\n  | >= 18 || 500   |",
    ),
    Explanation(
        "DF0122",
        "a head that names no column",
        "decision limit : number\n  table\n  | >= 18 || limit |\n  | true  || 500   |",
        "decision limit : number\n  table\n  | age >= 18 || limit |\n  | true      || 500   |",
    ),
    Explanation(
        "DF0123",
        "a comparison with a missing value",
        "derived unknown = age = missing",
        "derived unknown = age is missing",
    ),
    Explanation("DF0124", "`is not missing`", "derived known = age is not missing", "derived known = age is present"),
    Explanation("DF0125", "a number without its zero", "parameter cutoff = .08", "parameter cutoff = 0.08"),
    Explanation("DF0126", "a number that is too large", "parameter top = 1e999", "parameter top = 1e300"),
    Explanation(
        "DF0127",
        "a row without a name of its own",
        "decision limit : number\n  table\n  | rule | age   || limit |\n  | -    | >= 18 || 500   |",
        "decision limit : number\n  table\n  | rule  | age   || limit |\n  | adult | >= 18 || 500   |",
    ),
    Explanation("DF0128", "a share of time", "derived end = opened + 50% days", "derived end = opened + 12 hours"),
    Explanation(
        "DF0129",
        "a count that is no whole number",
        "derived bad = at least 1.5 of (late, debt > 100)",
        "derived bad = at least 2 of (late, debt > 100)",
    ),
    Explanation("DF0130", "a second policy in a file", "policy a\npolicy b", "policy a"),
    Explanation(
        "DF0131", "a policy that is not first", "feature age : integer\npolicy a", "policy a\nfeature age : integer"
    ),
    Explanation(
        "DF0132",
        "a decimal point in a file with decimal commas",
        'decision rate : number\n  table from "rates.csv" decimal ","\n# rates.csv: <= 0.8; 7.5%',
        'decision rate : number\n  table from "rates.csv" decimal ","\n# rates.csv: <= 0,8; 7,5%',
    ),
    Explanation(
        "DF0133", "a date in another order", "derived late = due < 31.1.2026", "derived late = due < 2026-01-31"
    ),
    Explanation(
        "DF0140",
        "a file that is not text",
        "# saved by a word processor, or in an encoding other than UTF-8",
        "# saved as plain text, encoding UTF-8",
    ),
    Explanation(
        "DF0141", "a file that is too large", "# more than 8 MiB of rules in one file", 'use "rules_of_the_north.dflow"'
    ),
    Explanation(
        "DF0142",
        "an expression that is nested too deep",
        "derived x = ((((… 201 parentheses …))))",
        "derived inner = a + b\nderived x = inner * 2",
    ),
    Explanation(
        "DF0143",
        "an expression that is too long",
        "derived x = a + b + c … more than 100,000 characters",
        "derived part = a + b\nderived x = part + c",
    ),
    Explanation(
        "DF0144",
        "a word or literal that is too long",
        'feature age : integer "… more than 1,000 characters …"',
        'feature age : integer "in years"',
    ),
    Explanation(
        "DF0145",
        "a table with too many rows",
        "decision rate : number\n  table\n  | age || rate |\n  … more than 100,000 rows …",
        'decision rate : number\n  table from "rates.csv"',
    ),
)
