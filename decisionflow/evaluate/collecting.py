"""What a decision that collects holds of the outcomes of its rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from decisionflow.conditions.values import MISSING, Value
from decisionflow.evaluate.block import Block
from decisionflow.evaluate.columns.moments import add
from decisionflow.evaluate.constants import constant, filler
from decisionflow.evaluate.rule_plans import DecisionPlan, RulePlan
from decisionflow.evaluate.vector import KNOWN, Mask, Values, Vector, spread, with_states
from decisionflow.program.declarations import Decision, RuleList
from decisionflow.tables.scalars import to_scalar
from decisionflow.types import Record, Type

Given = Sequence[tuple[RulePlan, Mask, Vector]]


def collected(block: Block, plan: DecisionPlan, given: Given, kept: Vector | None = None) -> Vector:
    """The values that rules gave in the rows of their masks, in the order of the rules, as the aggregation holds them.

    `kept` lends the states of a value that stands alone.
    """
    aggregation = aggregation_of(plan.decision)
    if aggregation == "list":
        lists = _lists(block.rows, plan.decision.type, given)
        return Vector(lists) if kept is None else Vector(lists, kept.states, kept.needs)
    if aggregation == "count":
        return Vector(sum((rows.astype(np.int64) for _, rows, _ in given), start=np.zeros(block.rows, np.int64)))
    return _folded(block.rows, plan.decision.type, given, _STEP[aggregation])


def aggregation_of(decision: Decision) -> str:
    """How a decision collects; empty where it does not."""
    return decision.body.aggregation if isinstance(decision.body, RuleList) else ""


def nothing_collected(decision: Decision) -> Vector:
    """The value where no rule fired and nothing was written for that."""
    aggregation = aggregation_of(decision)
    if aggregation == "list":
        empty = np.empty(1, dtype=object)
        empty[0] = ()
        return Vector(empty)
    value: Value = 0 if aggregation in ("count", "sum") else MISSING
    return constant(value, decision.held)


def scalars(values: Values, kind: Type, rows: NDArray[np.intp]) -> list[Any]:
    """Single values of some rows, dicts for records."""
    if isinstance(kind, Record):
        parts = {name: scalars(values[name], part, rows) for name, part in kind.parts}
        return [dict(zip(parts, each, strict=True)) for each in zip(*parts.values(), strict=True)]
    return [to_scalar(each, kind) for each in values[rows].tolist()]


def _lists(rows: int, kind: Type, given: Given) -> NDArray[Any]:
    found: list[tuple[Any, ...]] = [()] * rows
    for _, mask, outcome in given:
        chosen = np.flatnonzero(mask)
        for row, item in zip(chosen.tolist(), scalars(spread(outcome.values, rows), kind, chosen), strict=True):
            found[row] = (*found[row], item)
    lists = np.empty(rows, dtype=object)
    lists[:] = found
    return lists


def _folded(rows: int, kind: Type, given: Given, step: Callable[[Any, Any, Type], Any]) -> Vector:
    total, states, begun = filler(kind, rows), np.zeros(rows, np.int32), np.zeros(rows, np.bool_)
    for _, mask, outcome in given:
        together, codes = step(total, outcome.values, kind)
        joining = mask & begun & (states == KNOWN)
        np.copyto(total, together, where=joining)
        if codes is not None:
            np.copyto(states, codes, where=joining)
        np.copyto(total, outcome.values, where=mask & ~begun)
        begun |= mask
    return with_states(total, states)


def _sum(total: Any, value: Any, kind: Type) -> Any:
    return add(total, value, (kind, kind))


def _smaller(total: Any, value: Any, _kind: Type) -> Any:
    return np.minimum(total, value), None


def _larger(total: Any, value: Any, _kind: Type) -> Any:
    return np.maximum(total, value), None


_STEP: dict[str, Callable[[Any, Any, Type], Any]] = {"sum": _sum, "min": _smaller, "max": _larger}
