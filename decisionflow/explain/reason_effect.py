"""Whether a feature led to the adverse outcome by being high or by being low."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from decisionflow.conditions.expression import Variable
from decisionflow.conditions.intervals import Region
from decisionflow.conditions.linear import as_number
from decisionflow.conditions.values import Value, is_known
from decisionflow.evaluate.interpreter import Row
from decisionflow.explain.adverse_path import Root
from decisionflow.explain.allowed import MEASURED, Labels
from decisionflow.explain.attributions.dispatch import tested_output as of_label
from decisionflow.explain.completion import Background, complete, in_days
from decisionflow.explain.expression_game import allowed_labels
from decisionflow.explain.node_attribution import tested_output
from decisionflow.program.declarations import Feature, ModelDeclaration
from decisionflow.tables.frame import model_frame
from decisionflow.tables.scalars import from_scalars, to_scalar
from decisionflow.tables.table import KNOWN, Column, Table
from decisionflow.types import BOOLEAN, ModelOutput, Vocabulary

Effect = Literal["raises", "lowers"]


def effect_of(feature: Feature, root: Root, row: Row, background: Background | None) -> Effect | None:
    """`raises` where the feature leads to the adverse outcome by being high, `lowers` by being low.

    A feature without an order `raises` whatever its value is; a missing value does neither (None).
    """
    if not is_known(row.values[feature.name]):
        return None
    if not _is_ordered(feature):
        return "raises"
    if root.name == feature.name:
        return _own_effect(root)
    return None if background is None else _carried_effect(feature, root, row, background)


def _is_ordered(feature: Feature) -> bool:
    kind = feature.type
    return kind in MEASURED or kind == BOOLEAN or (isinstance(kind, Vocabulary) and kind.ordered)


def _own_effect(root: Root) -> Effect | None:
    """Of a feature that the rule itself reads."""
    if root.axis is None or isinstance(root.allowed, Region):
        return "raises" if root.side > 0 else "lowers"
    if not isinstance(root.allowed, Labels):
        return None
    kind, value = root.variable.type, root.axis.value
    if not isinstance(kind, Vocabulary):
        return "raises" if value is True else "lowers"
    rank = kind.labels.index(value)
    allows = root.allowed.contains(value)
    across = [place for place, label in enumerate(kind.labels) if root.allowed.contains(label) != allows]
    nearest = min(across, key=lambda place: abs(place - rank), default=rank)
    return "raises" if nearest <= rank else "lowers"


def _carried_effect(feature: Feature, root: Root, row: Row, background: Background) -> Effect:
    """Of a feature that acts through another variable: with which other values would it be less adverse?

    The feature alone takes each value of the background. Where it leaves an adverse side by taking lower values more
    than by taking higher ones, it is high; where the two are equal, it is compared with the background's mean.
    """
    kind = feature.type
    others, counts = _values(background.table.columns[feature.name])
    own = row.values[feature.name]
    if len(others):
        given = [own, *(to_scalar(value, kind) for value in others)]
        worth = _worth(root, row, background, feature.name, given) * root.side
        less_adverse = (worth[0] - worth[1:]) * counts
        higher = np.array([_rank(feature, value) > _rank(feature, own) for value in given[1:]])
        lower = np.array([_rank(feature, value) < _rank(feature, own) for value in given[1:]])
        by_high, by_low = float(less_adverse[lower].sum()), float(less_adverse[higher].sum())
        if by_high != by_low:
            return "raises" if by_high > by_low else "lowers"
        mean = float(np.average([_rank(feature, value) for value in given[1:]], weights=counts))
        return "raises" if _rank(feature, own) >= mean else "lowers"
    return "raises"


def _values(column: Column) -> tuple[NDArray[np.generic], NDArray[np.intp]]:
    known = column.values if column.states is None else column.values[column.states == KNOWN]
    return np.unique(known, return_counts=True)


def _rank(feature: Feature, value: Value) -> float:
    if isinstance(feature.type, Vocabulary):
        return float(feature.type.labels.index(value))
    return as_number(value)


def _worth(root: Root, row: Row, background: Background, name: str, given: list[Value]) -> NDArray[np.float64]:
    """The root variable where one feature takes each of the values given, (n,): what is allowed counts as 1."""
    features = background.program.features
    once = np.zeros(len(given), np.intp)
    columns = {
        other: from_scalars(given, features[other].type)
        if other == name
        else from_scalars([row.values[other]], features[other].type).take(once)
        for other in background.table.columns
    }
    table = Table(len(given), columns)
    node = background.program.models.get(root.variable.name) if isinstance(root.variable, Variable) else None
    if node is not None:
        return _model_worth(node, root, row, background, table)
    column = _completed(background, table, root)
    if root.variable.type in MEASURED:
        values = in_days(column.values, root.variable)
    else:
        values = allowed_labels(column, root.variable.type, root.allowed, row.evaluate(root.variable)).astype(float)
    return np.where(column.state() == KNOWN, values, 0.0)


def _completed(background: Background, table: Table, root: Root) -> Column:
    found = complete(background.program, background.models, table, background.settings, [root.variable])
    return found[root.variable]


def _model_worth(
    node: ModelDeclaration, root: Root, row: Row, background: Background, table: Table
) -> NDArray[np.float64]:
    """The model's output; of one that gives labels, the probability of the label in question."""
    program, bound = background.program, background.models[node.name]
    inputs = [Variable(used, program.type_of(used)) for used, _ in node.inputs]
    known = complete(program, background.models, table, background.settings, inputs)
    frame = model_frame(
        {column: known[one] for one, (_, column) in zip(inputs, node.inputs, strict=True)},
        {column: one.type for one, (_, column) in zip(inputs, node.inputs, strict=True)},
    )
    wanted = tested_output(node, row.value_of(node.name), root.allowed)
    output = of_label(bound.model, wanted)
    if output.kind == "label":
        return np.asarray(bound.model.column(frame, ModelOutput("label")) == wanted.label, dtype=np.float64)
    return np.asarray(bound.model.column(frame, output), dtype=np.float64)
