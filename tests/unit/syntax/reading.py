"""Short ways to read a text in a test."""

from __future__ import annotations

from decisionflow.diagnostics import Diagnostic
from decisionflow.source import Source
from decisionflow.syntax import tree
from decisionflow.syntax.limits import LIMITS, Limits
from decisionflow.syntax.parse import parse, parse_expression


def tree_of(text: str, limits: Limits = LIMITS) -> tree.File:
    found = parse(Source("demo.dflow", text), limits)
    assert isinstance(found, tree.File), "\n".join(map(str, found))
    return found


def mistakes_of(text: str, limits: Limits = LIMITS) -> list[Diagnostic]:
    found = parse(Source("demo.dflow", text), limits)
    assert not isinstance(found, tree.File)
    return list(found)


def codes_of(text: str, limits: Limits = LIMITS) -> list[str]:
    return [diagnostic.code for diagnostic in mistakes_of(text, limits)]


def expression_of(text: str) -> tree.Expression:
    found = parse_expression(Source("", text))
    assert not isinstance(found, list), "\n".join(map(str, found))
    return found
