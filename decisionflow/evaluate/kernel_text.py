"""Pieces of a kernel's text: values, comparisons, what stands for a missing value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from decisionflow.conditions.arithmetic import EQUAL_WITHIN
from decisionflow.conditions.expression import Constant
from decisionflow.conditions.operators import AT_LEAST, AT_MOST, GREATER, LESS, Comparison
from decisionflow.conditions.values import is_known
from decisionflow.evaluate.columns.comparison import equal_band
from decisionflow.evaluate.combining import as_type
from decisionflow.evaluate.constants import stored
from decisionflow.program.declarations import Domain, Feature
from decisionflow.types import BOOLEAN, DATE, INTEGER, NUMBER, TIMESTAMP, Type, Vocabulary

NOTHING = int(np.iinfo(np.int64).min)
"""Stands for a missing integer or date."""

PYTHON = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
"""How Python spells a comparison."""


class Unsupported(Exception):
    """A program that the kernel cannot express."""


@dataclass(frozen=True, slots=True)
class Token:
    """A name or literal that stands for a value; `value` is the value itself where the policy writes it."""

    text: str
    kind: Type
    nullable: bool
    value: Any = None

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


STORAGE: dict[str, Any] = {"real": np.float64, "whole": np.int64, "code": np.int32, "flag": np.int8}
"""How computed values lie, by the name of their class."""


def is_expressible(kind: Type) -> bool:
    return kind in (NUMBER, INTEGER, BOOLEAN, DATE, TIMESTAMP) or isinstance(kind, Vocabulary)


def is_coded(kind: Type) -> bool:
    return kind == BOOLEAN or isinstance(kind, Vocabulary)


def storage_class(kind: Type) -> str:
    return (
        "real" if kind == NUMBER else "code" if isinstance(kind, Vocabulary) else "flag" if kind == BOOLEAN else "whole"
    )


def code_class(kind: Vocabulary) -> Any:
    """The narrowest integers that hold the places of a vocabulary's labels."""
    size = len(kind.labels)
    return np.int8 if size <= np.iinfo(np.int8).max else np.int16 if size <= np.iinfo(np.int16).max else np.int32


def kernel_dtype(kind: Type) -> Any:
    """How a feature of a type lies where a kernel reads it."""
    return code_class(kind) if isinstance(kind, Vocabulary) else STORAGE[storage_class(kind)]


def nothing(kind: Type) -> str:
    return "np.nan" if kind == NUMBER else "-1" if is_coded(kind) else "NOTHING"


def literal(expression: Constant) -> Token:
    kind = expression.type
    if not is_known(expression.value) or not is_expressible(kind):
        raise Unsupported
    value = stored(as_type(expression.value, kind), kind)
    if value == NOTHING and kind != NUMBER:
        raise Unsupported
    return Token(f"({float(value)!r})" if kind == NUMBER else f"({int(value)})", kind, False, value)


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


def near_text(comparison: Comparison, left: str, right: str) -> str:
    """A comparison of two computed numbers with the tolerance of law 1; it does not hold of NaN."""
    gap, share = f"({left} - {right})", f"({EQUAL_WITHIN!r} * np.maximum(abs({left}), abs({right})))"
    match comparison.spelling:
        case "=":
            return f"(abs{gap} <= {share})"
        case "!=":
            return f"(abs{gap} > {share})"
        case "<" | ">=":
            return f"({gap} {comparison.spelling} -{share})"
    return f"({gap} {comparison.spelling} {share})"


def invalid_texts(feature: Feature, token: Token) -> list[str]:
    """Conditions under which what was read is no value of the feature."""
    kind, domain, found = feature.type, feature.domain, []
    if not feature.optional and feature.default is None:
        found.append(token.is_missing)
    if is_coded(kind):
        found.append(f"({token.text} < -1)")
    if domain is not None:
        outside = outside_text(domain, kind, token.text, tolerant=False)
        found.append(outside if kind == NUMBER else joined([token.is_known, outside], True))
    return found


def may_be_infinite(feature: Feature) -> bool:
    """Whether the domain leaves room for what is no number."""
    domain = feature.domain
    return feature.type == NUMBER and (domain is None or domain.low is None or domain.high is None)


def outside_text(domain: Domain, kind: Type, text: str, tolerant: bool) -> str:
    """The condition that a known value lies outside a domain; NaN lies nowhere."""
    parts, token = [], Token(text, kind, True)
    ends = (
        (domain.low, LESS if domain.low_closed else AT_MOST),
        (domain.high, GREATER if domain.high_closed else AT_LEAST),
    )
    for end, comparison in ends:
        if end is not None:
            parts.append(threshold_text(comparison, token, stored(end, kind), tolerant))
    return joined(parts, False)
