"""Pieces of a kernel's text: values, comparisons, what stands for a missing value."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from decisionflow.conditions.arithmetic import EQUAL_WITHIN
from decisionflow.conditions.expression import Constant
from decisionflow.conditions.operators import AT_LEAST, AT_MOST, GREATER, LESS, Comparison
from decisionflow.conditions.values import is_known
from decisionflow.evaluate.columns.comparison import equal_band
from decisionflow.evaluate.combining import as_type
from decisionflow.evaluate.constants import stored
from decisionflow.program.declarations import Domain
from decisionflow.types import BOOLEAN, DATE, INTEGER, NUMBER, Type, Vocabulary

NOTHING = int(np.iinfo(np.int64).min)
"""Stands for a missing integer or date."""

PYTHON = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
"""How Python spells a comparison."""


class Unsupported(Exception):
    """A program that the kernel cannot express."""


@dataclass(frozen=True, slots=True)
class Token:
    text: str
    kind: Type
    nullable: bool

    @property
    def is_missing(self) -> str:
        if self.kind == NUMBER:
            return f"({self.text} != {self.text})"
        return f"({self.text} < 0)" if is_coded(self.kind) else f"({self.text} == NOTHING)"

    @property
    def is_known(self) -> str:
        if self.kind == NUMBER:
            return f"({self.text} == {self.text})"
        return f"({self.text} >= 0)" if is_coded(self.kind) else f"({self.text} != NOTHING)"


def is_expressible(kind: Type) -> bool:
    return kind in (NUMBER, INTEGER, BOOLEAN, DATE) or isinstance(kind, Vocabulary)


def is_coded(kind: Type) -> bool:
    return kind == BOOLEAN or isinstance(kind, Vocabulary)


def storage_class(kind: Type) -> str:
    return (
        "real" if kind == NUMBER else "code" if isinstance(kind, Vocabulary) else "flag" if kind == BOOLEAN else "whole"
    )


def nothing(kind: Type) -> str:
    return "np.nan" if kind == NUMBER else "-1" if is_coded(kind) else "NOTHING"


def literal(expression: Constant) -> Token:
    kind = expression.type
    if not is_known(expression.value) or not is_expressible(kind):
        raise Unsupported
    value = stored(as_type(expression.value, kind), kind)
    return Token(f"({float(value)!r})" if kind == NUMBER else f"({int(value)})", kind, False)


def joined(parts: list[str], every: bool) -> str:
    if not parts:
        return str(every)
    return parts[0] if len(parts) == 1 else "(" + (" & " if every else " | ").join(parts) + ")"


def threshold_text(comparison: Comparison, token: Token, threshold: float, tolerant: bool) -> str:
    low, high = equal_band(threshold) if tolerant else (threshold, threshold)
    text = token.text
    if comparison.orders:
        return f"({text} {PYTHON[comparison.spelling]} {(high if comparison.spelling in ('>', '<=') else low)!r})"
    if comparison.closed:
        return f"(({text} >= {low!r}) & ({text} <= {high!r}))"
    return f"(({text} < {low!r}) | ({text} > {high!r}))"


def near_text(comparison: Comparison, left: str, right: str, tolerant: bool) -> str:
    if not tolerant:
        return f"({left} {PYTHON[comparison.spelling]} {right})"
    share = f"{EQUAL_WITHIN!r} * np.maximum(abs({left}), abs({right}))"
    same = f"(({left} == {right}) | (abs({left} - {right}) <= {share}))"
    if not comparison.orders:
        return same if comparison.closed else f"({same} == False)"
    beyond = f"({left} {'>' if comparison.side > 0 else '<'} {right})"
    return f"({beyond} | {same})" if comparison.closed else f"({beyond} & ({same} == False))"


def outside_text(domain: Domain, kind: Type, text: str) -> str:
    parts, token = ["False"], Token(text, kind, True)
    ends = (
        (domain.low, LESS if domain.low_closed else AT_MOST),
        (domain.high, GREATER if domain.high_closed else AT_LEAST),
    )
    for end, comparison in ends:
        if end is not None:
            parts.append(threshold_text(comparison, token, stored(end, kind), tolerant=kind == NUMBER))
    return joined(parts, False)
