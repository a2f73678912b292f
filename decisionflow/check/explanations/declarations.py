"""Examples for messages about declarations (DF04xx)."""

from __future__ import annotations

from decisionflow.check.explanations.explained import explained

DECLARATIONS = (
    explained(
        "DF0401",
        "a file that does not name its policy",
        "feature age : integer",
        "policy demo\nfeature age : integer",
        "",
    ),
    explained(
        "DF0403",
        "two backgrounds",
        'background "last_year.csv"\nbackground "this_year.csv"',
        'background "this_year.csv"',
    ),
    explained(
        "DF0404",
        "a type that does not go here",
        "feature offer : ( rate : number, limit : number )",
        "feature rate : number\nfeature limit : number",
    ),
    explained(
        "DF0405", "a label or part listed twice", "feature plan : { basic, basic }", "feature plan : { basic, premium }"
    ),
    explained(
        "DF0406",
        "labels that differ only by case",
        "feature plan : { basic, Basic }",
        "feature plan : { basic, premium } any case",
    ),
    explained("DF0407", "a domain of values that have no size", "feature name : text [0 .. 9]", "feature name : text"),
    explained(
        "DF0408",
        "a domain that no value lies in",
        "feature score : number [100 .. 0]",
        "feature score : number [0 .. 100]",
    ),
    explained(
        "DF0409",
        "a computed value where a literal is needed",
        "feature limit : number [0 .. income]",
        "parameter most = 5000\nfeature limit : number [0 .. most]",
    ),
    explained("DF0411", "an option that does not suit the type", "feature name : text step 1", "feature name : text"),
    explained(
        "DF0412",
        "`optional` and `default` together",
        "feature usage : number optional default 0",
        "feature usage : number default 0",
    ),
    explained(
        "DF0413",
        "a default outside the domain",
        "feature usage : number >= 0 default -1",
        "feature usage : number >= 0 default 0",
    ),
    explained(
        "DF0414",
        "a step or `keep` that leads nowhere",
        "feature debt : number step 0",
        "feature debt : number step 0.01",
    ),
    explained(
        "DF0415",
        "a column without a header",
        'feature usage : number from column ""',
        'feature usage : number from column "Monthly Usage"',
    ),
    explained(
        "DF0416",
        "a time zone that does not exist",
        'feature taken : timestamp zone "Europe/Berln"',
        'feature taken : timestamp zone "Europe/Berlin"',
    ),
    explained(
        "DF0418",
        "a set of values of different types",
        'parameter codes = { 7, "8" }',
        'parameter codes = { "7", "8" }',
    ),
    explained(
        "DF0419",
        "a parameter made of another name",
        "parameter base = income",
        "derived base = income",
    ),
    explained(
        "DF0420",
        "a parameter outside its domain",
        "parameter max_dti = 140% [0 .. 1]",
        "parameter max_dti = 40% [0 .. 1]",
    ),
    explained("DF0422", "a type that no model gives", "model risk : date", "model risk : probability of bad"),
    explained(
        "DF0423",
        "a domain on a probability, score or label",
        "model risk : probability of bad [0 .. 0.5]",
        "model risk : probability of bad",
    ),
    explained(
        "DF0424",
        "a class that no model has",
        "model risk : probability of 2026-01-01",
        'model risk : probability of "2026-01-01"',
    ),
    explained(
        "DF0425",
        "two inputs for one column",
        "model risk : probability of bad using age, age",
        "model risk : probability of bad using age, income",
    ),
    explained(
        "DF0426",
        "a model that reads a parameter or a decision",
        "parameter base = 100\nmodel risk : probability of bad using base",
        "parameter base = 100\nderived start = base\nmodel risk : probability of bad using start",
    ),
    explained(
        "DF0428",
        "a hit policy without rules to choose between",
        "decision fee : number unique = 5",
        "decision fee : number = 5",
    ),
    explained(
        "DF0429",
        "a hit policy that does not suit the type",
        "decision group : { old, young } collect sum\n  rule old: if age > 60 then old",
        "decision group : { old, young } collect list\n  rule old: if age > 60 then old",
    ),
    explained(
        "DF0430",
        "`best first` or `adverse` on what has no labels",
        "decision fee : number best first = 5",
        "decision fee : number = 5",
    ),
    explained(
        "DF0431",
        "a companion list that falls back on a probability",
        "model risk : probability of bad\ndecision pays : { yes, no }\n"
        "  companion of risk\n  rule a: if age > 60 then yes",
        "model risk : probability of bad\ndecision pays : { yes, no }\n"
        "  companion of if risk < 0.5 then yes else no\n  rule a: if age > 60 then yes",
    ),
    explained(
        "DF0432",
        "a figure that is no share, or given twice",
        "model pays : { yes, no }\ndecision paying : { yes, no }\n  companion of pays\n"
        "  rule a: if age > 60 then yes stats (coverage 27)",
        "model pays : { yes, no }\ndecision paying : { yes, no }\n  companion of pays\n"
        "  rule a: if age > 60 then yes stats (coverage 27%)",
    ),
    explained(
        "DF0433",
        "two tests of one name",
        'decision fee : number = 5\ntest "a" expect fee = 5\ntest "a" expect fee = 5',
        'decision fee : number = 5\ntest "a" expect fee = 5\ntest "b" expect fee = 5',
    ),
    explained(
        "DF0434",
        "a value that a test gives twice",
        'decision adult : boolean = age > 21\ntest "a" given age = 30, age = 40 expect adult = true',
        'decision adult : boolean = age > 21\ntest "a" given age = 40 expect adult = true',
    ),
    explained(
        "DF0435",
        "a test that gives or expects what it cannot",
        'derived older = age + 1\ndecision adult : boolean = older > 21\ntest "a" given older = 30 expect adult = true',
        'derived older = age + 1\ndecision adult : boolean = older > 21\ntest "a" given age = 30 expect adult = true',
    ),
    explained(
        "DF0436",
        "a record of which a test gives some parts only",
        "decision offer : ( rate : number, limit : number ) = ( rate = 5%, limit = income )\n"
        "decision dear : boolean = offer.rate > 4%\n"
        'test "a" given offer.rate = 5% expect dear = true',
        "decision offer : ( rate : number, limit : number ) = ( rate = 5%, limit = income )\n"
        "decision dear : boolean = offer.rate > 4%\n"
        'test "a" given offer.rate = 5%, offer.limit = 100 expect dear = true',
    ),
)
