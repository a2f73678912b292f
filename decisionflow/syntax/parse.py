"""Text to tree, or to every mistake in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from decisionflow.diagnostics import Diagnostic
from decisionflow.source import Source, Span
from decisionflow.syntax import messages, tree
from decisionflow.syntax.automaton import Automaton
from decisionflow.syntax.grammar import tables
from decisionflow.syntax.limits import LIMITS, Limits
from decisionflow.syntax.mistakes import mend
from decisionflow.syntax.nodes.building import Building, Make
from decisionflow.syntax.nodes.decisions import DECISIONS
from decisionflow.syntax.nodes.declarations import DECLARATIONS
from decisionflow.syntax.nodes.expressions import EXPRESSIONS, NESTED
from decisionflow.syntax.nodes.rows import ROWS
from decisionflow.syntax.tables import Production
from decisionflow.syntax.tokens import tokenize

ACTIONS: dict[str, Make] = {**DECLARATIONS, **DECISIONS, **ROWS, **EXPRESSIONS}


def parse(source: Source, limits: Limits = LIMITS) -> tree.File | Sequence[Diagnostic]:
    """The tree of a policy's text, or its mistakes in the order of their places, as many as can be told apart."""
    refused = _refused(source, limits)
    if refused is not None:
        return (refused,)
    reading = Reading(source, limits, "start")
    if reading.diagnostics:
        return reading.diagnostics
    return tree.File(source, reading.value, reading.comments)


def parse_expression(source: Source, limits: Limits = LIMITS) -> tree.Expression | Sequence[Diagnostic]:
    """The tree of one expression that stands by itself, or its mistakes."""
    reading = Reading(source, limits, "expression")
    return reading.diagnostics or cast(tree.Expression, reading.value)


def decode(name: str, data: bytes, limits: Limits = LIMITS) -> Source | Diagnostic:
    """The text of a policy file: UTF-8, with or without a byte-order mark."""
    if len(data) > limits.file_bytes:
        return messages.file_too_large(name, len(data), limits.file_bytes)
    if b"\0" in data:
        return messages.not_text(name, f"byte {data.index(0) + 1:,} is zero")
    try:
        return Source(name, data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        return messages.not_text(name, f"byte {error.start + 1:,} is no part of a character")


def _refused(source: Source, limits: Limits) -> Diagnostic | None:
    size = len(source.text) if source.text.isascii() else len(source.text.encode("utf-8", "surrogatepass"))
    if size > limits.file_bytes:
        return messages.file_too_large(source.name, size, limits.file_bytes)
    if "\0" in source.text:
        return messages.not_text(source.name, f"character {source.text.index(chr(0)) + 1:,} is zero")
    return None


class Reading:
    """One pass over a source; `start` is the rule of the grammar that it should follow.

    `text`, of the same length, is read instead of the source's own where that is given.
    """

    def __init__(self, source: Source, limits: Limits, start: str, text: str | None = None) -> None:
        found = tokenize(source, limits, text)
        self.comments = found.comments
        self.build = Building(source, limits, list(found.diagnostics), strange=found.strange)
        self._depths: dict[int, int] = {}
        self._too_long: Span | None = None
        self._too_deep = False
        self.value: Any = None
        if found.is_cut:
            return
        automaton = Automaton(tables(), found.tokens, source.text, start, self._act)
        while not automaton.run():
            if not mend(automaton, self.build):
                return
        self.value = automaton.value

    @property
    def diagnostics(self) -> list[Diagnostic]:
        return sorted(self.build.diagnostics, key=lambda diagnostic: diagnostic.span.start if diagnostic.span else -1)

    def _act(self, production: Production, parts: list[Any], start: int, end: int) -> Any:
        span = Span(self.build.source, start, end)
        node = ACTIONS[production.action](self.build, parts, span)
        if production.action in NESTED:
            return self._measured(node, parts, span)
        if production.action in EXPRESSIONS:
            self._depths[id(node)] = 0
        elif production.action in ("rule", "unnamed_rule", "derived"):
            self._depths.clear()
        return node

    def _measured(self, node: Any, parts: list[Any], span: Span) -> Any:
        limits = self.build.limits
        depth = max((self._depths.get(id(part), 0) + _adds_level(part, node) for part in parts), default=0)
        if depth > limits.nested_levels:
            if not self._too_deep:
                self.build.report(messages.nested_too_deep(span, limits.nested_levels))
            self._too_deep = True
            node, depth = tree.Truth(True, span), 0
        if span.end - span.start > limits.expression_characters:
            inner = self._too_long
            if inner is None or not span.start <= inner.start <= inner.end <= span.end:
                self.build.report(messages.expression_too_long(span, limits.expression_characters))
            self._too_long = span
        self._depths[id(node)] = depth
        return node


def _adds_level(part: Any, node: Any) -> bool:
    """Whether a part lies a level deeper than what it is part of: no parentheses, no sum that goes on."""
    if isinstance(node, tree.Infix) and isinstance(part, tree.Infix) and part is node.left:
        return not {node.operator, part.operator} <= tree.SUM_SIGNS
    return type(part) is not tree.Group
