"""What a sound policy becomes: typed conditions, rules, tables, models, tests."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from decisionflow.conditions.expression import (
    TRUE,
    Among,
    And,
    Apply,
    Choose,
    Compare,
    Constant,
    IsMissing,
    MakeRecord,
    Not,
    Or,
    Variable,
    Within,
    is_written,
)
from decisionflow.conditions.values import MISSING
from decisionflow.program.cases import Expectation
from decisionflow.program.declarations import Change, CompanionList, Domain, Formula, Reason, RuleList
from decisionflow.types import (
    BOOLEAN,
    CALENDAR,
    DATE,
    DURATION,
    INTEGER,
    NUMBER,
    TEXT,
    TIMESTAMP,
    CalendarStep,
    ListOf,
    ModelOutput,
    Record,
    Vocabulary,
)

from .policies import program_of

FEATURES = """
feature age : integer [18 .. 120]
feature income : number >= 0
feature employment : { employed, student, "on leave" }
feature level : ordered { low, mid, high }
feature active : boolean
feature name : text
feature opened : date optional
feature seen : timestamp zone "Europe/Berlin"
"""


def formula(expression: str, kind: str = "boolean", more: str = "") -> object:
    """The typed expression of a decision `d : KIND = EXPRESSION`."""
    body = program_of(f"{FEATURES}{more}\ndecision d : {kind} = {expression}").decisions["d"].body
    assert isinstance(body, Formula)
    return body.expression


def test_features_keep_domain_reading_and_what_may_change() -> None:
    program = program_of("""
feature debt : number (0 .. 5] default 2 decreasing never step 0.5
  from column "Total Debt" sensitive keep 2 "what is owed"
