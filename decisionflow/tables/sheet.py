"""A table of Python values, as a spreadsheet holds it: one column may mix numbers, texts and dates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Sheet:
    """Headers, and for each the values of its column; an empty cell is None."""

    headers: tuple[str, ...]
    columns: tuple[Sequence[Any], ...]

    @property
    def rows(self) -> int:
        return len(self.columns[0]) if self.columns else 0
