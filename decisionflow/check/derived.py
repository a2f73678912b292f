"""Derived values, each after those that it reads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from decisionflow.check.declared import standing
from decisionflow.check.expressions import typed_expression
from decisionflow.check.scope import Context, Declared, Scope
from decisionflow.program.declarations import Derived
from decisionflow.syntax import tree


def checked_derived(context: Context) -> dict[str, Derived]:
    """Every sound derived value, in the order of declaration; the types of all are then known."""
    found: dict[str, Derived] = {}
    for declared in _in_order(context.scope):
        node = declared.node
        if not isinstance(node, tree.Derived):
            continue
        inner = Context(context.scope, context.report, declared.name)
        expression = typed_expression(node.expression, inner)
        if expression is not None:
            context.scope.types[declared.name] = expression.type
            found[declared.name] = Derived(declared.name, expression, node.description, node.name.span)
    names = [declared.name for declared in standing(context.scope, tree.Derived)]
    return {name: found[name] for name in names if name in found}


def _in_order(scope: Scope) -> Iterator[Declared[Any]]:
    """Derived values after those that they read; in a cycle, some come first."""
    started: set[str] = set()
    for first in list(standing(scope, tree.Derived)):
        waiting = [(first, _derived_inside(first, scope))] if first.name not in started else []
        started.add(first.name)
        while waiting:
            current, inner = waiting[-1]
            following = next((item for item in inner if item.name not in started), None)
            if following is None:
                waiting.pop()
                yield current
            else:
                started.add(following.name)
                waiting.append((following, _derived_inside(following, scope)))


def _derived_inside(declared: Declared[Any], scope: Scope) -> Iterator[Declared[Any]]:
    node = declared.node
    if isinstance(node, tree.Derived):
        for name in names_inside(node.expression):
            found = scope.declared.get(name.name)
            if found is not None and found.kind == "derived":
                yield found


def names_inside(node: Any) -> Iterator[tree.Name]:
    """Every word of an expression, without recursion."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        if isinstance(current, tree.Name):
            yield current
        elif isinstance(current, tuple):
            waiting += reversed(current)
        elif is_dataclass(current) and not isinstance(current, type):
            waiting += [
                getattr(current, item.name) for item in reversed(fields(current)) if not item.name.endswith("span")
            ]
