"""Where a policy itself cuts its features and models: thresholds of its conditions, splits of its trees."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from decisionflow.conditions.expression import Expression, Variable, atoms, variables
from decisionflow.conditions.intervals import Region
from decisionflow.conditions.linear import LinearForm
from decisionflow.evaluate.interpreter import Row
from decisionflow.evaluate.masked import tells
from decisionflow.explain.allowed import allowed_sets
from decisionflow.explain.attributions.booster_decoding import native_sum
from decisionflow.explain.attributions.preprocessing import Preprocessing, preprocessing_of
from decisionflow.explain.attributions.scaling import scaling_of
from decisionflow.explain.attributions.tree_decoding import booster_sum, forest_sum
from decisionflow.explain.cut_points import Cut, cuts_of
from decisionflow.models.model import Model
from decisionflow.program.program import Program
from decisionflow.types import DATE, INTEGER, TIMESTAMP

DIGITS = 6
MICROSECONDS_A_DAY = 86_400_000_000.0
Cuts = dict[str, set[Cut]]


def policy_atoms(program: Program, decision: str) -> tuple[Expression, ...]:
    """Every condition without logic inside in the rules of a decision and of those behind it, in order."""
    behind = program.ancestors(decision)
    named = [name for name in program.order if name in program.decisions and (name in behind or name == decision)]
    found = (atom for name in named for rule in program.decisions[name].rules for atom in atoms(rule.condition))
    return tuple(dict.fromkeys(atom for atom in found if variables(atom)))


def thresholds(row: Row, conditions: Iterable[Expression], opened: Mapping[str, LinearForm]) -> Cuts:
    """The cuts that conditions make in each name; of a condition over several, where it cuts each at this row.

    Where that would tell a sensitive value there is none. Dates are cut in days and timestamps in microseconds since
    1970-01-01, as columns hold them.
    """
    found: Cuts = {}
    for condition in conditions:
        for axis in allowed_sets((condition,), row.evaluate, opened):
            if axis.is_sliced and tells(row.program, condition):
                continue
            if isinstance(axis.variable, Variable) and isinstance(axis.allowed, Region):
                scale = MICROSECONDS_A_DAY if axis.variable.type == TIMESTAMP else 1.0
                whole = axis.variable.type in (INTEGER, DATE, TIMESTAMP)
                cuts = (cut for interval in axis.allowed.intervals for cut in cuts_of(interval))
                found.setdefault(axis.variable.name, set()).update(
                    whole_cut(Cut(cut.point * scale, cut.below)) if whole else cut for cut in cuts
                )
    return found


def whole_cut(cut: Cut) -> Cut:
    """The cut at a whole number that parts whole numbers alike."""
    return Cut(float(np.floor(cut.point) + 1 if cut.below else np.ceil(cut.point)))


def tree_splits(model: Model, background: pd.DataFrame) -> Cuts:
    """Where the trees of a model split each of its columns, to six digits; nothing for other models.

    Columns that the model changes otherwise than by a scaler before its trees read them are left out.
    """
    preprocessing = preprocessing_of(model, background)
    if preprocessing is None:
        return {}
    width = len(preprocessing.sources)
    trees = forest_sum(preprocessing.last, 0) or booster_sum(preprocessing.last, 0)
    trees = trees or native_sum(preprocessing.last, 0, width)
    if trees is None:
        return {}
    slope, shift = _scales(preprocessing, background)
    found: Cuts = {}
    for tree in trees.trees:
        inner = tree.left >= 0
        for place, point in zip(tree.feature[inner], tree.threshold[inner], strict=True):
            if slope[place] > 0:
                cut = Cut(float(f"{(point - shift[place]) / slope[place]:.{DIGITS}g}"), below=True)
                found.setdefault(preprocessing.columns[preprocessing.sources[place]], set()).add(cut)
    return found


def _scales(preprocessing: Preprocessing, background: pd.DataFrame) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Slope and shift of each column that the trees read; slope zero where it is no source column, scaled or not."""
    scaling = scaling_of(preprocessing.transformers, len(preprocessing.columns))
    if scaling is not None:
        return np.broadcast_to(scaling[0], len(preprocessing.sources)), np.broadcast_to(
            scaling[1], len(preprocessing.sources)
        )
    matrix = preprocessing.matrix(background)
    same = [_is_source(matrix[:, place], background, preprocessing, place) for place in range(matrix.shape[1])]
    return np.array(same, dtype=np.float64), np.zeros(len(same))


def _is_source(column: NDArray[np.float64], background: pd.DataFrame, preprocessing: Preprocessing, place: int) -> bool:
    source = background[preprocessing.columns[preprocessing.sources[place]]]
    numeric = pd.api.types.is_numeric_dtype(source.dtype)
    return numeric and bool(np.array_equal(column, source.to_numpy(dtype=np.float64, na_value=np.nan), equal_nan=True))
