"""The candidate conditions that learners choose from, mined from training data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from decisionflow.learn.condition import AllOf, Atom, Columns, Condition, HasLabel, InInterval, IsTruth
from decisionflow.learn.cuts import bins_between, given_bins, quantile_cuts
from decisionflow.learn.feature_table import Feature
from decisionflow.learn.learning_errors import SettingError

Floats = NDArray[np.float64]
Parts = tuple[int, ...]
SLACK = 1e-12


@dataclass(frozen=True, slots=True)
class MiningSettings:
    """How candidates are mined: see `HybridClassifier` for the meaning of each."""

    max_conditions: int = 2
    min_support: float = 0.05
    negations: bool = True
    n_bins: int = 7
    thresholds: Mapping[str, Sequence[float]] | None = None
    max_candidates: int | None = 300

    def __post_init__(self) -> None:
        if not isinstance(self.thresholds, Mapping | None):
            raise SettingError(f"thresholds map columns to cuts, as in {{'age': [25, 40]}}, not {self.thresholds!r}")
        if self.max_conditions < 1:
            raise SettingError(f"max_conditions must be at least 1, not {self.max_conditions}")
        if not 0 <= self.min_support <= 1:
            raise SettingError(f"min_support is a share of the rows from 0 to 1, not {self.min_support}")
        if self.n_bins < 2:
            raise SettingError(f"n_bins must be at least 2, not {self.n_bins}")
        if self.max_candidates is not None and self.max_candidates < 1:
            raise SettingError(f"max_candidates must be at least 1, or None for all, not {self.max_candidates}")


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Conditions, and the training rows that each covers: `covers` is `(n, number of conditions)`."""

    conditions: tuple[Condition, ...]
    covers: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.conditions)


def mine_candidates(
    columns: Columns, features: Sequence[Feature], weights: Floats, settings: MiningSettings
) -> Candidates:
    """The conditions with the largest support, as in section 5.1 of the hybrid models' paper.

    Numbers are cut into quantile bins or at given thresholds, a 0/1 column gives "column is 1", vocabularies and
    categories one condition per label, booleans "is true"; then single negations, and conjunctions of up to
    `max_conditions` conditions that are not negated, all with a support (share of the `weights` `(n,)`) of at least
    `min_support` and more than none. Of conditions that cover the same rows the first and shortest is kept; one
    that covers every row stays, as it may be the only way to full transparency. Of equal support, the shorter and
    earlier is kept.
    """
    atoms = list(_atoms(columns, features, weights, settings))
    if not atoms:
        return Candidates((), np.zeros((len(weights), 0), dtype=np.bool_))
    matrix = np.column_stack([atom.covers(columns) for atom in atoms])
    floor = max(settings.min_support * weights.sum() * (1 - SLACK), np.finfo(float).tiny)
    negated = _negations(atoms, matrix, columns, weights) if settings.negations else []
    frequent = [proposal for proposal in negated if proposal.support >= floor]
    itemsets = list(frequent_itemsets(matrix, weights, floor, settings.max_conditions))
    found = _largest(_proposals(atoms, matrix, frequent, itemsets), settings.max_candidates)
    return Candidates(tuple(condition for condition, _ in found), _side_by_side([mask for _, mask in found], weights))


def _side_by_side(masks: list[NDArray[np.bool_]], weights: Floats) -> NDArray[np.bool_]:
    return np.column_stack(masks) if masks else np.zeros((len(weights), 0), dtype=np.bool_)


def _atoms(columns: Columns, features: Sequence[Feature], weights: Floats, settings: MiningSettings) -> Iterator[Atom]:
    thresholds = dict(settings.thresholds or {})
    unknown = sorted(set(thresholds) - {feature.name for feature in features if feature.kind in ("number", "integer")})
    if unknown:
        raise SettingError(f"thresholds are given for `{unknown[0]}`, which is not a column of numbers")
    for feature in features:
        if feature.kind == "vocabulary":
            yield from (HasLabel(feature.name, label) for label in feature.labels)
        elif feature.labels and feature.name not in thresholds:
            yield from (InInterval(feature.name, label, label, high_closed=True) for label in feature.labels)
        elif feature.kind == "boolean":
            yield IsTruth(feature.name)
        else:
            yield from _bins(feature, columns[feature.name], weights, thresholds.get(feature.name), settings.n_bins)


def _bins(
    feature: Feature, values: Floats, weights: Floats, thresholds: Sequence[float] | None, n_bins: int
) -> tuple[InInterval, ...]:
    present = values[~np.isnan(values)]
    if thresholds is not None:
        return given_bins(feature.name, _ascending(feature.name, thresholds), values)
    if np.isin(present, (0.0, 1.0)).all():
        return (InInterval(feature.name, 1.0, 1.0, high_closed=True),) if len(present) else ()
    cuts = quantile_cuts(values, weights, n_bins)
    whole = bool((present == np.rint(present)).all())
    return bins_between(feature.name, cuts, present, whole=whole) if cuts else ()


def _ascending(name: str, thresholds: Sequence[float]) -> list[float]:
    try:
        cuts = [float(threshold) for threshold in thresholds]
    except (TypeError, ValueError) as error:
        raise SettingError(f"the thresholds of `{name}` are a list of numbers, not {thresholds!r}") from error
    if not np.isfinite(cuts).all() or any(low >= high for low, high in pairwise(cuts)):
        raise SettingError(f"the thresholds of `{name}` must be finite and ascending, not {cuts}")
    return cuts


