"""The trees of XGBoost, LightGBM and CatBoost as plain arrays."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from decisionflow.explain.attributions.tree_decoding import DecisionTree, TreeSum

SINGLE_TOLERANCE = 1e-5


@dataclass(slots=True)
class _Growing:
    """A tree's arrays while they are filled."""

    left: list[int] = field(default_factory=list)
    right: list[int] = field(default_factory=list)
    feature: list[int] = field(default_factory=list)
    threshold: list[float] = field(default_factory=list)
    missing_left: list[bool] = field(default_factory=list)
    value: list[float] = field(default_factory=list)

    def node(self, feature: int = -1, threshold: float = 0.0, missing_left: bool = False, value: float = 0.0) -> int:
        for column, entry in zip(self._columns(), (-1, -1, feature, threshold, missing_left, value), strict=True):
            column.append(entry)
        return len(self.left) - 1

    def split(self, node: int, left: int, right: int) -> int:
        self.left[node], self.right[node] = left, right
        return node

    def tree(self) -> DecisionTree:
        return DecisionTree(*(np.array(column) for column in self._columns()))

    def _columns(self) -> tuple[list[Any], ...]:
        return self.left, self.right, self.feature, self.threshold, self.missing_left, self.value


def native_sum(last: Any, place: int, width: int) -> TreeSum | None:
    """The margin for the output at `place` of another library's booster that reads `width` columns.

    None for other objects, and for trees that are no sum of boxes: categorical splits, linear leaves, weighted rounds.
    """
    decode = DECODERS.get(type(last).__module__.partition(".")[0])
    trees = decode(last, place, width) if decode is not None else None
    return None if trees is None else TreeSum(tuple(trees[0]), trees[1], SINGLE_TOLERANCE if trees[1] else 1e-9)


Decoded = tuple[list[DecisionTree], bool] | None


def _xgboost(last: Any, place: int, width: int) -> Decoded:
    """Trees in single precision: `yes` is left, where a value is below the split, not equal to it."""
    booster = last.get_booster() if hasattr(last, "get_booster") else last
    learner = json.loads(booster.save_config())["learner"]
    if learner["gradient_booster"]["name"] != "gbtree":
        return None
    stopped = booster.attributes().get("best_iteration")
    kept = booster if stopped is None else booster[: int(stopped) + 1]
    outputs = max(1, int(learner["learner_model_param"]["num_class"]))
    names = {name: at for at, name in enumerate(booster.feature_names or [f"f{at}" for at in range(width)])}
    dumps = [json.loads(each) for each in kept.get_dump(dump_format="json")][place::outputs]
    if any(not _xgboost_is_plain(each) for each in dumps):
        return None
    return [_grown(each, lambda tree, node: _xgboost_node(tree, node, names)) for each in dumps], True


def _xgboost_is_plain(node: Mapping[str, Any]) -> bool:
    if "leaf" in node:
        return not isinstance(node["leaf"], list)
    numeric = not isinstance(node.get("split_condition"), list | type(None))
    return numeric and all(_xgboost_is_plain(each) for each in node["children"])


def _xgboost_node(tree: _Growing, node: Mapping[str, Any], names: Mapping[str, int]) -> int:
    if "leaf" in node:
        return tree.node(value=float(np.float32(node["leaf"])))
    below = np.nextafter(np.float32(node["split_condition"]), np.float32(-np.inf))
    made = tree.node(names[node["split"]], float(below), node["missing"] == node["yes"])
    children = {each["nodeid"]: each for each in node["children"]}
    left = _xgboost_node(tree, children[node["yes"]], names)
    return tree.split(made, left, _xgboost_node(tree, children[node["no"]], names))


def _lightgbm(last: Any, place: int, width: int) -> Decoded:
    """Trees in double precision; where training saw no missing value, one is taken for zero."""
    del width
    described = (last.booster_ if hasattr(last, "booster_") else last).dump_model()
    if described.get("average_output"):
        return None
    outputs = int(described["num_tree_per_iteration"])
    roots = [each["tree_structure"] for each in described["tree_info"]][place::outputs]
    return ([_grown(each, _lightgbm_node) for each in roots], False) if all(map(_lightgbm_is_plain, roots)) else None


def _lightgbm_is_plain(node: Mapping[str, Any]) -> bool:
    if "split_feature" not in node:
        return "leaf_coeff" not in node
    plain = node["decision_type"] == "<=" and node["missing_type"] != "Zero"
    return plain and _lightgbm_is_plain(node["left_child"]) and _lightgbm_is_plain(node["right_child"])


def _lightgbm_node(tree: _Growing, node: Mapping[str, Any]) -> int:
    if "split_feature" not in node:
        return tree.node(value=float(node["leaf_value"]))
    threshold = float(node["threshold"])
    missing_left = threshold >= 0.0 if node["missing_type"] == "None" else bool(node["default_left"])
    made = tree.node(int(node["split_feature"]), threshold, missing_left)
    left = _lightgbm_node(tree, node["left_child"])
    return tree.split(made, left, _lightgbm_node(tree, node["right_child"]))


def _catboost(last: Any, place: int, width: int) -> Decoded:
    """Oblivious trees in single precision; bit i of a leaf's number says that split i's border is exceeded."""
    del width
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        last.save_model(str(path), format="json")
        described = json.loads(path.read_text())
    numbers = described["features_info"].get("float_features", [])
    splits = [split for tree in described.get("oblivious_trees", []) for split in tree["splits"] or []]
    if "oblivious_trees" not in described or any(split["split_type"] != "FloatFeature" for split in splits):
        return None
    scale, outputs = float(described["scale_and_bias"][0]), max(1, len(described["scale_and_bias"][1]))
    trees = []
    for each in described["oblivious_trees"]:
        tree, leaves = _Growing(), np.array(each["leaf_values"], dtype=float)[place::outputs] * scale
        _catboost_node(tree, each["splits"] or [], numbers, leaves, 0)
        trees.append(tree.tree())
    return trees, True


def _catboost_node(tree: _Growing, splits: list[Any], numbers: list[Any], leaves: Any, number: int) -> int:
    if not splits:
        return tree.node(value=float(leaves[number]))
    *rest, split = splits
    column = numbers[split["float_feature_index"]]
    missing_left = column.get("nan_value_treatment") != "AsTrue"
    made = tree.node(int(column["flat_feature_index"]), float(np.float32(split["border"])), missing_left)
    left = _catboost_node(tree, rest, numbers, leaves, number)
    return tree.split(made, left, _catboost_node(tree, rest, numbers, leaves, number | 1 << len(rest)))


def _grown(root: Any, node: Callable[[_Growing, Any], int]) -> DecisionTree:
    tree = _Growing()
    node(tree, root)
    return tree.tree()


DECODERS: dict[str, Callable[[Any, int, int], Decoded]] = {
    "xgboost": _xgboost,
    "lightgbm": _lightgbm,
    "catboost": _catboost,
}
