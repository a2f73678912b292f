"""The whole front: one list for each minimum transparency, measured on held-out rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from sklearn.base import clone

from decisionflow.errors import InfeasibleError
from decisionflow.learn.classifier import HybridClassifier
from decisionflow.learn.learning_errors import SettingError
from decisionflow.learn.trade_off import TradeOffPoint


@dataclass(frozen=True, slots=True, eq=False)
class SweepPoint:
    """A minimum transparency, the list learned for it and what the whole list gives on held-out rows.

    Where it is proved that no list covers so much, `learner` and `point` are None and `infeasible` says why.
    """

    min_transparency: float
    learner: HybridClassifier | None
    point: TradeOffPoint | None
    infeasible: str = ""


def sweep(
    learner: HybridClassifier,
    training: tuple[Any, Any],
    held_out: tuple[Any, Any],
    shares: Sequence[float],
    progress: Callable[[SweepPoint], None] | None = None,
) -> tuple[SweepPoint, ...]:
    """Fit a clone of the learner to `training` (X, y) for each minimum transparency, measured on `held_out` (X, y).

    An unfitted black box is fitted anew each time; give a fitted one to have it shared. `progress` sees each point.

    Raises SettingError for a learner that takes no minimum transparency.
    """
    if "min_transparency" not in learner.get_params(deep=False):
        raise SettingError(f"{type(learner).__name__} takes no min_transparency to sweep over")
    found = []
    for point in _points(learner, training, held_out, shares):
        found.append(point)
        if progress is not None:
            progress(point)
    return tuple(found)


def _points(
    learner: HybridClassifier, training: tuple[Any, Any], held_out: tuple[Any, Any], shares: Sequence[float]
) -> Iterator[SweepPoint]:
    for share in shares:
        # a clone forgets that its black box was fitted, so the original is handed over
        fresh = clone(learner).set_params(min_transparency=share, black_box=learner.black_box)
        try:
            fresh.fit(*training)
        except InfeasibleError as error:
            yield SweepPoint(share, None, None, str(error))
        else:
            yield SweepPoint(share, fresh, fresh.trade_off(*held_out)[-1])


def sweep_frame(points: Sequence[SweepPoint]) -> pd.DataFrame:
    """One row per point: what was asked for, what was learned, what held-out rows say."""
    return pd.DataFrame(
        [
            {
                "min_transparency": each.min_transparency,
                "rules": each.point.rules if each.point else None,
                "transparency": each.point.transparency if each.point else None,
                "accuracy": each.point.accuracy if each.point else None,
                "fidelity": each.point.fidelity if each.point else None,
                "objective": getattr(each.learner, "objective_", None),
                "lower_bound": getattr(each.learner, "lower_bound_", None),
                "certified": getattr(each.learner, "certified_", None),
                "note": each.infeasible or _unknown(each.learner),
            }
            for each in points
        ]
    )


def _unknown(learner: HybridClassifier | None) -> str:
    is_unknown = getattr(learner, "status_", None) == "unknown"
    return "no list found, none ruled out, before the search stopped" if is_unknown else ""
