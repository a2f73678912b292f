"""A solver's point with its dust taken off."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from decisionflow.explain.nearest_change.formula import HalfSpace
from decisionflow.explain.nearest_change.movable import Movable, neatly
from decisionflow.explain.nearest_change.search import Node

NEAR = 1e-7


@dataclass
class Moving:
    """A measured feature as variables: up and down from where it is, by so many units."""

    up: int
    down: int
    unit: float
    low: float
    high: float


def polished(
    items: Sequence[Movable], values: dict[int, float | str | bool], node: Node, moving: dict[int, Moving]
) -> dict[int, float | str | bool]:
    """The solver's point with its dust taken off: each feature that moved freely goes exactly to what stops it."""
    found = dict(values)
    free = [at for at in moving if not items[at].is_whole and items[at].step is None]
    for at in free:
        if abs(float(found[at]) - float(items[at].here)) <= NEAR * items[at].scale:
            found[at] = items[at].here
    for at in free:
        if found[at] != items[at].here:
            found[at] = _stopped(items[at], at, found, node, moving[at])
    return found


def _stopped(item: Movable, at: int, values: dict[int, float | str | bool], node: Node, moving: Moving) -> float:
    """Where a feature first meets the conditions on its way, the others held; near where the solver put it."""
    value = float(values[at])
    stops = [moving.low, moving.high]
    for part in node.hard:
        if isinstance(part.hard, HalfSpace) and at in part.hard.form.weights:
            space = part.hard
            edge = space.form
            if not space.comparison.closed:
                edge = edge.plus(space.margin.scaled(-space.comparison.side))
            weight = edge.weights.get(at, 0.0)
            if weight:
                rest = edge.value({**values, at: 0.0})
                stops.append(neatly(-rest / weight))
    near = [
        stop for stop in stops if math.isfinite(stop) and abs(stop - value) <= 10 * NEAR * max(item.scale, abs(stop))
    ]
    return min(near, key=lambda stop: abs(stop - value), default=value)
