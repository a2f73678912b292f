"""Every message about the syntax of a policy: one function each, in one voice, for an analyst."""

from __future__ import annotations

from decisionflow.diagnostics import Diagnostic, Note
from decisionflow.source import Span


def unexpected(span: Span, found: str, expected: str, suggestion: str) -> Diagnostic:
    return Diagnostic("DF0101", span, f"expected {expected}, found {found}", suggestion)


def reserved_name(span: Span) -> Diagnostic:
    return Diagnostic(
        "DF0102",
        span,
        f"`{span.text}` is a word of the language, so it cannot stand as a name by itself",
        f"put it in backquotes: {_backquoted(span.text)}",
    )


def reserved_label(span: Span, or_name: bool) -> Diagnostic:
    also = f", or, if you mean a name, in backquotes: {_backquoted(span.text)}" if or_name else ""
    return Diagnostic(
        "DF0103",
        span,
        f"`{span.text}` is a word of the language, so it cannot stand as a label by itself",
        f'put the label in quotes: "{span.text}"{also}',
    )


def missing_then(span: Span) -> Diagnostic:
    return Diagnostic(
        "DF0104", span, f"expected `then` before the outcome, found `{span.text}`", f"write `then {span.text}`"
    )


def unknown_word(span: Span, expected: str, suggestion: str) -> Diagnostic:
    return Diagnostic("DF0105", span, f"expected {expected}, found the word `{span.text}`", suggestion)


def other_notation(span: Span, meant: str) -> Diagnostic:
    return Diagnostic("DF0106", span, f"`{span.text}` is not a sign of the language", f"write `{meant}`")


def decimal_comma(span: Span) -> Diagnostic:
    mended = "".join(span.text.split()).replace(",", ".")
    whole, _, rest = mended.partition(".")
    grouped = f", or `{whole}_{rest}` if the comma parts thousands" if len(rest) == 3 else ""
    return _wrong_point(span, f"is written with a point, found `{span.text}`", f"write `{mended}`{grouped}")


def many_points(span: Span) -> Diagnostic:
    return _wrong_point(span, f"has one point, found `{span.text}`", f"write `{span.text.replace('.', '_')}`")


def _wrong_point(span: Span, what: str, advice: str) -> Diagnostic:
    return Diagnostic("DF0107", span, f"a number {what}", advice)


def wrong_quotes(span: Span) -> Diagnostic:
    return Diagnostic(
        "DF0108",
        span,
        f"a text stands in straight double quotes, found {span.text[0]} … {span.text[-1]}",
        f'write "{span.text[1:-1]}"',
    )


def quote_not_closed(span: Span) -> Diagnostic:
    what, mark = ("name", "`") if span.text == "`" else ("text", '"')
    return Diagnostic(
        "DF0109",
        span,
        f"this {what} is not closed on its line",
        f"add {mark} where the {what} ends; {mark}{mark} is one inside",
    )


def bracket_not_closed(span: Span, closing: str, found: str) -> Diagnostic:
    return Diagnostic("DF0110", span, f"`{span.text}` is not closed before {found}", f"add `{closing}`")


def bracket_mismatch(span: Span, opening: Span, closing: str) -> Diagnostic:
    note = Note(opening, f"`{opening.text}` is opened here")
    return Diagnostic(
        "DF0111",
        span,
        f"expected {closing} to close `{opening.text}`, found `{span.text}`",
        f"write {closing}",
        (note,),
    )


def unknown_character(span: Span) -> Diagnostic:
    return Diagnostic(
        "DF0112",
        span,
        f"`{span.text}` has no meaning here",
        "remove it; a column name with such a character stands in backquotes, a label in quotes",
    )


def empty_cell(span: Span) -> Diagnostic:
    return Diagnostic(
        "DF0113",
        span,
        "this cell is empty: any value, a missing one, or one forgotten?",
        "write `-` for anything, missing included, or `missing`",
    )


def empty_outcome(span: Span) -> Diagnostic:
    return Diagnostic("DF0114", span, "this outcome is empty", "write the outcome's value, or remove the row")


def wrong_number_of_cells(span: Span, row: int, expected: tuple[int, int], found: tuple[int, int]) -> Diagnostic:
    return Diagnostic(
        "DF0115",
        span,
        f"row {row} has {_cells(found)}, the heads have {_cells(expected)}",
        "give each column a cell, `-` where anything goes, with `||` between conditions and outcomes",
    )


def table_without_outcome(span: Span) -> Diagnostic:
    return Diagnostic(
        "DF0116",
        span,
        "these heads name no outcome",
        "put `||` between the columns of conditions and those of outcomes",
    )


def minus_before_power(span: Span, power: str) -> Diagnostic:
    base, exponent = (part.strip() for part in power.split("^", 1))
    return Diagnostic(
        "DF0117",
        span,
        f"`-{power}` is read in two ways: spreadsheets take the minus first, mathematicians the power",
        f"write `-({power})` or `(-{base}) ^ {exponent}`",
    )


