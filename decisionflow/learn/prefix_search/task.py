"""What is searched for: the instance in the form that the compiled kernels read."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from decisionflow.learn.prefix_search.bits import Amounts, Integers, Words, binary_amounts, pack
from decisionflow.learn.prefix_search.rows import RowClasses

Paradigm = Literal["post", "pre", "pre_no_collaboration", "corels"]
SIZE, LOSS_0, LOSS_1, GAIN_0, GAIN_1, GAIN = range(6)


class Task(NamedTuple):
    """An instance, in units of one row: every cost is N times the paper's.

    With u the cost of leaving a class to the black box, labelling it z costs `ex_z`, its errors minus u, more than
    leaving it. `amounts` holds per class its size, max(0, ex_0), max(0, ex_1), max(0, -ex_0), max(0, -ex_1) and the
    larger of the last two. `left_cost` is the sum of u, `needed` the rows to be covered, `rule_cost` lambda N. `ratio`:
    errors count per covered row (Eq. 15); `default`: the rows left get one label (Eq. 7); `one_cover`: a list that
    covers enough is never worth extending; `limited`: of two lists that capture the same rows the cheaper is only
    better if it is no longer either. `slope_class`,
    `slope_size`, `slope_errors`: the classes by their share of unavoidable errors. `gain_cap[i]` bounds what the first
    i rules of any list can gain in all.
    """

    rules: Words
    everything: Words
    amounts: Amounts
    rows: int
    needed: int
    rule_cost: float
    beta: float
    left_cost: int
    ratio: bool
    default: bool
    one_cover: bool
    max_rules: int
    limited: bool
    slope_class: NDArray[np.int64]
    slope_size: Integers
    slope_errors: Integers
    gain_cap: NDArray[np.float64]


def rows_needed(min_transparency: float, rows: int) -> int:
    """Fewest rows that reach the minimum transparency (Eq. 9)."""
    return max(0, math.ceil(min_transparency * rows - 1e-9))


def tie_breaker(regularization: float, rows: int) -> float:
    """Weight beta of the uncovered share (section 5.1): too small to trade an error or a rule for coverage."""
    return min(1 / (2 * rows), regularization / 2) if rows else 0.0


def build_task(
    classes: RowClasses, paradigm: Paradigm, min_transparency: float, regularization: float, max_rules: int | None
) -> Task:
    """The task of `classes` under a paradigm; without a limit the list may hold every candidate once."""
    rows = int(classes.sizes.sum())
    leave = _leave_costs(classes, paradigm)
    excess_0, excess_1 = classes.ones - leave, classes.zeros - leave
    gain_0, gain_1 = np.maximum(0, -excess_0), np.maximum(0, -excess_1)
    kinds = [classes.sizes, np.maximum(0, excess_0), np.maximum(0, excess_1), gain_0, gain_1, np.maximum(gain_0, gain_1)]
    slopes = np.argsort(classes.minorities / np.maximum(1, classes.sizes), kind="stable")
    count = len(classes.kept)
    return Task(
        rules=pack(classes.covers.T),
        everything=pack(np.ones((1, len(classes.sizes)), dtype=np.bool_))[0],
        amounts=binary_amounts(kinds),
        rows=rows,
        needed=0 if paradigm == "corels" else rows_needed(min_transparency, rows),
        rule_cost=float(regularization * rows),
        beta=0.0 if paradigm == "corels" else float(tie_breaker(regularization, rows)),
        left_cost=int(leave.sum()),
        ratio=paradigm == "pre_no_collaboration",
        default=paradigm == "corels",
        one_cover=paradigm == "pre",
        max_rules=count if max_rules is None else min(max_rules, count),
        limited=paradigm == "pre_no_collaboration" or (max_rules is not None and max_rules < count),
        slope_class=slopes,
        slope_size=classes.sizes[slopes],
        slope_errors=classes.minorities[slopes],
        gain_cap=np.arange(count + 2) * float(max(gain_0.sum(), gain_1.sum())),
    )


def _leave_costs(classes: RowClasses, paradigm: Paradigm) -> Integers:
    if paradigm == "post":
        return classes.black_box_errors
    if paradigm == "pre_no_collaboration":
        return np.zeros_like(classes.zeros)
    return classes.minorities