feature plan : { a, b } trim any case others as b optional immutable
""")
    debt, plan = program.features["debt"], program.features["plan"]
    assert (debt.domain, debt.default, debt.kept, debt.sensitive) == (Domain(0.0, 5.0, False, True), 2.0, 2, True)
    assert (debt.reading.column, debt.description) == ("Total Debt", "what is owed")
    assert debt.change == Change(may_decrease=False, step=0.5)
    assert (plan.reading.trim, plan.reading.any_case, plan.reading.others) == (True, True, "b")
    assert plan.optional and plan.change.immutable and plan.type == Vocabulary(("a", "b"))


def test_bare_words_are_labels_where_a_vocabulary_is_expected() -> None:
    found = formula('employment = student or employment = "on leave" or student != employment')
    assert isinstance(found, Or)
    assert [part.right.value for part in found.parts[:2]] == ["student", "on leave"]  # type: ignore[union-attr]
    assert found.parts[2].left.value == "student"  # type: ignore[union-attr]


def test_backquotes_always_name_a_declaration() -> None:
    found = formula("employment = `student`", more='feature student : { employed, student, "on leave" }')
    assert isinstance(found, Compare)
    assert isinstance(found.right, Variable)


def test_chains_and_intervals() -> None:
    found = formula("18 <= age < 65 and level in [low .. high) and income not in (0 .. 1]")
    assert isinstance(found, And)
    chain, within, outside = found.parts
    assert isinstance(chain, And) and isinstance(within, Within) and isinstance(outside, Not)
    assert [part.comparison.spelling for part in chain.parts] == ["<=", "<"]  # type: ignore[union-attr]
    assert (within.low.closed, within.high.closed) == (True, False)  # type: ignore[union-attr]


def test_integer_literals_stand_for_numbers() -> None:
    compared = formula("income > 1000")
    assert isinstance(compared, Compare)
    assert compared.right == Constant(1000.0, NUMBER)
    assert formula("if active then 1 else 2.5", "number").type == NUMBER  # type: ignore[attr-defined]
    assert formula("age + 1", "integer").type == INTEGER  # type: ignore[attr-defined]
    assert formula("age / 2", "number").type == NUMBER  # type: ignore[attr-defined]


def test_what_is_written_compares_without_tolerance() -> None:
    policy = "parameter cut = -0.5\nmodel risk : number\nderived twice = income * 2"
    for expression, written in {
        "income > -0.5": True,
        "income > cut": True,
        "income > (-(0.5))": True,
        "income > -cut": False,
        "risk > 0.5": False,
        "twice > 0.5": False,
        "today > 2026-01-01": True,
    }.items():
        found = formula(expression, more=policy)
        assert isinstance(found, Compare)
        assert (is_written(found.left) and is_written(found.right)) is written, expression


def test_parameters_and_sets_are_constants_with_their_name() -> None:
    more = 'parameter cut = 40% [0 .. 1]\nparameter home = { employed, "on leave" }\nparameter codes = { "007", x }'
    compared = formula("income > cut", more=more)
    assert isinstance(compared, Compare)
    assert compared.right == Constant(0.4, NUMBER, "cut")
    among = formula("employment in home and name in codes", more=more)
    assert isinstance(among, And)
    labels, texts = among.parts
    assert isinstance(labels, Among) and isinstance(texts, Among)
    assert [choice.value for choice in labels.choices] == ["employed", "on leave"]  # type: ignore[union-attr]
    assert labels.choices[0].type == Vocabulary(("employed", "student", "on leave")) and labels.name == "home"
    assert texts.choices == (Constant("007", TEXT), Constant("x", TEXT))


def test_dates_durations_and_steps() -> None:
    assert formula("opened + 1 month", "date").arguments[1] == Constant(CalendarStep(1), CALENDAR)  # type: ignore[attr-defined]
    later = formula("seen - 2026-11-29T08:00:00+01:00 > 1.5 hours")
    assert isinstance(later, Compare)
    assert later.left.arguments[1] == Constant(datetime(2026, 11, 29, 7, tzinfo=UTC), TIMESTAMP)  # type: ignore[union-attr]
    assert later.right == Constant(timedelta(minutes=90), DURATION)
    age = formula("years(opened, today) >= 18")
    assert isinstance(age, Compare)
    assert age.left.arguments[1] == Variable("today", DATE, written=True)  # type: ignore[union-attr]


def test_choices_counts_presence_and_text_functions() -> None:
    found = formula(
        'at least 2 of (active, opened is present, lower(trim(name)) starts with "mr", if active then true else false)'
    )
    presence, starts, choice = found.parts[1:]  # type: ignore[attr-defined]
    assert presence == Not(IsMissing(Variable("opened", DATE, True)))
    assert isinstance(starts, Apply) and starts.function.spelling == "starts with"
    assert isinstance(choice, Choose) and choice.type == BOOLEAN


def test_a_table_becomes_rules() -> None:
    program = program_of(f"""{FEATURES}
decision offer : ( rate : number [0 .. 1], cap : integer )
  table unique
  | row | age       | employment            | opened       || cap | rate |
  | A   | < 21      | student               | -            || 5   | 5%   | reason R1 "young"
  |  B  | [21 .. 30), > 60 | not employed, student | missing || 6   | income / 100000 |
  | "c d" | -       | -                     | -            || 7   | 0    |
  otherwise ( cap = 1, rate = 0 )
""")
    offer = program.decisions["offer"]
    body = offer.body
    assert isinstance(body, RuleList)
    assert body.is_table and body.hit_policy == "unique" and body.otherwise is not None
    first, second, third = body.rules
    assert (first.name, second.name, third.name) == ("A", "B", "c d")
    assert first.reason == Reason("R1", "young")
    assert first.outcome == MakeRecord((("rate", Constant(0.05, NUMBER)), ("cap", Constant(5, INTEGER))), offer.type)  # type: ignore[arg-type]
    bands, words, missing = second.condition.parts  # type: ignore[union-attr]
    assert isinstance(bands, Or) and isinstance(words, Not) and isinstance(words.part, Among)
    assert missing == IsMissing(Variable("opened", DATE, True))
    assert third.condition is TRUE
    assert dict(offer.part_domains) == {"rate": Domain(0.0, 1.0)}


def test_unnamed_rules_and_rows_are_counted() -> None:
    program = program_of(f"""{FEATURES}
