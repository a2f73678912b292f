"""The canonical layout of a policy: what stands on which line.

Declarations of one kind stand together, their names padded to a column; a declaration of several lines stands apart.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from decisionflow.source import Span
from decisionflow.syntax import tree
from decisionflow.syntax.body_layout import body_lines, header_hit_policy
from decisionflow.syntax.lines import WIDEST, Line, broken, common_width, padded, width
from decisionflow.syntax.phrases import phrase
from decisionflow.syntax.spelling import code_text, declared_name, label_text, name_text, quoted
from decisionflow.syntax.tokens import code_end

ROW = re.compile(r"row [0-9]+")
ALONE = (tree.Model, tree.Decision, tree.ReasonTable, tree.Example)


def layout(declarations: Sequence[tree.Declaration]) -> list[Line]:
    """The lines of a whole policy."""
    lines: list[Line] = []
    for _, group in groupby(declarations, _kind):
        same = list(group)
        names = common_width(
            declared_name(item.name.name) for item in same if isinstance(item, tree.Feature | tree.Parameter)
        )
        for place, declaration in enumerate(same):
            first, *rest = LAYOUTS[type(declaration)](declaration, names)
            gap = bool(lines) and (place == 0 or isinstance(declaration, ALONE))
            lines += [replace(first, gap=gap), *rest]
    return lines


def _kind(declaration: tree.Declaration) -> type:
    """What it stands together with: files stand with files."""
    return tree.Use if isinstance(declaration, tree.Background) else type(declaration)


def _policy(node: tree.Policy, _names: int) -> Iterator[Line]:
    yield Line(f"policy {declared_name(node.name.name)}" + _described(node.title), 0, node.span)


def _use(node: tree.Use, _names: int) -> Iterator[Line]:
    yield Line(f"use {phrase(node.path)}", 0, node.span)


def _background(node: tree.Background, _names: int) -> Iterator[Line]:
    yield Line(f"background {phrase(node.path)}", 0, node.span)


def _feature(node: tree.Feature, names: int) -> Iterator[Line]:
    first = f"feature {padded(declared_name(node.name.name), names)} :"
    rest = _after_type(node.domain, *map(_option, node.options)) + _described(node.description)
    yield from _typed(first, node.type, rest, node.span)


def _typed(first: str, kind: tree.TypeNode, rest: str, span: Span) -> list[Line]:
    """A declaration with its type on one line, or the labels of its vocabulary on several."""
    whole = f"{first} {phrase(kind)}{rest}"
    if width(whole) <= WIDEST or not isinstance(kind, tree.VocabularyType):
        return [Line(whole, 0, span)]
    opening = first + (" ordered {" if kind.ordered else " {")
    labels = [label_text(label.text) for label in kind.labels]
    lines = broken(opening, labels, 0, span)
    return [*lines[:-1], replace(lines[-1], text=lines[-1].text + " }" + rest)]


def _option(node: tree.Option) -> str:
    if node.value is None:
        return node.words
    words = "sensitive keep" if node.words == "sensitive" else node.words
    return f"{words} {phrase(node.value)}"


def _parameter(node: tree.Parameter, names: int) -> Iterator[Line]:
    first = f"parameter {padded(declared_name(node.name.name), names)} ="
    rest = _after_type(node.domain) + _described(node.description)
    whole = f"{first} {phrase(node.value)}{rest}"
    if width(whole) <= WIDEST or not isinstance(node.value, tree.Set):
        yield Line(whole, 0, node.span)
        return
    lines = broken(f"{first} {{", list(map(phrase, node.value.members)), 0, node.span)
    yield from lines[:-1]
    yield replace(lines[-1], text=lines[-1].text + " }" + rest)


def _derived(node: tree.Derived, _names: int) -> Iterator[Line]:
    first = f"derived {declared_name(node.name.name)} ="
    yield Line(f"{first} {phrase(node.expression)}" + _described(node.description), 0, node.span)


def _model(node: tree.Model, _names: int) -> Iterator[Line]:
    start = f"model {declared_name(node.name.name)} :"
    head = _typed(start, node.type, _after_type(node.domain) + _described(node.description), node.span)
    uri = f"from {phrase(node.uri)}" if node.uri else ""
    inputs = [_input(item) for item in node.inputs]
    whole = " ".join([head[0].text, *([uri] if uri else []), *(["using " + ", ".join(inputs)] if inputs else [])])
    if len(head) == 1 and width(whole) <= WIDEST and not (node.description and (uri or inputs)):
        yield Line(whole, 0, node.span)
        return
    parts = [node.uri.span.start] if node.uri else [item.span.start for item in node.inputs[:1]]
    yield from (replace(line, span=_up_to(node.span, parts)) for line in head)
    if node.uri:
        yield Line(uri, 2, node.uri.span)
    if inputs:
        yield from broken("using", inputs, 2, node.inputs[0].span.to(node.inputs[-1].span))


def _up_to(span: Span, starts: Sequence[int]) -> Span:
    """The start of a span, up to the first of its parts that stands on a line of its own with the word before it."""
    inside = [start for start in starts if span.start < start < span.end]
    if not inside:
        return span
    word = code_end(span.source.text, span.start, inside[0])
    start = span.source.text.rfind(" ", span.start, word)
    return Span(span.source, span.start, code_end(span.source.text, span.start, max(start, span.start + 1)))


def _input(node: tree.Input) -> str:
    return name_text(node.name) + (f" as {quoted(node.column)}" if node.column is not None else "")


def _decision(node: tree.Decision, _names: int) -> Iterator[Line]:
    first = f"decision {declared_name(node.name.name)} :"
    direction = {None: "", True: "best first", False: "worst first"}[node.best_first]
    adverse = "adverse " + ", ".join(label_text(label.text) for label in node.adverse) if node.adverse else ""
    most = f"reasons at most {node.most_reasons.spelling}" if node.most_reasons else ""
    rest = _after_type(node.domain, direction, adverse, most, header_hit_policy(node)) + _described(node.description)
    head = _typed(first, node.type, rest, node.span)
    if isinstance(node.body, tree.Formula):
        formula = phrase(node.body.expression)
        if len(head) == 1 and width(f"{head[0].text} = {formula}") <= WIDEST:
            yield replace(head[0], text=f"{head[0].text} = {formula}")
            return
    own = Span(
        node.span.source, node.span.start, code_end(node.span.source.text, node.span.start, node.body.span.start)
    )
    yield from (replace(line, span=own) for line in head)
    yield from body_lines(node)


def _reasons(node: tree.ReasonTable, _names: int) -> Iterator[Line]:
    start = node.span.start
    yield Line("reasons", 0, Span(node.span.source, start, start + len("reasons")))
    features = [name_text(row.feature) for row in node.rows]
    names, codes = common_width(features), common_width(code_text(row.reason.code) for row in node.rows)
    for feature, row in zip(features, node.rows, strict=True):
        text = f"{padded(feature, names)} {row.effect} {padded(code_text(row.reason.code), codes)}"
        yield Line((text + _described(row.reason.text)).rstrip(), 2, row.span)


def _example(node: tree.Example, _names: int) -> Iterator[Line]:
    given = [f"{phrase(name)} = {'missing' if value is None else phrase(value)}" for name, value in node.given]
    expected = [_expectation(item) for item in node.expected]
    yield Line(f"test {phrase(node.name)}", 0, Span(node.span.source, node.span.start, node.name.span.end))
    if given:
        last = node.given[-1][1] or node.given[-1][0]
        yield from broken("given", given, 2, node.given[0][0].span.to(last.span))
    yield from broken("expect", expected, 2, node.expected[0].span.to(node.expected[-1].span))


def _expectation(node: tree.Expectation) -> str:
    if node.value is None:
        return f"{phrase(node.name)} {node.status}"
    by = ""
    if node.by is not None:
        by = f" by {_by(node.by)}"
    reason = f" reason {code_text(node.reason)}" if node.reason is not None else ""
    return f"{phrase(node.name)} = {phrase(node.value)}{by}{reason}"


def _by(rule: tree.Name | tree.Text) -> str:
    """A rule's name; `otherwise` and `row 2` stand as they are."""
    if isinstance(rule, tree.Text):
        return rule.value if ROW.fullmatch(rule.value) else phrase(rule)
    return "otherwise" if rule.name == "otherwise" and not rule.backquoted else phrase(rule)


def _after_type(domain: tree.Domain | None, *words: str) -> str:
    parts = [phrase(domain) if domain is not None else "", *words]
    return "".join(f" {part}" for part in parts if part)


def _described(description: str) -> str:
    return f" {quoted(description)}" if description else ""


LAYOUTS: dict[type, Callable[[Any, int], Iterator[Line]]] = {
    tree.Policy: _policy,
    tree.Use: _use,
    tree.Background: _background,
    tree.Feature: _feature,
    tree.Parameter: _parameter,
    tree.Derived: _derived,
    tree.Model: _model,
    tree.Decision: _decision,
    tree.ReasonTable: _reasons,
    tree.Example: _example,
}
