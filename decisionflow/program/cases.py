"""The tests that a policy carries: what is given, and what is expected."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from decisionflow.conditions.values import Value
from decisionflow.frozen import frozen
from decisionflow.source import Span

Expected = Literal["decided", "undecided", "invalid", "conflict"]


@frozen
class Expectation:
    """What a test expects of one decision, or of a part of it.

    `value` is None where only a status is expected; `rule` and `reason` are None where the test does not ask for them.
    """

    decision: str
    status: Expected
    value: Value = None
    part: str = ""
    rule: str | None = None
    reason: str | None = None
    span: Span | None = field(default=None, compare=False, repr=False)


@frozen
class Case:
    """One test: values of features (as the row brings them), of models and decisions (fixed), of `today`.

    A value may be MISSING. Whatever is not given is computed, and a feature that is not given is missing.
    """

    name: str
    given: tuple[tuple[str, Value], ...]
    expected: tuple[Expectation, ...]
    span: Span | None = field(default=None, compare=False, repr=False)
