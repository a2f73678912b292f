"""scikit-learn's tree ensembles as plain arrays: a sum of trees whose leaves are boxes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class DecisionTree:
    """A binary tree in arrays over its nodes; a row goes left when its value is at most `threshold`.

    `left` and `right` are −1 at a leaf, whose `value` counts; `missing_left` says where a missing value goes.
    """

    left: NDArray[np.intp]
    right: NDArray[np.intp]
    feature: NDArray[np.intp]
    threshold: NDArray[np.float64]
    missing_left: NDArray[np.bool_]
    value: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TreeSum:
    """The trees' values add up to the output, but for a constant.

    `single`: rows are rounded to single precision. `tolerance`: how near the library's own sum comes, relative above 1.
    """

    trees: tuple[DecisionTree, ...]
    single: bool
    tolerance: float = 1e-9


def forest_sum(last: Any, place: int) -> TreeSum | None:
    """A forest's mean, or a tree's value, for the class (or the only output) at `place`; None for other estimators."""
    from sklearn.ensemble import (
        ExtraTreesClassifier,
        ExtraTreesRegressor,
        RandomForestClassifier,
        RandomForestRegressor,
    )
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    if isinstance(last, RandomForestClassifier | ExtraTreesClassifier | RandomForestRegressor | ExtraTreesRegressor):
        members = last.estimators_
    elif isinstance(last, DecisionTreeClassifier | DecisionTreeRegressor):
        members = [last]
    else:
        return None
    if getattr(last, "n_outputs_", 1) != 1:
        return None
    return TreeSum(tuple(_shared(member, place, len(members)) for member in members), single=True)


def booster_sum(last: Any, place: int) -> TreeSum | None:
    """The margin of scikit-learn's boosters for the output at `place`; None for others and for categorical splits."""
    from sklearn.ensemble import (
        GradientBoostingClassifier,
        GradientBoostingRegressor,
        HistGradientBoostingClassifier,
        HistGradientBoostingRegressor,
    )

    if isinstance(last, GradientBoostingClassifier | GradientBoostingRegressor):
        members = [stage[place].tree_ for stage in last.estimators_]
        return TreeSum(tuple(_tree(each, last.learning_rate * each.value[:, 0, 0]) for each in members), single=True)
    if isinstance(last, HistGradientBoostingClassifier | HistGradientBoostingRegressor):
        nodes = [stage[place].nodes for stage in last._predictors]
        plain = not any(bool(each["is_categorical"].any()) for each in nodes)
        plain = plain and getattr(last, "_preprocessor", None) is None
        return TreeSum(tuple(_histogram_tree(each) for each in nodes), single=False) if plain else None
    return None


def _shared(member: Any, place: int, members: int) -> DecisionTree:
    tree = member.tree_
    value = tree.value[:, 0, :]
    if hasattr(member, "classes_"):
        value = value / value.sum(axis=1, keepdims=True)
    return _tree(tree, value[:, place] / members)


def _tree(tree: Any, value: NDArray[np.float64]) -> DecisionTree:
    return DecisionTree(
        left=np.asarray(tree.children_left, dtype=np.intp),
        right=np.asarray(tree.children_right, dtype=np.intp),
        feature=np.asarray(tree.feature, dtype=np.intp),
        threshold=np.asarray(tree.threshold, dtype=np.float64),
        missing_left=np.asarray(tree.missing_go_to_left, dtype=bool),
        value=np.asarray(value, dtype=np.float64),
    )


def _histogram_tree(nodes: Any) -> DecisionTree:
    leaf = nodes["is_leaf"].astype(bool)
    return DecisionTree(
        left=np.where(leaf, -1, nodes["left"].astype(np.intp)),
        right=np.where(leaf, -1, nodes["right"].astype(np.intp)),
        feature=nodes["feature_idx"].astype(np.intp),
        threshold=nodes["num_threshold"].astype(np.float64),
        missing_left=nodes["missing_go_to_left"].astype(bool),
        value=nodes["value"].astype(np.float64),
    )
