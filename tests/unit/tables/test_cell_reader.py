"""What one cell means for a declared type."""

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from declared import feature

from decisionflow.conditions.values import MISSING, Failure
from decisionflow.program.declarations import Domain
from decisionflow.tables.cell_reader import cell_reader, missing_value
from decisionflow.tables.notation import POINT, Notation
from decisionflow.types import BOOLEAN, DATE, INTEGER, NUMBER, TEXT, TIMESTAMP, Vocabulary

EVERY_TYPE = [NUMBER, INTEGER, BOOLEAN, TEXT, Vocabulary(("a",)), DATE, TIMESTAMP]
GERMAN = Notation(decimal=",", thousands=".")


def read(kind, cell, domain=None, notation=POINT, **options):
    return cell_reader(feature("x", kind, domain, **options), notation)(cell)


def reason(kind, cell, domain=None, **options):
    found = read(kind, cell, domain, **options)
    assert isinstance(found, Failure), found
    return found.reason


@pytest.mark.parametrize("kind", EVERY_TYPE, ids=str)
@pytest.mark.parametrize(
    "cell", [None, "", float("nan"), np.float32("nan"), pd.NA, pd.NaT, np.datetime64("NaT"), MISSING]
)
def test_missing_cells_are_missing_for_every_type(kind, cell):
    assert read(kind, cell) is MISSING


def test_blanks_are_missing_except_as_a_text_or_label():
    assert [read(kind, "  ") for kind in (NUMBER, INTEGER, BOOLEAN, DATE, TIMESTAMP)] == [MISSING] * 5
    assert read(TEXT, "  ") == "  "
    assert read(TEXT, "  ", trim=True) is MISSING
    assert read(Vocabulary(("a",)), " ", trim=True) is MISSING
    assert reason(Vocabulary(("a",)), " ") == 'x is " ", not one of a'


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1.0),
        (" -2.5e3\t", -2500.0),
        ("+3", 3.0),
        (".5", 0.5),
        ("5.", 5.0),
        ("40%", 0.4),
        ("7.1 %", 0.071),
        ("1e2%", 1.0),
        ("007", 7.0),
        ("1e-400", 0.0),
        ("0.1", 0.1),
    ],
)
def test_text_that_is_a_number(text, value):
    assert read(NUMBER, text) == value


@pytest.mark.parametrize(
    "text",
    ["1_000", "1,000", "inf", "nan", "NaN", "10 EUR", "0x10", "٣", "true", "1 000", "--1", "e5", ".", "%", "NA", "−1"],
)
def test_text_that_is_no_number(text):
    assert reason(NUMBER, text) == f'x is "{text}", not a number'


def test_numbers_of_other_kinds():
    assert read(NUMBER, np.float32(0.35)) == 0.35
    assert read(NUMBER, np.int8(3)) == 3.0
    assert read(NUMBER, Decimal("0.1")) == 0.1
    assert read(NUMBER, Decimal("NaN")) is MISSING
    assert reason(NUMBER, True) == "x is true, not a number"
    assert reason(NUMBER, float("-inf")) == "x is -inf, not a finite number"
    assert reason(NUMBER, 10**400).endswith("beyond what a double-precision number can hold")
    assert reason(NUMBER, "1e400").endswith("beyond what a double-precision number can hold")
    assert reason(NUMBER, [1]) == "x is [1], not a number"
    assert reason(NUMBER, date(2024, 1, 1)) == "x is 2024-01-01, not a number"


def test_a_decimal_comma_and_thousands():
    assert read(NUMBER, "1.234.567,5", notation=GERMAN) == 1234567.5
    assert read(NUMBER, "7,5 %", notation=GERMAN) == 0.075
    assert isinstance(read(NUMBER, "1.5", notation=GERMAN), Failure)
    assert read(INTEGER, "1.234", notation=GERMAN) == 1234


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("3", 3),
        ("3.0", 3),
        ("3e2", 300),
        ("-0", 0),
        ("509682941429859799", 509682941429859799),
        ("9223372036854775807", 2**63 - 1),
        (3.0, 3),
        (2.0**53, 2**53),
        (-(2**63), -(2**63)),
        (np.uint64(5), 5),
        (Decimal("9007199254740993"), 9007199254740993),
    ],
)
def test_integers(cell, value):
    found = read(INTEGER, cell)
    assert found == value
    assert type(found) is int


