"""A neighbourhood as labels to mine, and mined labels as conditions to read, to check and to apply."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from decisionflow.conditions.expression import And, Bound, Compare, Constant, Expression, Variable, Within
from decisionflow.conditions.intervals import Interval
from decisionflow.conditions.operators import AT_LEAST, AT_MOST, EQUAL, GREATER, LESS
from decisionflow.explain.cut_points import Cut, bins_between
from decisionflow.tables.scalars import to_scalar
from decisionflow.types import DATE, INTEGER, NUMBER, TIMESTAMP


@dataclass(frozen=True, slots=True)
class Items:
    """What each column can be asked in a local rule.

    A cut column is asked for one of its intervals, in words (`[20 .. 30)`, `< 20`, `>= 30`, `= 3`); every other column
    for one of its values, as it is. `whole` names the cut columns whose numbers are whole.
    """

    intervals: Mapping[str, Mapping[str, Interval]]
    whole: frozenset[str] = frozenset()

    def labels(self, rows: pd.DataFrame) -> pd.DataFrame:
        """The frame of labels `(n, d)` of a frame of values; a missing value has no label."""
        return pd.DataFrame(
            {
                name: _binned(rows[name], self.intervals[name]) if name in self.intervals else rows[name]
                for name in rows.columns
            },
            index=rows.index,
        )

    def row_labels(self, row: Mapping[str, Any]) -> dict[Hashable, Any]:
        """The labels that are true of one row, column -> label, without the columns it has no value for."""
        labels = self.labels(pd.DataFrame({name: [value] for name, value in row.items()})).iloc[0]
        return {name: label for name, label in labels.items() if not pd.isna(label)}

    def condition(self, conditions: Mapping[Hashable, Any], variables: Mapping[str, Variable]) -> Expression:
        """A rule's conditions (column -> label) as the language's, in the order given; `and` joins several."""
        parts = tuple(self._part(variables[str(name)], label) for name, label in conditions.items())
        return parts[0] if len(parts) == 1 else And(parts)

    def _part(self, variable: Variable, label: Any) -> Expression:
        if variable.name in self.intervals:
            return interval_condition(variable, self.intervals[variable.name][label])
        return Compare(EQUAL, variable, Constant(label, variable.type))

    def applied(
        self, row: Mapping[str, Any], conditions: Mapping[Hashable, Any], steps: Mapping[str, float]
    ) -> dict[str, Any]:
        """The row with the least change of each column that makes the conditions true.

        `steps` says how far past an excluded end a column of numbers moves, one where it says nothing.
        """
        changed = dict(row)
        for name, label in conditions.items():
            column = str(name)
            if column in self.intervals:
                interval = self.intervals[column][label]
                wanted = whole_numbers(interval) if column in self.whole else interval
                changed[column] = moved_into(wanted, row[column], steps.get(column, 1.0))
            else:
                changed[column] = label
        return changed


def items(cuts: Mapping[str, Sequence[Cut]], whole: Iterable[str] = ()) -> Items:
    """The items of a neighbourhood whose columns of numbers are cut so; a column without cuts has no labels."""
    return Items(
        {
            name: {interval_words(interval): interval for interval in (bins_between(places) if places else ())}
            for name, places in cuts.items()
        },
        frozenset(whole),
    )


def interval_words(interval: Interval) -> str:
    """An interval with a finite end as a condition has it after the column's name."""
    low, high = _number_words(interval.low), _number_words(interval.high)
    if interval.low == interval.high:
        return f"= {low}"
    if math.isinf(interval.low):
        return f"{'<=' if interval.high_closed else '<'} {high}"
    if math.isinf(interval.high):
        return f"{'>=' if interval.low_closed else '>'} {low}"
    return f"{'[' if interval.low_closed else '('}{low} .. {high}{']' if interval.high_closed else ')'}"


def interval_condition(variable: Variable, interval: Interval) -> Expression:
    """`variable in interval`, which has a finite end, as a comparison where one end is infinite or both meet."""
    low, high = (_constant(end, variable) for end in (interval.low, interval.high))
    if interval.low == interval.high:
        return Compare(EQUAL, variable, low)
    if math.isinf(interval.low):
        return Compare(AT_MOST if interval.high_closed else LESS, variable, high)
    if math.isinf(interval.high):
        return Compare(AT_LEAST if interval.low_closed else GREATER, variable, low)
    return Within(variable, Bound(low, interval.low_closed), Bound(high, interval.high_closed))


def whole_numbers(interval: Interval) -> Interval:
    """The closed interval between the first and the last whole number of one."""
    low, high = interval.low, interval.high
    if math.isfinite(low):
        low = float(math.ceil(low) if interval.low_closed else math.floor(low) + 1)
    if math.isfinite(high):
        high = float(math.floor(high) if interval.high_closed else math.ceil(high) - 1)
    return Interval(low, high, math.isfinite(low), math.isfinite(high))


def moved_into(interval: Interval, value: Any, step: float) -> float:
    """The number of an interval nearest to a value; an excluded end is passed by one step, or half the interval if that
    is less. Of a missing value the interval's lower end is nearest, or its upper one where that is the only one."""
    known = not pd.isna(value)
    if known and interval.contains(float(value)):
        return float(value)
    inward = min(step, (interval.high - interval.low) / 2)
    low = interval.low if interval.low_closed else interval.low + inward
    high = interval.high if interval.high_closed else interval.high - inward
    if math.isinf(interval.low):
        return high
    return high if known and float(value) >= interval.high else low


def _binned(column: pd.Series, intervals: Mapping[str, Interval]) -> pd.Series:
    values = pd.to_numeric(column).to_numpy(dtype=np.float64, na_value=np.nan)
    labels = np.full(len(values), None, dtype=object)
    for words, interval in intervals.items():
        above = values >= interval.low if interval.low_closed else values > interval.low
        below = values <= interval.high if interval.high_closed else values < interval.high
        labels[above & below] = words
    return pd.Series(labels, index=column.index, dtype=object)


def _constant(end: float, variable: Variable) -> Constant:
    if variable.type in (DATE, TIMESTAMP):
        known = math.isfinite(end)
        return Constant(to_scalar(end, variable.type) if known else end, variable.type)
    if variable.type == INTEGER and float(end).is_integer():
        return Constant(int(end), INTEGER)
    return Constant(float(end), NUMBER)


def _number_words(number: float) -> str:
    return str(int(number)) if math.isfinite(number) and float(number).is_integer() else repr(float(number))
