"""Interventional TreeSHAP of tree ensembles, exact over the whole background.

Each leaf is a conjunction of one condition a feature, whose Shapley values have a closed form (`conjunction.py`) that
depends on the background only through which conditions each of its rows satisfies. Those patterns are counted once, so
that a row costs the number of distinct patterns and not trees times background rows, and nothing is rounded to single
precision. Values are those of Lundberg et al., From local explanations to global understanding with explainable AI for
trees, Nature Machine Intelligence 2, 2020, Algorithm 3 (interventional).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from decisionflow.explain.attributions.attribution import Attribution, Scale
from decisionflow.explain.attributions.booster_decoding import native_sum
from decisionflow.explain.attributions.conjunction import conjunction_weights
from decisionflow.explain.attributions.leaves import Leaves, leaves_of
from decisionflow.explain.attributions.preprocessing import Preprocessing, preprocessing_of
from decisionflow.explain.attributions.scales import agree, scale_of
from decisionflow.explain.attributions.tree_decoding import booster_sum, forest_sum
from decisionflow.models.model import Model
from decisionflow.types import ModelOutput

METHOD = "tree-shap-interventional"
MOST_PATTERNS = 20_000_000
CELLS, COMPILED_CELLS = 500_000, 100_000_000
WORTH_COMPILING = 20_000_000


@dataclass(frozen=True, slots=True)
class Patterns:
    """The distinct masks of the background rows in each leaf: pattern p, of `leaf[p]`, has the share `share[p]`."""

    leaf: NDArray[np.intp]
    mask: NDArray[np.uint64]
    share: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TreeAttributor:
    """Leaves and background patterns of one output of one ensemble."""

    preprocessing: Preprocessing
    leaves: Leaves
    patterns: Patterns
    base: float
    output: Scale
    background_rows: int

    def attribute(self, rows: pd.DataFrame) -> list[Attribution]:
        """The attribution of each row, in order."""
        matrix = self.preprocessing.matrix(rows)
        phi = tree_shapley_many(self.leaves, self.patterns, matrix)
        return [self._attribution(each) for each in self.preprocessing.summed(phi)]

    def _attribution(self, phi: NDArray[np.float64]) -> Attribution:
        return Attribution(
            method=METHOD,
            exact=True,
            output=self.output,
            base=self.base,
            phi=dict(zip(self.preprocessing.columns, phi.tolist(), strict=True)),
            value=self.base + float(phi.sum()),
            background_rows=self.background_rows,
            rows_given=self.background_rows,
        )


def tree_attributor(model: Model, output: ModelOutput, background: pd.DataFrame) -> TreeAttributor | None:
    """Exact attributions of a forest's mean probability, a booster's margin, or a regression; None for other models.

    The decoded trees must reproduce the model's output on every background row to 1e-9 of its size (1e-5 where the
    library adds in single precision).
    """
    preprocessing = preprocessing_of(model, background)
    if preprocessing is None or output.kind == "label":
        return None
    leaves, additive = _leaves(preprocessing, model, output)
    if leaves is None:
        return None
    matrix = preprocessing.matrix(background)
    if np.minimum(2.0**leaves.counts, len(matrix)).sum() > MOST_PATTERNS:
        return None
    patterns, sums = _patterns(leaves, matrix)
    offset = _offset(model, additive, background, sums, leaves.tolerance)
    scale = scale_of(model, output, background, sums + offset, leaves.tolerance)
    if scale is None:
        return None
    base = float(np.mean(sums)) + offset
    return TreeAttributor(preprocessing, leaves, patterns, base, scale, len(background))


def tree_shapley(leaves: Leaves, patterns: Patterns, row: NDArray[np.float64]) -> NDArray[np.float64]:
    """Interventional Shapley values (d,) of the sum of trees at one row (d,)."""
    if len(leaves.counts) == 0:
        return np.zeros(len(row))
    holds = leaves.holds(row[None, :])
    mask = leaves.masks(holds)[0]
    alive = np.flatnonzero((mask[patterns.leaf] | patterns.mask) == leaves.full[patterns.leaf])
    leaf, other = patterns.leaf[alive], patterns.mask[alive]
    ahead, behind = np.bitwise_count(mask[leaf] & ~other), np.bitwise_count(other & ~mask[leaf])
    gain, loss = conjunction_weights(int(leaves.counts.max(initial=0)))
    weight = leaves.value[leaf] * patterns.share[alive]
    gains, losses = weight * gain[ahead, behind], weight * loss[ahead, behind]
    pair, condition = _conditions(leaves, leaf)
    position = (condition - leaves.starts[leaf[pair]]).astype(np.uint64)
    shared = (other[pair] >> position) & np.uint64(1) == 1
    shares = np.where(holds[0, condition], np.where(shared, 0.0, gains[pair]), losses[pair])
    return np.asarray(np.bincount(leaves.feature[condition], weights=shares, minlength=len(row)), dtype=np.float64)


def tree_shapley_many(leaves: Leaves, patterns: Patterns, rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """As `tree_shapley`, for rows (n, d): compiled where that takes less time than it saves."""
    if len(rows) * len(patterns.mask) < WORTH_COMPILING:
        return np.array([tree_shapley(leaves, patterns, each) for each in rows]).reshape(rows.shape)
    from decisionflow.explain.attributions.tree_kernels import tree_shapley_rows

    gain, loss = conjunction_weights(int(leaves.counts.max()))
    first = np.searchsorted(patterns.leaf, np.arange(len(leaves.counts) + 1))
    found: NDArray[np.float64] = tree_shapley_rows(
        leaves.rounded(rows), *_arrays(leaves), leaves.value, first, patterns.mask, patterns.share, gain, loss
    )
    return found


def _arrays(leaves: Leaves) -> tuple[NDArray[Any], ...]:
    return leaves.feature, leaves.low, leaves.high, leaves.missing, leaves.starts, leaves.counts


def _masks(leaves: Leaves, rows: NDArray[np.float64], compiled: bool) -> NDArray[np.uint64]:
    """The mask of each row (n, d) in each leaf: (L, n)."""
    if not compiled:
        return leaves.masks(leaves.holds(rows)).T
    from decisionflow.explain.attributions.tree_kernels import condition_masks

    found: NDArray[np.uint64] = condition_masks(np.ascontiguousarray(leaves.rounded(rows).T), *_arrays(leaves))
    return found


def _conditions(leaves: Leaves, leaf: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """All (pair, condition) of the leaves given, pair being the position in `leaf`."""
    counts = leaves.counts[leaf]
    pair = np.repeat(np.arange(len(leaf)), counts)
    within = np.arange(len(pair)) - np.repeat(np.cumsum(counts) - counts, counts)
    return pair, leaves.starts[leaf[pair]] + within


def _leaves(
    preprocessing: Preprocessing, model: Model, output: ModelOutput
) -> tuple[Leaves | None, ModelOutput | None]:
    """The leaves, and the output that the trees' sum equals but for a constant (None: they equal it as they are)."""
    classes = len(model.classes or ())
    place = model.class_index(output) if classes else 0
    trees = forest_sum(preprocessing.last, place)
    if trees is not None:
        return leaves_of(trees), None
    if classes > 2 and output.kind == "probability":
        return None, None
    margin = ModelOutput("score", output.label) if classes else output
    own = place if classes > 2 else 0
    last = preprocessing.last
    trees = booster_sum(last, own) or native_sum(last, own, len(preprocessing.sources))
    if trees is None:
        return None, None
    leaves = leaves_of(trees)
    return (_turned(leaves) if leaves is not None and classes == 2 and place == 0 else leaves), margin


