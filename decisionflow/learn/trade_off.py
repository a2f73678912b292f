"""The transparency-accuracy trade-off of a companion rule list, and the area under it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from typing import Any, overload

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TradeOffPoint:
    """What the first `rules` rules give, the other rows left to the black box.

    `fidelity` is the share of all rows answered as the black box would; `black_box_accuracy` is the black box's
    accuracy on the covered rows, NaN where none is covered.
    """

    rules: int
    transparency: float
    accuracy: float
    fidelity: float
    black_box_accuracy: float


class Autac(float):
    """An area under a trade-off curve from 0 to `transparency`, where the curve ends.

    Areas that end at different transparencies do not compare: look at both.
    """

    transparency: float

    def __new__(cls, area: float, transparency: float) -> Autac:
        value = super().__new__(cls, area)
        value.transparency = transparency
        return value

    def __getnewargs__(self) -> tuple[float, float]:  # type: ignore[override]
        return (float(self), self.transparency)

    def __str__(self) -> str:
        return f"{float(self):.4f} up to transparency {self.transparency:.4f}"


@dataclass(frozen=True, slots=True)
class TradeOff(Sequence[TradeOffPoint]):
    """The points for no rule, the first rule, the first two, and so on.

    A point by its place, a column `(points,)` by its name: `trade_off["accuracy"]`.
    """

    points: tuple[TradeOffPoint, ...]

    def __len__(self) -> int:
        return len(self.points)

    def __iter__(self) -> Iterator[TradeOffPoint]:
        return iter(self.points)

    @overload
    def __getitem__(self, place: int) -> TradeOffPoint: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[TradeOffPoint]: ...
    @overload
    def __getitem__(self, place: str) -> NDArray[Any]: ...
    def __getitem__(self, place: int | slice | str) -> TradeOffPoint | Sequence[TradeOffPoint] | NDArray[Any]:
        if isinstance(place, str):
            return np.array([getattr(point, place) for point in self.points])
        return self.points[place]

    @property
    def autac(self) -> Autac:
        """Proposition 4 (companion rule lists) with T_0 = 0 and A_0 the black box's accuracy; ends at T_M."""
        accuracy, transparency = self["accuracy"], self["transparency"]
        area = 0.5 * ((accuracy[1:] + accuracy[:-1]) * np.diff(transparency)).sum()
        return Autac(float(area), float(transparency[-1]))

    def to_frame(self) -> pd.DataFrame:
        """One row per point."""
        names = [field.name for field in fields(TradeOffPoint)]
        return pd.DataFrame([astuple(point) for point in self.points], columns=names)

    def to_text(self) -> str:
        """A table for comments and terminals."""
        lines = ["rules  transparency  accuracy  fidelity  black box on covered"]
        for point in self.points:
            covered = "-" if np.isnan(point.black_box_accuracy) else f"{point.black_box_accuracy:.2%}"
            shares = f"{point.transparency:12.2%}  {point.accuracy:8.2%}  {point.fidelity:8.2%}"
            lines.append(f"{point.rules:5d}  {shares}  {covered:>20}")
        return "\n".join(lines)


def measure_trade_off(
    deciding: NDArray[np.intp],
    rule_labels: NDArray[np.int8],
    labels: NDArray[np.int8],
    black_box: NDArray[np.int8],
    weights: Floats,
) -> TradeOff:
    """The trade-off of a list whose rule `deciding` `(n,)` takes each row (-1: none).

    `rule_labels` `(M,)`, `labels` and `black_box` `(n,)` are 0 and 1; `weights` `(n,)` count the rows.
    """
    ruled = rule_labels[deciding] if len(rule_labels) else black_box
    counts = range(len(rule_labels) + 1)
    covered = [(deciding >= 0) & (deciding < count) for count in counts]
    return TradeOff(tuple(_point(count, covered[count], ruled, labels, black_box, weights) for count in counts))


def _point(
    count: int,
    covered: NDArray[np.bool_],
    ruled: NDArray[np.int8],
    labels: NDArray[np.int8],
    black_box: NDArray[np.int8],
    weights: Floats,
) -> TradeOffPoint:
    answers = np.where(covered, ruled, black_box)
    total, taken = weights.sum(), weights[covered].sum()
    right_on_covered = weights[covered & (black_box == labels)].sum()
    return TradeOffPoint(
        rules=count,
        transparency=float(taken / total),
        accuracy=float(weights[answers == labels].sum() / total),
        fidelity=float(weights[answers == black_box].sum() / total),
        black_box_accuracy=float(right_on_covered / taken) if taken > 0 else float("nan"),
    )
