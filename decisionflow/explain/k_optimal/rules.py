"""The k best rules for one class in a frame of labels."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from decisionflow.explain.k_optimal import measures
from decisionflow.explain.k_optimal.bit_sets import Layout, layout, pack
from decisionflow.explain.k_optimal.labels import LabelCondition, class_rows, frequent_conditions, letters
from decisionflow.explain.k_optimal.rule import KOptimalRule, best_first
from decisionflow.explain.k_optimal.search import Best, Question, k_best

NUMBERS = (
    ("m", sys.float_info.max, "a number of at least 0"),
    ("min_support", 1.0, "a share of the rows, from 0 to 1"),
    ("alpha", 1.0, "a probability, from 0 to 1"),
)
"""The settings that need not be whole: name, largest value, meaning."""


class Mining(NamedTuple):
    """What makes a rule good enough, as in `k_optimal_rules`."""

    measure: str = "leverage"
    k: int = 10
    max_conditions: int = 4
    m: float = 2.0
    min_support: float = 0.02
    alpha: float = 0.05


def k_optimal_rules(
    frame: pd.DataFrame,
    labels: ArrayLike,
    target: object,
    measure: str = "leverage",
    k: int = 10,
    max_conditions: int = 4,
    m: float = 2.0,
    min_support: float = 0.02,
    alpha: float = 0.05,
) -> list[KOptimalRule]:
    """Find exactly the k best rules `column = label and ... -> target`, best first (LoRMIkA, section 3.7).

    `frame` is `(n, d)` and holds labels, not numbers to be cut; a condition is a column and one of its labels, and a
    rule has one to `max_conditions` of them, at most one per column. `labels` is `(n,)`, matched to the rows by place.
    A missing label satisfies no condition, and a row whose class is missing is in no class; both count as rows.

    A rule competes for the k places when
    - its support, hits / n, is at least `min_support` and it has a hit;
    - it is not redundant: dropping any one condition enlarges the set of rows that it covers (so a lone condition that
      all rows satisfy is redundant);
    - it is productive: hits / covered, without the m-estimate, exceeds that of each rule with one condition less (of
      the class's share of all rows, for a rule with one condition);
    - it is significant: the largest p-value of Fisher's exact tests, one-sided, against each of these shorter rules is
      at most `alpha`. The tests are not corrected for their number.
    Rules that fail do not count among the k; the shorter rules compared with need no support and pass no filter
    themselves. `m` is the weight of the class's share in confidence and lift.

    Order: the measure, where values within 1e-12 are equal, then fewer conditions, then the text `column = label and
    ...` with conditions in the order of the frame's columns. Fewer than k rules come back when no more exist, none when
    no row, or every row, is in the class.

    Raises DataError when `frame` is no DataFrame, the labels do not fit it, a column's name is not unique or a label is
    no single value (a list, say), ValueError for a measure or number that makes no sense.
    """
    return mine(frame, labels, target, Mining(measure, k, max_conditions, m, min_support, alpha))


def mine(
    frame: pd.DataFrame,
    labels: ArrayLike,
    target: object,
    mining: Mining,
    row: Mapping[Hashable, Any] | None = None,
    holds: bool = True,
) -> list[KOptimalRule]:
    """The rules of `k_optimal_rules` whose conditions are all true, or not all true (`holds`), for a row's labels."""
    _check(mining)
    in_class = class_rows(frame, labels, target)
    positives = int(np.count_nonzero(in_class))
    if positives in {0, len(frame)}:
        return []
    conditions = frequent_conditions(frame, in_class, mining.min_support)
    required = np.ones(len(conditions), dtype=np.bool_)
    if row is not None:
        at_row = [_true_of(row, condition) for condition in conditions]
        if holds:
            conditions = [condition for condition, true in zip(conditions, at_row, strict=True) if true]
            required = required[: len(conditions)]
        else:
            required = ~np.array(at_row, dtype=np.bool_)
    question = _question(frame, in_class, conditions, required, mining)
    best = k_best(question, int(mining.k))
    places = sorted(range(int(best.found[0])), key=lambda place: best.conditions[place].tolist())
    rules = [_rule(best, place, conditions, question, target) for place in places]
    return best_first(rules, mining.measure)


def _true_of(row: Mapping[Hashable, Any], condition: LabelCondition) -> bool:
    """Whether a row has the label; a missing one satisfies no condition."""
    label = row.get(condition.column)
    return not pd.isna(label) and bool(label == condition.label)


def _check(mining: Mining) -> None:
    if mining.measure not in measures.MEASURES:
        raise ValueError(f"measure is one of {', '.join(measures.MEASURES)}, not {mining.measure!r}")
    for name in ("k", "max_conditions"):
        number = getattr(mining, name)
        if not (isinstance(number, int | np.integer) and number >= 1):
            raise ValueError(f"{name} is a whole number of at least 1, not {number!r}")
    for name, most, meaning in NUMBERS:
        number = getattr(mining, name)
        if not (isinstance(number, int | float | np.integer | np.floating) and 0 <= number <= most):
            raise ValueError(f"{name} is {meaning}, not {number!r}")


def _question(
    frame: pd.DataFrame,
    in_class: NDArray[np.bool_],
    conditions: Sequence[LabelCondition],
    required: NDArray[np.bool_],
    mining: Mining,
) -> Question:
    order = layout(in_class)
    text, starts = letters([condition.text + " and " for condition in conditions])
    return Question(
        sets=_sets(conditions, order, len(frame)),
        columns=np.array([condition.place for condition in conditions], dtype=np.int64),
        required=required,
        letters=text,
        starts=starts,
        class_words=order.class_words,
        rows=len(frame),
        positives=int(np.count_nonzero(in_class)),
        measure=measures.MEASURES.index(mining.measure),
        m=float(mining.m),
        min_support=float(mining.min_support),
        alpha=float(mining.alpha),
        max_conditions=max(1, min(int(mining.max_conditions), frame.shape[1])),
    )


def _sets(conditions: Sequence[LabelCondition], order: Layout, rows: int) -> NDArray[np.uint64]:
    """The rows of each condition and, last, all rows, shape `(conditions + 1, words)`."""
    everything = pack(np.arange(rows), order)
    return np.stack([*(pack(condition.rows, order) for condition in conditions), everything])


def _rule(
    best: Best, place: int, conditions: Sequence[LabelCondition], question: Question, target: object
) -> KOptimalRule:
    chosen = [conditions[number] for number in best.conditions[place, : best.lengths[place]]]
    covered, hits = int(best.covered[place]), int(best.hits[place])
    return KOptimalRule(
        conditions={condition.column: condition.label for condition in chosen},
        target=target,
        measures={
            name: measures.value(code, covered, hits, question.rows, question.positives, question.m)
            for code, name in enumerate(measures.MEASURES)
        },
        p_value=float(best.p_values[place]),
        covered=covered,
        hits=hits,
    )
