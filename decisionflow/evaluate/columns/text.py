"""Functions of text on columns, worked out once for each distinct text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from decisionflow.conditions.operators import CONTAINS, ENDS_WITH, LOWER, STARTS_WITH, TRIM, Function
from decisionflow.evaluate.columns.arithmetic import Answer, Array


def by_distinct(function: Function, kind: Any) -> Callable[..., Answer]:
    """The column function whose every value is what the scalar meaning says of the distinct arguments."""

    def column(*arguments: Any) -> Answer:
        *texts, _ = arguments
        rows = list(zip(*(side.tolist() for side in np.broadcast_arrays(*texts)), strict=True))
        answers = {each: _meaning(function, each, kind) for each in dict.fromkeys(rows)}
        found: Array = np.empty(len(rows), dtype=kind)
        found[:] = [answers[each] for each in rows]
        return found, None

    return column


def _meaning(function: Function, texts: tuple[Any, ...], kind: Any) -> Any:
    """The scalar meaning; a filler, which is no text, gives a filler."""
    if all(isinstance(text, str) for text in texts):
        return function.meaning(*texts)
    return False if kind is np.bool_ else ""


starts_with = by_distinct(STARTS_WITH, np.bool_)
ends_with = by_distinct(ENDS_WITH, np.bool_)
contains = by_distinct(CONTAINS, np.bool_)
lower = by_distinct(LOWER, np.object_)
trim = by_distinct(TRIM, np.object_)
