"""What a question for the nearest change may ask beside the outcome."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from decisionflow.errors import DataError


@dataclass(frozen=True, slots=True)
class ChangeOptions:
    """Weights of features; at most so many changed ones; how many different answers; seconds to look for them."""

    weights: Mapping[str, float] = field(default_factory=dict)
    max_features: int | None = None
    answers: int = 1
    time_limit: float = 30.0

    def __post_init__(self) -> None:
        if self.max_features is not None and self.max_features < 1:
            raise DataError(f"max_features is {self.max_features}; at least one feature has to change")
        if self.answers < 1:
            raise DataError(f"answers is {self.answers}; at least one is asked for")
        if not self.time_limit > 0:
            raise DataError(f"time_limit is {self.time_limit}; it is a number of seconds above 0")
