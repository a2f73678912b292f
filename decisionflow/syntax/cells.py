"""One cell of a table that is kept in a CSV or XLSX file.

A cell reads as in a policy, but labels and texts need no quotes, and a number may have the file's decimal comma.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from decisionflow.diagnostics import Diagnostic
from decisionflow.source import Source, Span
from decisionflow.syntax import messages, tree
from decisionflow.syntax.limits import LIMITS, Limits
from decisionflow.syntax.nodes.building import Building
from decisionflow.syntax.nodes.rows import input_cell, outcome_cell
from decisionflow.syntax.parse import Reading

Found = TypeVar("Found")
_QUOTED = re.compile(r'"((?:[^"]|"")*)"')
_PIECE = re.compile(r'(?:"[^"]*"|[^,"]|")+')
_COMPARISON = re.compile(r"(<=|>=|!=|<|>|=)\s*(.+)", re.DOTALL)
_NOT = re.compile(r"not\s+", re.IGNORECASE)


def parse_cell(
    source: Source, decimal: str = ".", labels: bool = False, limits: Limits = LIMITS
) -> tree.Cell | Sequence[Diagnostic]:
    """A condition's cell, or its mistakes; `labels` where the column's values are labels or texts.

    Then every test stands for the text that it is, `-`, `missing`, comparisons and intervals excepted; commas part the
    tests, so that a label with a comma, or one that is `missing`, takes quotes.
    """
    if not source.text.strip():
        return (messages.empty_cell(_whole(source)),)
    if source.text.strip() == "-":
        return tree.AnyValue(_whole(source))
    if labels:
        return _tests_of_labels(source)
    return _read(source, decimal, limits, input_cell)


def parse_outcome(
    source: Source, decimal: str = ".", labels: bool = False, limits: Limits = LIMITS
) -> tree.Expression | Sequence[Diagnostic]:
    """An outcome's cell, or its mistakes; with `labels` the whole cell is one label or text."""
    if not source.text.strip():
        return (messages.empty_outcome(_whole(source)),)
    if labels and source.text.strip() != "-":
        return _text(_stripped(source, 0, len(source.text)))
    return _read(source, decimal, limits, outcome_cell)


def _read(source: Source, decimal: str, limits: Limits, convert: Callable[[Building, Any], Found]) -> Any:
    text = source.text
    if decimal == ",":
        point = re.search(r"\d\.\d", text)
        if point:
            return (messages.decimal_point(Span(source, point.start() + 1, point.end() - 1)),)
        text = re.sub(r"(?<=\d),(?=\d)", ".", text)
    reading = Reading(source, limits, "cell", text)
    cell = None if reading.diagnostics else convert(reading.build, reading.value)
    return reading.diagnostics or cell


def _tests_of_labels(source: Source) -> tree.Tests:
    start = len(source.text) - len(source.text.lstrip())
    negation = _NOT.match(source.text, start)
    start = negation.end() if negation else start
    return tree.Tests(tuple(map(_label_test, _pieces(source, start))), negation is not None, _whole(source))


def _pieces(source: Source, start: int) -> Iterator[Span]:
    for found in _PIECE.finditer(source.text, start):
        if found.group().strip():
            yield _stripped(source, found.start(), found.end())


def _label_test(span: Span) -> tree.Test:
    if span.text.lower() == "missing":
        return tree.CellMissing(span)
    if comparison := _COMPARISON.fullmatch(span.text):
        return tree.CellComparison(comparison[1], _text(_inside(span, comparison, 2)), span)
    if span.text[0] in "[(" and span.text[-1] in "])" and ".." in span.text:
        return _label_range(span)
    return _text(span)


def _label_range(span: Span) -> tree.Range:
    dots = span.start + span.text.index("..")
    low = _text(_stripped(span.source, span.start + 1, dots))
    high = _text(_stripped(span.source, dots + 2, span.end - 1))
    return tree.Range(tree.End(low, span.text[0] == "["), tree.End(high, span.text[-1] == "]"), span)


def _text(span: Span) -> tree.Text:
    quoted = _QUOTED.fullmatch(span.text)
    text = quoted[1].replace('""', '"') if quoted else span.text
    return tree.Text(unicodedata.normalize("NFC", text), span)


def _inside(span: Span, found: re.Match[str], group: int) -> Span:
    return Span(span.source, span.start + found.start(group), span.start + found.end(group))


def _stripped(source: Source, start: int, end: int) -> Span:
    text = source.text[start:end]
    return Span(source, start + len(text) - len(text.lstrip()), end - len(text) + len(text.rstrip()))


def _whole(source: Source) -> Span:
    return Span(source, 0, len(source.text))