def test_what_is_no_integer():
    assert reason(INTEGER, "3.5") == 'x is "3.5", not a whole number'
    assert reason(INTEGER, 3.5) == "x is 3.5, not a whole number"
    assert reason(INTEGER, "abc") == 'x is "abc", not a whole number'
    assert reason(INTEGER, False) == "x is false, not a whole number"
    for cell in ("9223372036854775808", 2**63, "1e99999999999"):
        assert reason(INTEGER, cell).endswith("beyond what 64 bits can hold")
    assert "too large to be exact" in reason(INTEGER, 2.0**53 + 2)


def test_booleans_are_three_pairs_of_words():
    assert [read(BOOLEAN, cell) for cell in ("true", "YES", "1", True, 1, 1.0, np.True_)] == [True] * 7
    assert [read(BOOLEAN, cell) for cell in ("False", "no", "0", False, 0, 0.0, np.False_)] == [False] * 7
    for text in ("maybe", "N", "t", "on", "1.0", "2"):
        assert reason(BOOLEAN, text) == f'x is "{text}", not true or false'
    assert reason(BOOLEAN, 2) == "x is 2, not true or false"


def test_texts_keep_what_they_are():
    assert [read(TEXT, cell) for cell in ("007", "1_000", "12:30", "NA", "null")] == [
        "007",
        "1_000",
        "12:30",
        "NA",
        "null",
    ]
    assert read(TEXT, "Zu\u0308rich") == "Zürich"
    assert reason(TEXT, 7).startswith("x is 7, not a text: it is a number")
    assert reason(TEXT, "\ud800") == "x is not valid Unicode text"


def test_labels_are_exact_after_normal_form():
    city = Vocabulary(("Zürich", "Bern"))
    assert read(city, "Zu\u0308rich") == "Zürich"
    assert reason(city, "zürich") == 'x is "zürich", not one of Zürich, Bern; did you mean "Zürich"?'
    assert reason(city, "Bern ") == 'x is "Bern ", not one of Zürich, Bern; did you mean "Bern"?'
    assert read(city, "Bern ", trim=True) == "Bern"
    assert read(city, "ZÜRICH", any_case=True) == "Zürich"
    assert read(city, "Basel", others="Bern") == "Bern"
    assert read(city, None, others="Bern") is MISSING


def test_missing_markers_of_other_programs_are_labels():
    country = Vocabulary(("NA", "NO", "null", "nan"))
    assert [read(country, cell) for cell in ("NA", "NO", "null", "nan")] == ["NA", "NO", "null", "nan"]


def test_labels_that_look_like_numbers_or_booleans():
    assert [read(Vocabulary(("1", "2")), cell) for cell in (1, 1.0, "1", np.int64(2))] == ["1", "1", "1", "2"]
    assert read(Vocabulary(("0.5",)), 0.5) == "0.5"
    assert read(Vocabulary(("true", "false")), True) == "true"
    assert read(Vocabulary(("True", "False")), False) == "False"
    assert reason(Vocabulary(("yes", "no")), False) == "x is false, not one of yes, no"
    assert reason(Vocabulary(("01",)), 1).startswith("x is 1, not one of 01")


def test_labels_that_differ_by_case_only_are_not_confused():
    both = Vocabulary(("a", "A"))
    assert [read(both, text, any_case=True) for text in ("a", "A")] == ["a", "A"]


def test_dates():
    day = date(2024, 2, 29)
    assert [read(DATE, cell) for cell in ("2024-02-29", " 2024-02-29 ", day, datetime(2024, 2, 29))] == [day] * 4
    assert read(DATE, pd.Timestamp("2024-02-29")) == day
    assert read(DATE, np.datetime64("2024-02-29")) == day
    assert reason(DATE, datetime(2024, 2, 29, 12)) == "x is 2024-02-29T12:00:00, not a date: it has a time of day"
    for text in ("2023-02-29", "29.02.2024", "2024-2-9", "2024-02-29T00:00:00"):
        assert reason(DATE, text) == f'x is "{text}", not a date such as 2026-11-29'
    assert "not a date" in reason(DATE, 45000)


