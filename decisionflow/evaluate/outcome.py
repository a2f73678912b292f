"""What one decision says about one row."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from decisionflow.conditions.values import Value
from decisionflow.diagnostics import did_you_mean
from decisionflow.errors import UnknownNameError
from decisionflow.program.declarations import Reason

Status = Literal["decided", "undecided", "conflict", "invalid"]
STATUSES: tuple[Status, ...] = ("decided", "undecided", "conflict", "invalid")


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer of a decision for a row.

    `value` is None where the decision is not decided. `rules` are the names that fired and agree with the value (all
    that fired, under `collect`, `any` and for a conflict); `problem` says why a decision is invalid or in conflict.
    """

    status: Status
    value: Value = None
    rules: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()
    problem: str = ""

    @property
    def rule(self) -> str:
        """The names joined by `;`, as results show them."""
        return ";".join(self.rules)


def unknown_decision(name: object, decisions: Iterable[str]) -> UnknownNameError:
    """What to raise for the name of a decision that there is not."""
    hint = did_you_mean(str(name or ""), decisions)
    return UnknownNameError(f"the policy has no decision `{name}`" + (f"; {hint}" if hint else ""))