decision a : boolean
  rule if active then true
  rule if age > 30 then false
decision b : boolean
  table
  | age  || b    |
  | > 30 || true |
  | -    || false |
""")
    assert [rule.name for rule in program.decisions["a"].rules] == ["rule 1", "rule 2"]
    assert [rule.name for rule in program.decisions["b"].rules] == ["row 1", "row 2"]


def test_what_a_collecting_decision_holds() -> None:
    program = program_of(f"""{FEATURES}
decision listed : number collect
  rule a: if active then 1
decision counted : {{ x, y }} collect count
  rule a: if active then x
decision summed : number collect sum
  rule a: if active then 1
derived more = counted + 1
derived total = summed + counted
""")
    assert program.decisions["listed"].held == ListOf(NUMBER)
    assert program.decisions["counted"].held == INTEGER
    assert program.decisions["summed"].held == NUMBER
    assert program.derived["more"].type == INTEGER and program.derived["total"].type == NUMBER


def test_records_are_read_by_part() -> None:
    program = program_of(f"""{FEATURES}
decision offer : ( rate : number, cap : integer )
  rule a: if active then ( cap = 5, rate = 1 )
  otherwise ( rate = 5%, cap = age )
decision dear : boolean = offer.rate > 4% and offer.cap < 3
""")
    assert program.decisions["offer"].type == Record((("rate", NUMBER), ("cap", INTEGER)))
    assert program.reads["dear"] == ("offer",)


def test_models_and_companions() -> None:
    program = program_of(f"""{FEATURES}
model risk : probability of bad "risk" from "mlflow:/risk" using age, income as "Gross income"
model margin : score of 1
model forest : {{ yes, no }}
decision pays : {{ yes, no }}
  companion of forest
    rule r1: if age > 30 then no stats (coverage 27.1%, black_box 77.9%)
decision paying : {{ yes, no }}
  companion of if risk >= 0.5 then yes else no
""")
    risk, margin, forest = program.models.values()
    assert risk.output == ModelOutput("probability", "bad") and risk.domain == Domain(0.0, 1.0)
    assert risk.inputs == (("age", "age"), ("income", "Gross income")) and risk.uri == "mlflow:/risk"
    assert margin.output == ModelOutput("score", 1) and margin.domain is None
    assert forest.output == ModelOutput("label") and forest.type == Vocabulary(("yes", "no"))
    pays, paying = program.decisions["pays"].body, program.decisions["paying"].body
    assert isinstance(pays, CompanionList) and isinstance(paying, CompanionList)
    assert (pays.fallback_name, paying.fallback_name) == ("forest", "risk")
    assert dict(pays.rules[0].stats) == {"coverage": 0.271, "black_box": 0.779}


def test_tests_are_typed_cases() -> None:
    program = program_of(f"""{FEATURES}
model risk : probability of bad using age
decision offer : ( rate : number, cap : integer )
  rule cheap: if risk < 0.1 then ( rate = 1, cap = 2 ) reason R1 "cheap"
decision dear : boolean = offer.rate > 4%
test "one" given age = 19, opened = missing, income = 5, risk = 0.05, today = 2026-01-01, employment = student
  expect offer.rate = 1 by cheap reason R1, dear undecided
test "two" given offer.rate = 1, offer.cap = 2 expect dear = false
""")
    one, two = program.cases
    assert dict(one.given) == {
        "age": 19,
        "opened": MISSING,
        "income": 5.0,
        "risk": 0.05,
        "today": date(2026, 1, 1),
        "employment": "student",
    }
    assert one.expected == (
        Expectation("offer", "decided", 1.0, "rate", "cheap", "R1"),
        Expectation("dear", "undecided"),
    )
    assert dict(two.given) == {"offer": {"rate": 1.0, "cap": 2}}


def test_a_text_is_never_read_as_a_label_elsewhere() -> None:
    assert formula('name = "student"').right == Constant("student", TEXT)  # type: ignore[attr-defined]
