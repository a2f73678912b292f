"""What one decision says about one record, where a generated function has decided it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from decisionflow.conditions.values import Value
from decisionflow.evaluate.outcome import Outcome, Status

if TYPE_CHECKING:
    from numpy.typing import NDArray


class RowAnswer(NamedTuple):
    """The value (None where the record is not decided), the rules joined by `;`, the status, the codes of the reasons.

    The other names are those of a `DecisionResult` of one row.
    """

    value: Value
    rule: str
    status: Status
    reasons: tuple[str, ...]

    @property
    def decided(self) -> NDArray[Any]:
        """Whether the record is decided, `(1,)`."""
        return _single(self.status == "decided")

    @property
    def values(self) -> NDArray[Any]:
        """The value `(1,)`."""
        return _single(self.value)

    @property
    def rules(self) -> NDArray[Any]:
        """The rules joined by `;`, `(1,)`."""
        return _single(self.rule)


def row_answer(outcome: Outcome) -> RowAnswer:
    """An outcome as results show it."""
    codes = tuple(reason.code for reason in outcome.reasons)
    return RowAnswer(outcome.value, outcome.rule, outcome.status, codes)


def _single(value: Any) -> NDArray[Any]:
    import numpy as np

    if isinstance(value, bool | int | float):
        return np.array([value])
    found: NDArray[Any] = np.empty(1, dtype=object)
    found[0] = value
    return found
