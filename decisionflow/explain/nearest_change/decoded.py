"""An ensemble of trees decoded, and put over the features of a policy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from decisionflow.conditions.intervals import Interval, Region
from decisionflow.conditions.values import Value
from decisionflow.evaluate.bound_model import BoundModel
from decisionflow.explain.allowed import Labels
from decisionflow.explain.attributions.booster_decoding import native_sum
from decisionflow.explain.attributions.leaves import leaves_of
from decisionflow.explain.attributions.preprocessing import Preprocessing, preprocessing_of
from decisionflow.explain.attributions.scales import agree
from decisionflow.explain.attributions.tree_decoding import DecisionTree, TreeSum, booster_sum, forest_sum
from decisionflow.explain.nearest_change.contents import ABSENT, Content, Known, Label
from decisionflow.explain.nearest_change.formula import Form
from decisionflow.explain.nearest_change.probing import Probe
from decisionflow.explain.nearest_change.trees import Branch, Forest, Leaf, Split, Tree, below
from decisionflow.types import ModelOutput

MOST_LEAVES = 20_000
BESIDE = 1e-6


@dataclass(frozen=True, slots=True)
class Read:
    """How a column that the trees read is made of one column of the model: a line, or a number for each label."""

    column: str
    slope: float = 1.0
    shift: float = 0.0
    labels: Mapping[Value, float] | None = None


@dataclass(frozen=True, slots=True)
class Decoded:
    """Trees, what they read, and their `sums` (n,) on the rows of a probe; `offset` is what the output has beyond."""

    trees: tuple[DecisionTree, ...]
    sign: float
    single: bool
    tolerance: float
    reads: tuple[Read, ...]
    sums: NDArray[np.float64]
    offset: float = 0.0

    def shifted(self, offset: float) -> Decoded:
        """With a constant beside the trees."""
        return replace(self, offset=offset)

    def over(self, contents: Mapping[str, Content]) -> Forest | None:
        """The trees over features, each column being so; None where a column is made of several features."""
        made = _Planting(self, contents)
        trees = []
        for tree in self.trees:
            planted = made.plant(tree, 0)
            if planted is None:
                return None
            trees.append(planted)
        return Forest(tuple(trees), self.offset, made.around)


class _Planting:
    """Turns decoded trees into trees over features."""

    def __init__(self, source: Decoded, contents: Mapping[str, Content]) -> None:
        self.source, self.contents = source, contents
        self.around: dict[int, dict[float, tuple[float, ...]]] = {}
        self.known: dict[tuple[int, float, bool], Split | bool | None] = {}

    def plant(self, tree: DecisionTree, node: int) -> Tree | None:
        """The tree from a node on."""
        if tree.left[node] < 0:
            return Leaf(self.source.sign * float(tree.value[node]))
        key = int(tree.feature[node]), float(tree.threshold[node]), bool(tree.missing_left[node])
        if key not in self.known:
            self.known[key] = self._split(*key)
        split = self.known[key]
        if split is None:
            return None
        if isinstance(split, bool):
            return self.plant(tree, int(tree.left[node] if split else tree.right[node]))
        left, right = self.plant(tree, int(tree.left[node])), self.plant(tree, int(tree.right[node]))
        return None if left is None or right is None else Branch(split, left, right)

    def _split(self, place: int, threshold: float, missing_left: bool) -> Split | bool | None:
        """The split over a feature; the side that every row takes where no feature is behind it; else None."""
        read = self.source.reads[place]
        content = self.contents[read.column]
        if content is ABSENT:
            return missing_left
        if read.labels is not None:
            left = frozenset(label for label, number in read.labels.items() if self._compared(number) <= threshold)
            if isinstance(content, Known):
                return content.value in left
            return Split(content.feature, Labels(left)) if isinstance(content, Label) else None
        if not isinstance(content, Form) or content.labels or len(content.weights) > 1:
            return None
        form = Form(content.weights, constant=content.constant).scaled(read.slope).plus(Form(constant=read.shift))
        if not form.weights:
            return self._compared(form.constant) <= threshold
        ((feature, weight),) = form.weights.items()
        return Split(feature, self._region(feature, weight, form.constant, threshold))

    def _region(self, feature: int, weight: float, constant: float, threshold: float) -> Region:
        around = self.around.setdefault(feature, {})
        if weight == 1 and constant == 0:
            region, end, beside = below(threshold, self.source.single)
            around[end] = beside
            return region
        end = (threshold - constant) / weight
        apart = BESIDE * max(1.0, abs(end))
        around[end] = (end - apart, end + apart)
        return Region((Interval(high=end) if weight > 0 else Interval(low=end),))

    def _compared(self, number: float) -> float:
        return float(np.float32(number)) if self.source.single else number


def decoded(bound: BoundModel, output: ModelOutput, probe: Probe) -> Decoded | None:
    """The trees behind a model's output; None for other models, and where steps before them mix columns."""
    model = bound.model
    preprocessing = preprocessing_of(model, probe.frame)
    if preprocessing is None:
        return None
    found = _trees(preprocessing, bound, output)
    if found is None or sum(int((tree.left < 0).sum()) for tree in found[0].trees) > MOST_LEAVES:
        return None
    trees, sign = found
    leaves = leaves_of(trees)
    matrix = preprocessing.matrix(probe.frame)
    reads = _reads(preprocessing, probe, matrix)
    if leaves is None or reads is None:
        return None
    reached = leaves.masks(leaves.holds(matrix)) == leaves.full if len(leaves.counts) else np.zeros((len(matrix), 0))
    sums = sign * (leaves.constant + reached @ leaves.value)
    return Decoded(trees.trees, sign, trees.single, trees.tolerance, reads, sums)


def _trees(preprocessing: Preprocessing, bound: BoundModel, output: ModelOutput) -> tuple[TreeSum, float] | None:
    """The trees towards the output's label, and their sign: a booster of two classes has those of the second."""
    model, last = bound.model, preprocessing.last
    classes = len(model.classes or ())
    place = model.class_index(output) if classes else 0
    forest = forest_sum(last, place)
    if forest is not None:
        return forest, 1.0
    if classes > 2 and output.kind == "probability":
        return None
    own = place if classes > 2 else 0
    trees = booster_sum(last, own) or native_sum(last, own, len(preprocessing.sources))
    return None if trees is None else (trees, -1.0 if classes == 2 and place == 0 else 1.0)


def _reads(preprocessing: Preprocessing, probe: Probe, matrix: NDArray[np.float64]) -> tuple[Read, ...] | None:
    found = [
        _read(probe, preprocessing.columns[source], matrix[:, at]) for at, source in enumerate(preprocessing.sources)
    ]
    known = tuple(read for read in found if read is not None)
    return known if len(known) == len(found) else None


def _read(probe: Probe, column: str, numbers: NDArray[np.float64]) -> Read | None:
    rows = probe.at(column)
    values = [probe.values[column][row] for row in rows]
    if isinstance(values[0], str | bool):
        return Read(column, labels={value: float(numbers[row]) for row, value in zip(rows, values, strict=True)})
    if len(rows) == 1:
        return Read(column, 0.0, float(numbers[0]))
    places = probe.numbers(column)
    if np.array_equal(places, numbers[rows]):
        return Read(column)
    slope = float((numbers[rows[-1]] - numbers[0]) / (places[-1] - places[0]))
    shift = float(numbers[0] - slope * places[0])
    return Read(column, slope, shift) if agree(slope * places + shift, numbers[rows]) else None