def test_timestamps_need_a_zone():
    instant = datetime(2024, 5, 1, 10, 0, 0, 250_000, tzinfo=UTC)
    assert read(TIMESTAMP, "2024-05-01T10:00:00.25Z") == instant
    assert read(TIMESTAMP, "2024-05-01T12:00:00.250000+02:00") == instant
    assert read(TIMESTAMP, instant.astimezone(timezone(timedelta(hours=5)))) == instant
    assert type(read(TIMESTAMP, pd.Timestamp(instant))) is datetime
    assert "without a zone" in reason(TIMESTAMP, "2024-05-01T10:00:00")
    assert "without a zone" in reason(TIMESTAMP, datetime(2024, 5, 1))
    assert "finer than a microsecond" in reason(TIMESTAMP, pd.Timestamp("2024-05-01T10:00:00.000000001Z"))
    for text in (
        "2024-05-01",
        "2024-05-01 10:00:00Z",
        "2024-05-01T10:00Z",
        "2024-05-01T10:00:60Z",
        "2024-05-01T10:00:00+0100",
    ):
        assert "not a timestamp" in reason(TIMESTAMP, text)


def test_local_times_of_a_declared_zone():
    berlin = {"zone": "Europe/Berlin"}
    assert read(TIMESTAMP, "2024-05-01T10:00:00", **berlin) == datetime(2024, 5, 1, 8, tzinfo=UTC)
    assert read(TIMESTAMP, "2024-05-01T10:00:00Z", **berlin) == datetime(2024, 5, 1, 10, tzinfo=UTC)
    assert read(TIMESTAMP, datetime(2024, 1, 1), **berlin) == datetime(2023, 12, 31, 23, tzinfo=UTC)
    assert "skips" in reason(TIMESTAMP, "2024-03-31T02:30:00", **berlin)
    assert "repeats" in reason(TIMESTAMP, "2024-10-27T02:30:00", **berlin)
    assert read(TIMESTAMP, "2024-10-27T02:30:00+01:00", **berlin) == datetime(2024, 10, 27, 1, 30, tzinfo=UTC)


def test_domains_are_exact():
    ratio = Domain(0.0, 1.0)
    assert read(NUMBER, "1", ratio) == 1.0
    assert reason(NUMBER, 80, ratio) == "x is 80, outside [0 .. 1]; was a percentage meant?"
    assert reason(NUMBER, 800, ratio) == "x is 800, outside [0 .. 1]"
    assert (
        reason(NUMBER, 1.0000000000000002, ratio)
        == "x is 1.0000000000000002, outside [0 .. 1]; was a percentage meant?"
    )
    assert reason(INTEGER, 17, Domain(18, 120)) == "x is 17, outside [18 .. 120]"
    assert reason(INTEGER, 18, Domain(18, None, low_closed=False)) == "x is 18, outside > 18"
    assert reason(DATE, "1999-12-31", Domain(date(2000, 1, 1), None)) == "x is 1999-12-31, outside >= 2000-01-01"


def test_sensitive_values_are_masked():
    assert reason(NUMBER, "12345 EUR", sensitive=True, kept=3) == 'x is "***EUR", not a number'
    assert reason(NUMBER, 80, Domain(0.0, 1.0), sensitive=True) == "x is ***, outside [0 .. 1]"
    assert reason(Vocabulary(("Bern",)), "bern", sensitive=True) == 'x is "***", not one of Bern'


def test_what_stands_for_a_missing_cell():
    assert missing_value(feature("x", NUMBER, optional=True)) is MISSING
    assert missing_value(feature("x", NUMBER, default=2.0)) == 2.0
    assert missing_value(feature("x", BOOLEAN, default=False)) is False
    assert missing_value(feature("x", NUMBER)) == Failure("x is missing")
