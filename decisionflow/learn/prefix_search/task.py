"""What is searched for: the instance in the form that the compiled kernels read."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from decisionflow.learn.prefix_search.bits import (
    Amounts,
    Integers,
    Words,
    binary_amounts,
    pack,
    restrict,
    room_for,
    totals_by_rule,
)
from decisionflow.learn.prefix_search.rows import RowClasses

Paradigm = Literal["post", "pre", "pre_no_collaboration", "corels"]
LOSS_0, LOSS_1, GAIN_0, GAIN_1, BOTH_GAINS, REST = range(6)
EVEN_RULES = 16


class Terms(NamedTuple):
    """What a list costs and must reach, in units of one row: every cost is N times the paper's.

    `needed`: rows to cover; `rule_cost`: lambda N; `left_cost`: what leaving all rows to the black box costs. `ratio`:
    errors count per covered row (Eq. 15); `default`: the rows left get one label (Eq. 7); `one_cover`: a list that
    covers enough is never worth extending; `limited`: of two lists that capture the same rows the cheaper is only
    better if it is no longer either.
    """

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


class Task(NamedTuple):
    """An instance.

    With u the cost of leaving a class to the black box, labelling it z costs `ex_z`, its errors minus u, more than
    leaving it. `amounts` holds per class max(0, ex_0), max(0, ex_1), max(0, -ex_0), max(0, -ex_1), the smaller of the
    last two, and what the first four leave of its size: most classes have one or two of these. `shared[z]` (k, k): the
    sum of max(0, ex_z) over what two rules share. `slopes` (3, c): the classes by their share of unavoidable errors,
    their sizes and these errors. `gain_cap[i]` bounds what the first i rules of any list can gain in all.
    """

    terms: Terms
    rules: Words
    rules_by_word: Words
    everything: Words
    amounts: Amounts
    shared: Integers
    slopes: Integers
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
    kinds = _amounts(classes, paradigm)
    order = _order_of_words(classes.covers, kinds)
    classes, kinds = classes.reordered(order), [amounts[order] for amounts in kinds]
    rules, amounts = pack(classes.covers.T), binary_amounts(kinds)
    rules_by_word = np.ascontiguousarray(rules.T)
    slopes = np.argsort(classes.minorities / np.maximum(1, classes.sizes), kind="stable")
    return Task(
        terms=_terms(classes, paradigm, min_transparency, regularization, max_rules),
        rules=rules,
        rules_by_word=rules_by_word,
        everything=pack(np.ones((1, len(classes.sizes)), dtype=np.bool_))[0],
        amounts=amounts,
        shared=shared_losses(amounts, rules, rules_by_word),
        slopes=np.stack([slopes, classes.sizes[slopes], classes.minorities[slopes]]),
        gain_cap=np.arange(len(rules) + 2, dtype=np.float64) * max(kinds[GAIN_0].sum(), kinds[GAIN_1].sum()),
    )


def _amounts(classes: RowClasses, paradigm: Paradigm) -> list[Integers]:
    leave = leave_costs(classes, paradigm)
    excess_0, excess_1 = classes.ones - leave, classes.zeros - leave
    losses, gains = (
        [np.maximum(0, excess_0), np.maximum(0, excess_1)],
        [np.maximum(0, -excess_0), np.maximum(0, -excess_1)],
    )
    rest = classes.sizes - losses[0] - losses[1] - gains[0] - gains[1]
    return [*losses, *gains, np.minimum(*gains), rest]


def _order_of_words(covers: NDArray[np.bool_], kinds: list[Integers]) -> Integers:
    """An order of the classes that leaves few words to count, at the start and below a prefix.

    Classes with the same kinds of amounts lie next to each other, large ones first, so that few words hold each digit;
    among these, classes that the most even rules treat alike, so that a prefix empties whole words.
    """
    pattern = np.zeros(len(covers), dtype=np.int64)
    for kind, amounts in enumerate(kinds[:REST]):
        pattern += (amounts > 0).astype(np.int64) << kind
    digits = np.frexp(np.max(kinds[:REST], axis=0).astype(np.float64))[1]
    even = np.argsort(np.abs(covers.mean(axis=0) - 0.5), kind="stable")[:EVEN_RULES]
    return np.lexsort((*covers[:, even[::-1]].T, -digits, pattern)).astype(np.int64)


def _terms(
    classes: RowClasses,
    paradigm: Paradigm,
    min_transparency: float,
    regularization: float,
    max_rules: int | None,
) -> Terms:
    rows, count = int(classes.sizes.sum()), len(classes.kept)
    ratio, default = paradigm == "pre_no_collaboration", paradigm == "corels"
    return Terms(
        rows=rows,
        needed=0 if default else rows_needed(min_transparency, rows),
        rule_cost=float(regularization * rows),
        beta=0.0 if default else float(tie_breaker(regularization, rows)),
        left_cost=int(leave_costs(classes, paradigm).sum()),
        ratio=ratio,
        default=default,
        one_cover=paradigm == "pre",
        max_rules=count if max_rules is None else min(max_rules, count),
        limited=ratio or (max_rules is not None and max_rules < count),
    )


def leave_costs(classes: RowClasses, paradigm: Paradigm) -> Integers:
    """What leaving each class to the black box costs (c,)."""
    if paradigm == "post":
        return classes.black_box_errors
    if paradigm == "pre_no_collaboration":
        return np.zeros_like(classes.zeros)
    return classes.minorities


@njit(cache=True)
def shared_losses(amounts: Amounts, rules: Words, rules_by_word: Words) -> Integers:
    """For every label and two rules, what the classes in both can cost at most (2, k, k)."""
    count = len(rules)
    shared = np.zeros((2, count, count), dtype=np.int64)
    totals = np.zeros((6, count), dtype=np.int64)
    live = room_for(amounts)
    for rule in range(count):
        restrict(amounts, rules[rule], live)
        totals_by_rule(live, rules_by_word, totals)
        shared[0, rule], shared[1, rule] = totals[LOSS_0], totals[LOSS_1]
    return shared
