"""Anchors: the widest conditions, all true of a row, under which the decision nearly always stays the same.

A beam search over sets of candidate conditions (Ribeiro, Singh and Guestrin, "Anchors: High-Precision Model-Agnostic
Explanations", 2018). Its precision is counted where the policy alone decides, sampled elsewhere.

Deviations from the paper. A sampled anchor is returned as certain only after a test on fresh rows, whose errors add
up to at most `delta` over the whole search: the paper's own stopping rule shares rows between choosing and testing, and
lets the bound fall short of the precision asked for by a tolerance. Sets with more conditions are searched as long as
some set in the beam covers more than the best anchor found, and at the end the anchor loses what it does not need.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from decisionflow.explain.anchor_precision import (
    AnchorSearch,
    Conditions,
    Draw,
    EnumeratedPrecision,
    Masks,
    Precision,
    SampledPrecision,
    Under,
    cover,
    coverage,
)

PrecisionSource = EnumeratedPrecision | SampledPrecision


@dataclass(frozen=True, slots=True)
class Anchor:
    """Places of the conditions among the candidates, and what is known of them.

    `coverage` is the share of the rows given for it that satisfy them all. `exact` says that the precision was counted;
    else its bounds hold together with probability 1 - delta. `precision.certain` is false where no set of conditions
    was found that is precise enough: then this is the most precise one found.
    """

    conditions: Conditions
    precision: Precision
    coverage: float
    exact: bool


def enumerated_anchor(masks: Masks, under: Under, search: AnchorSearch | None = None) -> Anchor:
    """The anchor of a row where every background row can be decided again under each set of conditions.

    `masks` `(c, n)` says which of the background rows satisfy each candidate and gives the coverage alone; `under` says
    of every background row, changed so that the conditions hold, whether it is decided like the row explained.
    """
    search = search or AnchorSearch()
    return beam_search(masks, EnumeratedPrecision(masks, under, search), search)


def sampled_anchor(masks: Masks, draw: Draw, search: AnchorSearch | None = None, seed: int = 0) -> Anchor:
    """The anchor of a row where rows must be drawn.

    `masks` `(c, n)` says which of the background rows satisfy each candidate and gives the coverage alone; `draw` says
    what the precision is about. With probability at least 1 - delta, an anchor whose precision is certain has it.
    """
    search = search or AnchorSearch()
    source = SampledPrecision(draw, search, np.random.default_rng(seed))
    return beam_search(masks, source, search)


def beam_search(masks: Masks, source: PrecisionSource, search: AnchorSearch) -> Anchor:
    """The anchor with the largest coverage that the beam meets, then with the fewest conditions, then the more precise.

    Starts from no condition at all, which is an anchor where nearly every row is decided alike. At the end conditions
    are dropped from the anchor as long as it stays one.
    """

    def judged(sets: Sequence[Conditions]) -> list[Anchor]:
        return [
            Anchor(conditions, precision, coverage(masks, conditions), source.exact)
            for conditions, precision in zip(sets, source.judge(sets), strict=True)
        ]

    best: Anchor | None = None
    largest = len(masks) if search.max_conditions is None else min(search.max_conditions, len(masks))
    beam: list[Conditions] = [()]
    tried: list[Anchor] = []
    for size in range(largest + 1):
        now = judged(beam)
        tried += now
        best = max((one for one in (best, *now) if one is not None and one.precision.certain), key=_rank, default=None)
        longer = _longer(beam, masks, -1.0 if best is None else best.coverage) if size < largest else []
        if not longer:
            break
        beam = source.most_precise(longer, search.beam)
    if best is None:
        return max(tried, key=lambda anchor: anchor.precision.share)
    return _shortened(best, judged)


def _rank(anchor: Anchor) -> tuple[float, int, float]:
    return anchor.coverage, -len(anchor.conditions), anchor.precision.share


def _shortened(anchor: Anchor, judged: Callable[[Sequence[Conditions]], list[Anchor]]) -> Anchor:
    """The anchor without the conditions that it does not need, the widest first."""
    shorter = judged(
        [tuple(kept for kept in anchor.conditions if kept != dropped) for dropped in reversed(anchor.conditions)]
    )
    still = [candidate for candidate in shorter if candidate.precision.certain]
    return _shortened(max(still, key=_rank), judged) if still else anchor


def _longer(beam: Sequence[Conditions], masks: Masks, least: float) -> list[Conditions]:
    """Every set of the beam with one condition more that covers more than the best anchor, if there is one."""
    found: dict[Conditions, None] = {}
    for conditions in beam:
        covers = (masks & cover(masks, conditions)).mean(axis=1)
        for candidate in np.flatnonzero(covers > least).tolist():
            if candidate not in conditions:
                found[tuple(sorted((*conditions, candidate)))] = None
    return list(found)
