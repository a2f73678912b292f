"""Which boxes of which rules may meet: a sweep along one dimension, then every other."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from decisionflow.check.boxes import Box, Key, Space

MOST_PAIRS = 300_000
"""Beyond so many pairs that one dimension does not keep apart the question is out of reach."""

Boxes = Sequence[Box] | None


def meeting_boxes(space: Space, boxes: Sequence[Boxes]) -> tuple[tuple[int, ...], ...] | None:
    """For each group of boxes, the earlier groups that meet it, in order; None where that is out of reach.

    A group whose boxes are not known meets nothing.
    """
    key = _sweeping(boxes)
    reaches = sorted((*_reach(box, key), number) for number, group in enumerate(boxes) for box in group or ())
    pairs: set[tuple[int, int]] = set()
    active: list[tuple[float, int]] = []
    asked = 0
    for low, high, number in reaches:
        active = [(end, other) for end, other in active if end >= low]
        asked += len(active)
        if asked > MOST_PAIRS:
            return None
        pairs |= {(min(other, number), max(other, number)) for _, other in active if other != number}
        active.append((high, number))
    found: list[list[int]] = [[] for _ in boxes]
    for first, second in sorted(pairs):
        if any(
            space.intersect(mine, other) is not None for mine in boxes[first] or () for other in boxes[second] or ()
        ):
            found[second].append(first)
    return tuple(map(tuple, found))


def _sweeping(boxes: Sequence[Boxes]) -> Key | None:
    """The dimension that takes the most different slices."""
    slices = {(key, part) for group in boxes for box in group or () for key, part in box.items()}
    counted = Counter(key for key, _ in slices)
    return counted.most_common(1)[0][0] if counted else None


def _reach(box: Box, key: Key | None) -> tuple[float, float]:
    """From where to where a box lies in a dimension; everywhere where it may be missing."""
    part = box.get(key) if key is not None else None
    if part is None or part.missing or part.region.is_empty:
        return -math.inf, math.inf
    return part.region.intervals[0].low, part.region.intervals[-1].high
