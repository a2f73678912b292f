"""The answer to "what would change it?"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from decisionflow.conditions.values import Value
from decisionflow.evaluate.outcome import Outcome

Status = Literal["optimal", "found", "impossible", "not found"]


@dataclass(frozen=True, slots=True)
class Proposal:
    """New values of some features, what they cost, and what the policy decides with them."""

    values: Mapping[str, Value]
    cost: float
    decided: Outcome


@dataclass(frozen=True, slots=True)
class Answer:
    """The cheapest proposal with how sure it is, and others that change different features, cheapest first.

    No proposal costs less than `bound`. `because` are the features that forbid a change where it is impossible, none
    where no values at all would do. `at_most` is the number of features that may change, where more would have to.
    """

    status: Status
    proposals: tuple[Proposal, ...] = ()
    bound: float | None = None
    because: tuple[str, ...] = ()
    at_most: int | None = None
