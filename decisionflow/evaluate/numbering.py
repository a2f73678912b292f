"""Expressions by number: two that are equal have the same one, found without comparing them part by part each time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import fields
from typing import Any

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
    MakeRecord,
    Not,
    Or,
    Variable,
    Within,
    children,
)
from decisionflow.program.program import Program


class Numbering:
    """Numbers the expressions of one program; equal ones, wherever they stand, get one number."""

    def __init__(self, expressions: Iterable[Expression]) -> None:
        self._by_identity: dict[int, int] = {}
        self._by_content: dict[Any, int] = {}
        self._kinds: dict[int, int] = {}
        self._kept: list[Any] = []
        self.uses: Counter[int] = Counter()
        for expression in expressions:
            self._add(expression)

    def number(self, expression: Expression) -> int:
        """The number of an expression that was given, or stands inside one that was."""
        return self._by_identity[id(expression)]

    def _add(self, root: Expression) -> None:
        """Number what stands inside first; count each use, those inside a repeated expression once."""
        waiting: list[tuple[Expression, bool]] = [(root, False)]
        while waiting:
            node, ready = waiting.pop()
            if ready:
                self._number(node)
            elif id(node) in self._by_identity:
                self.uses[self._by_identity[id(node)]] += 1
            else:
                waiting.append((node, True))
                waiting += [(part, False) for part in children(node)]

    def _number(self, node: Expression) -> None:
        content = self._content(node)
        number = self._by_content.setdefault(content, len(self._by_content))
        if not self.uses[number] and isinstance(node, Within | Among):
            self.uses[self._by_identity[id(node.value)]] += 1
        self.uses[number] += 1
        self._by_identity[id(node)] = number
        self._kept.append(node)

    def _content(self, node: Expression) -> tuple[Any, ...]:
        if isinstance(node, Constant):
            return (Constant, type(node.value), node.value, node.name, self._kind(node.type))
        if isinstance(node, Variable):
            return (Variable, node.name, node.part, node.written, self._kind(node.type))
        return (type(node), *(self._part(name, getattr(node, name)) for name in _COMPARED[type(node)]))

    def _part(self, name: str, value: Any) -> Any:
        if id(value) in self._by_identity:
            return self._by_identity[id(value)]
        if isinstance(value, Bound):
            return (self._by_identity[id(value.value)], value.closed)
        if isinstance(value, tuple):
            return tuple(self._part(name, item) for item in value)
        return self._kind(value) if name == "type" else id(value) if name in ("function", "comparison") else value

    def _kind(self, kind: Any) -> int:
        """Types by number; a long vocabulary is compared once for each of its copies."""
        if id(kind) not in self._kinds:
            self._kinds[id(kind)] = self._by_content.setdefault(("type", kind), len(self._by_content))
            self._kept.append(kind)
        return self._kinds[id(kind)]


def numbering_of(program: Program) -> Numbering:
    """The numbers of all expressions of a program."""
    derived = [item.expression for item in program.derived.values()]
    return Numbering(derived + [part for decision in program.decisions.values() for part in decision.expressions])


_COMPARED = {
    node_class: tuple(item.name for item in fields(node_class) if item.compare)
    for node_class in (Apply, Compare, Within, Among, IsMissing, Not, And, Or, Count, Choose, MakeRecord)
}
