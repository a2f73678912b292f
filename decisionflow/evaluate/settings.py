"""What a run is given beside its policy and its data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Literal


@dataclass(frozen=True, slots=True)
class Settings:
    """Inputs of one run; the same settings on the same data give the same answers.

    `transparency` holds T for each companion decision that is cut; `stochastic` gives the last rule its broken share
    (Definition 3 of the companion rule list paper), drawn from the row's values and `seed`.
    """

    today: date
    transparency: Mapping[str, float] = field(default_factory=dict)
    stochastic: bool = False
    seed: int = 0
    on_model_error: Literal["row", "stop"] = "row"