def _turned(leaves: Leaves) -> Leaves:
    """The margin towards the other of two classes."""
    return replace(leaves, value=-leaves.value, constant=-leaves.constant)


def _offset(
    model: Model,
    additive: ModelOutput | None,
    background: pd.DataFrame,
    sums: NDArray[np.float64],
    tolerance: float,
) -> float:
    """The constant that a booster starts from: what its margin has beyond the sum of its trees."""
    if additive is None:
        return 0.0
    found = _margin(model, additive, background)
    beyond = found - sums
    if agree(beyond, np.full_like(beyond, beyond[0]), tolerance):
        return float(beyond.mean())
    positive = additive.kind == "number" and bool((found > 0).all())
    return float((np.log(found) - sums).mean()) if positive else 0.0


def _margin(model: Model, additive: ModelOutput, background: pd.DataFrame) -> NDArray[np.float64]:
    """The booster's margin (n,); the log-odds of its probability where a pipeline around it offers nothing else."""
    if additive.kind != "score" or "score" in model.functions:
        return model.column(background, additive)
    with np.errstate(divide="ignore"):
        odds = model.column(background, ModelOutput("probability", additive.label))
        return np.asarray(np.log(odds) - np.log1p(-odds))


def _patterns(leaves: Leaves, matrix: NDArray[np.float64]) -> tuple[Patterns, NDArray[np.float64]]:
    """The distinct masks of each leaf over the rows (n, d), and the sum of trees (n,) at each row."""
    sums = np.full(len(matrix), leaves.constant)
    found: list[tuple[NDArray[np.intp], NDArray[np.uint64], NDArray[np.float64]]] = []
    compiled = len(matrix) * len(leaves.feature) >= WORTH_COMPILING
    for first, last in _blocks(leaves, (COMPILED_CELLS if compiled else CELLS) // max(1, len(matrix))):
        part = _part(leaves, first, last)
        masks = _masks(part, matrix, compiled)
        sums += part.value @ (masks == part.full[:, None])
        found.append(_distinct(masks, first))
    if not found:
        return Patterns(np.empty(0, np.intp), np.empty(0, np.uint64), np.empty(0)), sums
    leaf, mask, share = (np.concatenate(each) for each in zip(*found, strict=True))
    return Patterns(leaf, mask, share), sums


def _distinct(
    masks: NDArray[np.uint64], first: int
) -> tuple[NDArray[np.intp], NDArray[np.uint64], NDArray[np.float64]]:
    """Leaf, mask and share of each distinct value in each row of masks (L, n)."""
    ordered = np.sort(masks, axis=1)
    starts = np.ones(ordered.shape, dtype=bool)
    starts[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    places = np.flatnonzero(starts.ravel())
    counts = np.diff(np.append(places, ordered.size))
    return places // masks.shape[1] + first, ordered.ravel()[places], counts / masks.shape[1]


def _blocks(leaves: Leaves, most: int) -> Iterator[tuple[int, int]]:
    """Ranges of leaves with at most `most` conditions, a leaf with more standing alone."""
    ends, first = leaves.starts + leaves.counts, 0
    while first < len(ends):
        last = max(first + 1, int(np.searchsorted(ends, leaves.starts[first] + most, side="right")))
        yield first, last
        first = last


def _part(leaves: Leaves, first: int, last: int) -> Leaves:
    start = leaves.starts[first]
    end = leaves.starts[last - 1] + leaves.counts[last - 1]
    return replace(
        leaves,
        feature=leaves.feature[start:end],
        low=leaves.low[start:end],
        high=leaves.high[start:end],
        missing=leaves.missing[start:end],
        starts=leaves.starts[first:last] - start,
        counts=leaves.counts[first:last],
        value=leaves.value[first:last],
        full=leaves.full[first:last],
    )