def power_of_power(span: Span, base: str, first: str, second: str) -> Diagnostic:
    return Diagnostic(
        "DF0118",
        span,
        "a power of a power is read in two ways: spreadsheets start at the left, mathematicians at the right",
        f"write `({base} ^ {first}) ^ {second}` or `{base} ^ ({first} ^ {second})`",
    )


def written_twice(span: Span, what: str, before: Span) -> Diagnostic:
    return Diagnostic(
        "DF0119", span, f"{what} is written twice", "keep one of the two", (Note(before, "it stands here already"),)
    )


def no_test(span: Span) -> Diagnostic:
    return Diagnostic(
        "DF0120",
        span,
        "a cell holds values, comparisons, intervals or `missing`, not a whole condition",
        "write only the test, such as `>= 18` or `[18 .. 65)`; a condition may be a head, with `true` in the cell",
    )


def no_outcome(span: Span) -> Diagnostic:
    return Diagnostic("DF0121", span, f"expected one value as outcome, found `{span.text}`", "write one value")


def wrong_head(span: Span) -> Diagnostic:
    return Diagnostic(
        "DF0122",
        span,
        f"expected a column's head, found `{span.text}`",
        "before `||` write a name or an expression, after it the decision's name or one of its parts",
    )


def missing_after_equals(span: Span, operator: str) -> Diagnostic:
    negated = operator == "!="
    return Diagnostic(
        "DF0123",
        span,
        "nothing is equal to a missing value, not even another one",
        f"write `is {'present' if negated else 'missing'}` instead of `{operator} missing`",
    )


def is_not(span: Span, word: str) -> Diagnostic:
    meant = "present" if word == "missing" else "missing"
    return Diagnostic("DF0124", span, f"`is not {word}` is not in the language", f"write `is {meant}`")


def number_without_zero(span: Span) -> Diagnostic:
    return Diagnostic("DF0125", span, f"a number starts with a digit, found `{span.text}`", f"write `0{span.text}`")


def number_too_large(span: Span) -> Diagnostic:
    return Diagnostic("DF0126", span, "this number is larger than any double-precision number", "write a smaller one")


def wrong_row_name(span: Span) -> Diagnostic:
    return Diagnostic("DF0127", span, f"expected the row's name, found `{span.text}`", "write a word, such as `R1`")


def percent_of_time(span: Span) -> Diagnostic:
    return Diagnostic("DF0128", span, "an amount of time cannot be a percentage", "write a plain number")


def count_not_whole(span: Span) -> Diagnostic:
    return Diagnostic("DF0129", span, "expected how many, a whole number", "write a number such as 2")


def policy_twice(span: Span, before: Span) -> Diagnostic:
    return Diagnostic(
        "DF0130", span, "a file has one policy", "remove this line", (Note(before, "the policy is named here"),)
    )


def policy_not_first(span: Span) -> Diagnostic:
    return Diagnostic("DF0131", span, "`policy` comes before every other declaration", "move it to the top")


def decimal_point(span: Span) -> Diagnostic:
    return Diagnostic(
        "DF0132", span, "this file's numbers have a decimal comma, found a point", "write a comma, no thousands mark"
    )


def other_date(span: Span) -> Diagnostic:
    return Diagnostic(
        "DF0133",
        span,
        f"a date is written year, month, day, found `{span.text}`",
        "write it like `2026-01-31`; a subtraction takes blanks around its `-`",
    )


def not_text(name: str, what: str) -> Diagnostic:
    return Diagnostic(
        "DF0140", None, f"{name} is not a text file in UTF-8: {what}", "save the policy as plain text, encoding UTF-8"
    )


def file_too_large(name: str, size: int, limit: int) -> Diagnostic:
    return Diagnostic(
        "DF0141",
        None,
        f"{name} has {size:,} bytes, more than the limit of {limit:,}",
        "split the policy with `use`, keep long tables in a CSV file, or set the limit anew",
    )


def nested_too_deep(span: Span, limit: int) -> Diagnostic:
    return Diagnostic(
        "DF0142",
        Span(span.source, span.start, span.start + 1),
        f"this expression nests more than {limit} levels",
        "give its inner parts names with `derived`",
    )


def expression_too_long(span: Span, limit: int) -> Diagnostic:
    return Diagnostic(
        "DF0143",
        Span(span.source, span.start, span.start + 1),
        f"this expression has {span.end - span.start:,} characters, more than the limit of {limit:,}",
        "give its parts names with `derived`, or use a table",
    )


def literal_too_long(span: Span, limit: int) -> Diagnostic:
    return Diagnostic(
        "DF0144",
        Span(span.source, span.start, span.start + 1),
        f"this word or literal has {span.end - span.start:,} characters, more than the limit of {limit:,}",
        "shorten it",
    )


def too_many_rows(span: Span, rows: int, limit: int) -> Diagnostic:
    return Diagnostic(
        "DF0145",
        Span(span.source, span.start, span.start + 1),
        f"this table has {rows:,} rows, more than the limit of {limit:,}",
        "split the table, or set the limit anew",
    )


def _cells(counts: tuple[int, int]) -> str:
    conditions, outcomes = counts
    return f"{_counted(conditions, 'condition')} and {_counted(outcomes, 'outcome')}"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")


def _backquoted(name: str) -> str:
    return f"`{name}`"
