"""Typed conditions as a policy would say them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from decisionflow.conditions.expression import (
    Among,
    And,
    Apply,
    Bound,
    Choose,
    Compare,
    Constant,
    Count,
    Expression,
    IsMissing,
    Not,
    Or,
    Variable,
    Within,
)
from decisionflow.conditions.operators import CALLS, COMPARISON, INFIX, NEGATE
from decisionflow.conditions.values import MISSING
from decisionflow.syntax.restore import condition_text
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
    Type,
    Vocabulary,
)

JOBS = Vocabulary(("employed", "self employed", "IN"))
AGE, INCOME = Variable("age", INTEGER, True), Variable("Monthly Income", NUMBER, True)
JOB = Variable("job", JOBS, True)


def number(value: float) -> Constant:
    return Constant(value, NUMBER if isinstance(value, float) else INTEGER)


def label(text: str) -> Constant:
    return Constant(text, JOBS)


def compare(left: Expression, sign: str, right: Expression) -> Compare:
    return Compare(COMPARISON[sign], left, right)  # type: ignore[index]


def infix(left: Expression, sign: str, right: Expression) -> Apply:
    return Apply(INFIX[sign], (left, right), NUMBER)


YOUNG = compare(AGE, "<", number(21))
RICH = compare(INCOME, ">=", number(2500.5))


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (YOUNG, "age < 21"),
        (RICH, "`Monthly Income` >= 2500.5"),
        (compare(AGE, "<", number(21.0)), "age < 21"),
        (compare(AGE, ">", Constant(0.4, NUMBER, "max_dti")), "age > max_dti"),
        (compare(AGE, ">", number(-3)), "age > -3"),
        (compare(JOB, "=", label("employed")), "job = employed"),
        (compare(JOB, "=", label("self employed")), 'job = "self employed"'),
        (compare(JOB, "=", label("IN")), 'job = "IN"'),
        (Within(AGE, Bound(number(1), True), Bound(number(3), False)), "age in [1 .. 3)"),
        (Not(Within(AGE, Bound(number(1), True), Bound(number(3), True))), "age not in [1 .. 3]"),
        (Within(AGE, None, Bound(number(3), True)), "age <= 3"),
        (Within(AGE, Bound(number(3), False), None), "age > 3"),
        (Among(JOB, (label("employed"), label("IN"))), 'job in { employed, "IN" }'),
        (Not(Among(AGE, (number(1),), "blocked")), "age not in blocked"),
        (IsMissing(AGE), "age is missing"),
        (Not(IsMissing(AGE)), "age is present"),
        (And((YOUNG, And((RICH, Or((YOUNG, RICH)))))), f"age < 21 and {'`Monthly Income`'} >= 2500.5 and "
         "(age < 21 or `Monthly Income` >= 2500.5)"),
        (Or((And((YOUNG, RICH)), Not(YOUNG))), "age < 21 and `Monthly Income` >= 2500.5 or not age < 21"),
        (Not(And((YOUNG, RICH))), "not (age < 21 and `Monthly Income` >= 2500.5)"),
        (Count("at least", 2, (YOUNG, RICH)), "at least 2 of (age < 21, `Monthly Income` >= 2500.5)"),
        (infix(AGE, "-", infix(AGE, "-", AGE)), "age - (age - age)"),
        (infix(infix(AGE, "-", AGE), "-", AGE), "age - age - age"),
        (infix(infix(AGE, "+", AGE), "*", number(2.0)), "(age + age) * 2.0"),
        (Apply(NEGATE, (infix(AGE, "^", number(2)),), NUMBER), "-(age ^ 2)"),
        (infix(number(-2), "^", number(2)), "(-2) ^ 2"),
        (Apply(CALLS["min"], (AGE, number(5)), INTEGER), "min(age, 5)"),
        (infix(Choose(YOUNG, AGE, AGE, INTEGER), "+", AGE), "(if age < 21 then age else age) + age"),
        (Variable("offer", TEXT, part="rate"), "offer.rate"),
        (And(()), "true"),
    ],
)  # fmt: skip
def test_conditions(expression: Expression, text: str) -> None:
    assert condition_text(expression) == text


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (0.1, NUMBER, "0.1"),
        (1e22, NUMBER, "1e22"),
        (1e-5, NUMBER, "0.00001"),
        (9007199254740993, INTEGER, "9007199254740993"),
        (True, BOOLEAN, "true"),
        ('say "no"', TEXT, '"say ""no"""'),
        (date(2026, 11, 29), DATE, "2026-11-29"),
        (datetime(2026, 11, 29, 8, tzinfo=UTC), TIMESTAMP, "2026-11-29T08:00:00Z"),
        (timedelta(days=90), DURATION, "90 days"),
        (timedelta(hours=25), DURATION, "25 hours"),
        (timedelta(minutes=1), DURATION, "1 minute"),
        (timedelta(0), DURATION, "0 seconds"),
        (CalendarStep(18), CALENDAR, "18 months"),
        (CalendarStep(24), CALENDAR, "2 years"),
    ],
)
def test_literals(value: object, kind: Type, text: str) -> None:
    assert condition_text(Constant(value, kind)) == text


def test_a_label_that_is_a_declared_name_stands_in_quotes() -> None:
    assert condition_text(compare(JOB, "=", label("employed")), {"employed"}) == 'job = "employed"'


def test_a_missing_value_is_not_written() -> None:
    with pytest.raises(ValueError, match="a missing value"):
        condition_text(Constant(MISSING, NUMBER))
