"""A sum of trees over the features of a policy: its splits as conditions on features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from decisionflow.conditions.intervals import Interval, Region
from decisionflow.conditions.values import Value
from decisionflow.explain.allowed import Labels


@dataclass(frozen=True, slots=True)
class Split:
    """A row goes left where `feature` is in `left`."""

    feature: int
    left: Region | Labels


@dataclass(frozen=True, slots=True)
class Leaf:
    """What a row that ends here adds to the score."""

    value: float


@dataclass(frozen=True, slots=True)
class Branch:
    """A split with what follows on either side."""

    split: Split
    left: Tree
    right: Tree


Tree = Leaf | Branch


@dataclass(frozen=True)
class Forest:
    """Trees whose leaves add up to the score, with a constant; `around` has the places beside each end of a split."""

    trees: tuple[Tree, ...]
    constant: float
    around: Mapping[int, Mapping[float, tuple[float, ...]]]

    @cached_property
    def splits(self) -> tuple[Split, ...]:
        """Every split, each object once."""
        return tuple({id(split): split for tree in self.trees for split in _splits(tree)}.values())

    @cached_property
    def features(self) -> tuple[int, ...]:
        """The features that some split asks about."""
        return tuple(sorted({split.feature for split in self.splits}))

    def score(self, values: Mapping[int, Value]) -> float:
        """The sum of the leaves where the features have these values."""
        return self.constant + sum(_leaf(tree, values) for tree in self.trees)

    def scores(self, columns: Mapping[int, NDArray[Any]], rows: int) -> NDArray[np.float64]:
        """The score of many points (n,), given a column (n,) of values for each feature."""
        left = {id(split): _lefts(split, columns[split.feature]) for split in self.splits}
        total = np.full(rows, self.constant)
        for tree in self.trees:
            total += _column(tree, left, rows)
        return total


def _lefts(split: Split, column: NDArray[Any]) -> NDArray[np.bool_]:
    if isinstance(split.left, Labels):
        return np.array([split.left.contains(label) for label in column.tolist()], dtype=bool)
    (interval,) = split.left.intervals
    above = column >= interval.low if interval.low_closed else column > interval.low
    return np.asarray(above & (column <= interval.high if interval.high_closed else column < interval.high))


def _column(tree: Tree, left: Mapping[int, NDArray[np.bool_]], rows: int) -> NDArray[np.float64]:
    if isinstance(tree, Leaf):
        return np.full(rows, tree.value)
    goes = left[id(tree.split)]
    return np.where(goes, _column(tree.left, left, rows), _column(tree.right, left, rows))


def _leaf(tree: Tree, values: Mapping[int, Value]) -> float:
    while isinstance(tree, Branch):
        split = tree.split
        tree = tree.left if split.left.contains(values[split.feature]) else tree.right
    return tree.value


def _splits(tree: Tree) -> Sequence[Split]:
    found, waiting = [], [tree]
    while waiting:
        at = waiting.pop()
        if isinstance(at, Branch):
            found.append(at.split)
            waiting += [at.left, at.right]
    return found


def below(threshold: float, single: bool) -> tuple[Region, float, tuple[float, float]]:
    """The numbers that a split sends left, their end, and short decimals on either side of it.

    In single precision a number is compared after rounding, so the end lies half way between two neighbours there.
    """
    largest = np.float32(threshold)
    if float(largest) > threshold:
        largest = np.nextafter(largest, np.float32(-np.inf))
    following = np.nextafter(largest, np.float32(np.inf))
    if single:
        end = (float(largest) + float(following)) / 2
        return Region((Interval(high=end),)), end, (float(str(largest)), float(str(following)))
    return Region((Interval(high=threshold, high_closed=True),)), threshold, (threshold, _above(threshold, following))


def _above(threshold: float, following: np.float32) -> float:
    short = float(str(following))
    return short if short > threshold else float(following)