@dataclass(frozen=True, slots=True)
class _Proposal:
    support: float
    condition: Condition
    parts: Parts
    mask: NDArray[np.bool_] | None
    matrix: NDArray[np.bool_]

    def covers(self) -> NDArray[np.bool_]:
        return np.logical_and.reduce(self.matrix[:, self.parts], axis=1) if self.mask is None else self.mask


def _negations(atoms: Sequence[Atom], matrix: NDArray[np.bool_], columns: Columns, weights: Floats) -> list[_Proposal]:
    known = {feature: ~pd.isna(columns[feature]) for feature in {atom.feature for atom in atoms}}
    masks = [known[atom.feature] & ~matrix[:, place] for place, atom in enumerate(atoms)]
    return [
        _Proposal(float(weights[mask].sum()), atom.negation(), (), mask, matrix)
        for atom, mask in zip(atoms, masks, strict=True)
    ]


def _proposals(
    atoms: Sequence[Atom],
    matrix: NDArray[np.bool_],
    negated: Sequence[_Proposal],
    itemsets: Sequence[tuple[Parts, float]],
) -> list[_Proposal]:
    """Everything frequent, shortest first; the rows that a conjunction covers are found when it is chosen."""
    singles = [_Proposal(s, atoms[parts[0]], parts, None, matrix) for parts, s in itemsets if len(parts) == 1]
    longer = [
        _Proposal(s, AllOf(tuple(atoms[part] for part in parts)), parts, None, matrix)
        for parts, s in sorted((found for found in itemsets if len(found[0]) > 1), key=lambda found: len(found[0]))
    ]
    return singles + list(negated) + longer


def _largest(proposals: Sequence[_Proposal], max_candidates: int | None) -> list[tuple[Condition, NDArray[np.bool_]]]:
    """The proposals of largest support that cover different rows, in the order proposed."""
    seen: set[bytes] = set()
    kept: list[tuple[int, Condition, NDArray[np.bool_]]] = []
    for place in sorted(range(len(proposals)), key=lambda place: -proposals[place].support):
        if max_candidates is not None and len(kept) == max_candidates:
            break
        mask = proposals[place].covers()
        key = np.packbits(mask).tobytes()
        if key not in seen:
            seen.add(key)
            kept.append((place, proposals[place].condition, mask))
    return [(condition, mask) for _, condition, mask in sorted(kept, key=lambda found: found[0])]


def frequent_itemsets(
    matrix: NDArray[np.bool_], weights: Floats, floor: float, longest: int
) -> Iterator[tuple[Parts, float]]:
    """Sets of columns of matrix `(n, d)` that are true together in rows of at least `floor` weight.

    One and two columns by one Gram product, longer ones by Eclat (Zaki 2000) on packed bits. Yields the columns in
    ascending order, and the weight.
    """
    single = weights @ matrix
    frequent = np.flatnonzero(single >= floor)
    yield from (((int(place),), float(single[place])) for place in frequent)
    if longest < 2:
        return
    dense = matrix[:, frequent].astype(np.float64)
    together = np.zeros((matrix.shape[1], matrix.shape[1]))
    together[np.ix_(frequent, frequent)] = dense.T @ (dense * weights[:, np.newaxis])
    rows, others = np.nonzero(np.triu(together >= floor, k=1))
    yield from (((int(i), int(j)), float(together[i, j])) for i, j in zip(rows, others, strict=True))
    if longest > 2:
        yield from _eclat(matrix, weights, floor, longest, together >= floor)


def _eclat(
    matrix: NDArray[np.bool_], weights: Floats, floor: float, longest: int, pairs: NDArray[np.bool_]
) -> Iterator[tuple[Parts, float]]:
    weigh = _weigher(weights)
    packed = _packed(matrix)
    open_sets: list[tuple[Parts, NDArray[np.uint64], NDArray[np.intp]]] = []
    for i, j in zip(*np.nonzero(np.triu(pairs, k=1)), strict=True):
        later = np.flatnonzero(pairs[i] & pairs[j])
        open_sets.append(((int(i), int(j)), packed[i] & packed[j], later[later > j]))
    while open_sets:
        parts, covered, later = open_sets.pop()
        extended = packed[later] & covered
        supports = weigh(extended)
        frequent = np.flatnonzero(supports >= floor)
        for place in frequent:
            longer = (*parts, int(later[place]))
            yield longer, float(supports[place])
            if len(longer) < longest:
                open_sets.append((longer, extended[place], later[frequent[frequent > place]]))


def _packed(matrix: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Columns of matrix `(n, d)` as rows of 64-bit words `(d, ceil(n / 64))`."""
    padded = np.zeros((matrix.shape[1], -(-len(matrix) // 64) * 64), dtype=np.bool_)
    padded[:, : len(matrix)] = matrix.T
    return np.packbits(padded, axis=1).view(np.uint64)


class _EqualWeights:
    """Weighs packed row sets whose rows all weigh the same."""

    def __init__(self, weight: float) -> None:
        self.weight = weight

    def __call__(self, packed: NDArray[np.uint64]) -> Floats:
        return np.bitwise_count(packed).sum(axis=1, dtype=np.float64) * self.weight


class _RowWeights:
    """Weighs packed row sets row by row."""

    def __init__(self, weights: Floats) -> None:
        self.weights = weights

    def __call__(self, packed: NDArray[np.uint64]) -> Floats:
        bits = np.unpackbits(packed.view(np.uint8), axis=1, count=len(self.weights))
        return bits @ self.weights


def _weigher(weights: Floats) -> _EqualWeights | _RowWeights:
    return _EqualWeights(float(weights[0])) if np.ptp(weights) == 0 else _RowWeights(weights)
