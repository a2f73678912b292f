"""Anchors: the widest conditions, all true of a row, under which the decision nearly always stays the same.

A beam search over sets of candidate conditions (Ribeiro, Singh and Guestrin, "Anchors: High-Precision Model-Agnostic
Explanations", 2018). Its precision is counted where all rows that matter can be named or decided, sampled elsewhere.

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
    CountedPrecision,
    Draw,
    EnumeratedPrecision,
    Floats,
    Masks,
    Precision,
    SampledPrecision,
    Under,
    coverage,
)

PrecisionSource = CountedPrecision | EnumeratedPrecision | SampledPrecision


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


def exact_anchor(
    masks: Masks, agrees: Masks, search: AnchorSearch | None = None, weights: Floats | None = None
) -> Anchor:
    """The anchor of a row where every row that matters is named.

    `masks` `(c, n)` says which of the rows satisfy each candidate, `agrees` `(n,)` which are decided like the row
    explained, `weights` `(n,)` how likely each is (alike if not given). A precision of exactly the one asked for is
    enough, up to 1e-12.
    """
    search = search or AnchorSearch()
    shares = np.ones(len(agrees)) if weights is None else np.asarray(weights, dtype=np.float64)
    return beam_search(masks, shares, CountedPrecision(masks, agrees, shares, search), search)


def enumerated_anchor(masks: Masks, under: Under, search: AnchorSearch | None = None) -> Anchor:
    """The anchor of a row where every background row can be decided again under each set of conditions.

    `masks` `(c, n)` says which of the background rows satisfy each candidate and gives the coverage alone; `under` says
    of every background row, changed so that the conditions hold, whether it is decided like the row explained.
    """
    search = search or AnchorSearch()
    return beam_search(masks, np.ones(masks.shape[1]), EnumeratedPrecision(masks, under, search), search)


def sampled_anchor(masks: Masks, draw: Draw, search: AnchorSearch | None = None, seed: int = 0) -> Anchor:
    """The anchor of a row where rows must be drawn.

    `masks` `(c, n)` says which of the background rows satisfy each candidate and gives the coverage alone; `draw` says
    what the precision is about. With probability at least 1 - delta, an anchor whose precision is certain has it.
    """
    search = search or AnchorSearch()
    source = SampledPrecision(draw, search, np.random.default_rng(seed))
    return beam_search(masks, np.ones(masks.shape[1]), source, search)


def beam_search(masks: Masks, weights: Floats, source: PrecisionSource, search: AnchorSearch) -> Anchor:
    """The anchor with the largest coverage that the beam meets, then with the fewest conditions, then the more precise.

    Starts from no condition at all, which is an anchor where nearly every row is decided alike. At the end conditions
    are dropped from the anchor as long as it stays one.
    """

    def judged(conditions: Conditions) -> Anchor:
        return Anchor(conditions, source.judge(conditions), coverage(masks, weights, conditions), source.exact)

    best: Anchor | None = None
    closest = judged(())
    largest = len(masks) if search.max_conditions is None else min(search.max_conditions, len(masks))
    beam: list[Conditions] = [()]
    for size in range(largest + 1):
        for anchor in [judged(conditions) for conditions in beam] if size else [closest]:
            if anchor.precision.certain and (best is None or _rank(anchor) > _rank(best)):
                best = anchor
            closest = max(closest, anchor, key=lambda tried: tried.precision.share)
        if size < largest:
            longer = _longer(beam, masks, weights, -1.0 if best is None else best.coverage, source)
            beam = source.most_precise(longer, search.beam)
    return closest if best is None else _shortened(best, judged)


def _rank(anchor: Anchor) -> tuple[float, int, float]:
    return anchor.coverage, -len(anchor.conditions), anchor.precision.share


def _shortened(anchor: Anchor, judged: Callable[[Conditions], Anchor]) -> Anchor:
    """The anchor without the conditions that it does not need, the widest first."""
    shorter = [
        judged(tuple(kept for kept in anchor.conditions if kept != dropped)) for dropped in reversed(anchor.conditions)
    ]
    still = [candidate for candidate in shorter if candidate.precision.certain]
    return _shortened(max(still, key=_rank), judged) if still else anchor


def _longer(
    beam: Sequence[Conditions], masks: Masks, weights: Floats, least: float, source: PrecisionSource
) -> list[Conditions]:
    """Every set of the beam with one condition more that covers more than the best anchor, if there is one."""
    found: dict[Conditions, None] = {}
    for conditions in beam:
        for candidate in range(len(masks)):
            if candidate in conditions or not source.matters(conditions, candidate):
                continue
            longer = tuple(sorted((*conditions, candidate)))
            if coverage(masks, weights, longer) > least:
                found[longer] = None
    return list(found)
