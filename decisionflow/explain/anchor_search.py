"""Anchors: the widest conditions, all true of a row, under which the decision nearly always stays the same.

A beam search over sets of candidate conditions (Ribeiro, Singh and Guestrin, "Anchors: High-Precision Model-Agnostic
Explanations", 2018). Its precision is counted where all rows that matter can be named, and sampled elsewhere.

Two deviations from the paper. A sampled anchor is returned as certain only after a test on fresh rows, whose errors add
up to at most `delta` over the whole search: the paper's own stopping rule shares rows between choosing and testing, and
lets the bound fall short of the precision asked for by a tolerance. And sets with more conditions are searched as long
as some set in the beam covers more than the best anchor found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from decisionflow.explain.anchor_precision import (
    AnchorSearch,
    Conditions,
    CountedPrecision,
    Draw,
    Floats,
    Masks,
    Precision,
    SampledPrecision,
    cover,
    coverage,
)

PrecisionSource = CountedPrecision | SampledPrecision


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

    Starts from no condition at all, which is an anchor where nearly every row is decided alike.
    """
    best: Anchor | None = None
    closest: Anchor | None = None
    largest = len(masks) if search.max_conditions is None else min(search.max_conditions, len(masks))
    beam: list[Conditions] = [()]
    for size in range(largest + 1):
        for conditions in beam:
            anchor = Anchor(conditions, source.judge(conditions), coverage(masks, weights, conditions), source.exact)
            if anchor.precision.certain and (best is None or _wider(anchor, best)):
                best = anchor
            if closest is None or anchor.precision.share > closest.precision.share:
                closest = anchor
        if size < largest:
            longer = _longer(beam, masks, weights, -1.0 if best is None else best.coverage, source.exact)
            beam = source.most_precise(longer, search.beam)
    assert closest is not None
    return best or closest


def _wider(anchor: Anchor, other: Anchor) -> bool:
    return (anchor.coverage, -len(anchor.conditions), anchor.precision.share) > (
        other.coverage,
        -len(other.conditions),
        other.precision.share,
    )


def _longer(beam: Sequence[Conditions], masks: Masks, weights: Floats, least: float, exact: bool) -> list[Conditions]:
    """Every set of the beam with one condition more that covers more than the best anchor, if there is one.

    Where precision is counted on the same rows, a condition that takes none of them away changes nothing and is left.
    """
    found: dict[Conditions, None] = {}
    for conditions in beam:
        covered = cover(masks, conditions)
        for candidate in range(len(masks)):
            if candidate in conditions or (exact and not (covered & ~masks[candidate]).any()):
                continue
            longer = tuple(sorted((*conditions, candidate)))
            if coverage(masks, weights, longer) > least:
                found[longer] = None
    return list(found)
