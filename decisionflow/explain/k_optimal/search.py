"""OPUS search for the k best rules (Webb, 1995; for k-optimal rules Webb and Zhang, 2005), compiled with Numba.

A node is an antecedent with the conditions that may still be added to it. All of these are tried first, so that good
rules raise the bar early; what cannot lead to a kept rule is then dropped for the node's whole subtree, and the rest
are expanded, best bound first, each with those expanded before it.

Numba's cache of `_search` notices a change of this file only: after editing what it calls elsewhere, touch it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from decisionflow.explain.k_optimal.bit_sets import count_common, inner
from decisionflow.explain.k_optimal.filters import ROUNDING, p_value
from decisionflow.explain.k_optimal.measures import bound, value

JOINED = len(" and ")
TIE = 1e-12
"""Values closer than this are equal, and the shorter rule, then the rule whose text comes first, is better."""


class Question(NamedTuple):
    """What is searched. Conditions are numbered in the order of their columns.

    sets: `(conditions + 1, words)`, the rows of each condition and, last, all rows (see `bit_sets`)
    columns: `(conditions,)`, the column of each condition
    required: `(conditions,)`, whether a condition is one of those of which a rule must have at least one
    letters: the texts of all conditions, one after the other, each followed by " and "
    starts: `(conditions + 1,)`, where each text starts in the letters, and their end
    """

    sets: NDArray[np.uint64]
    columns: NDArray[np.int64]
    required: NDArray[np.bool_]
    letters: NDArray[np.int64]
    starts: NDArray[np.int64]
    class_words: int
    rows: int
    positives: int
    measure: int
    m: float
    min_support: float
    alpha: float
    max_conditions: int


class Best(NamedTuple):
    """The best rules so far, in no order; `found[0]` of the `k` places are filled, and `worst[0]` is the worst rule's.

    conditions `(k, max_conditions)` in the order of the columns; lengths, values, covered, hits and p_values `(k,)`.
    """

    found: NDArray[np.int64]
    worst: NDArray[np.int64]
    conditions: NDArray[np.int64]
    lengths: NDArray[np.int64]
    values: NDArray[np.float64]
    covered: NDArray[np.int64]
    hits: NDArray[np.int64]
    p_values: NDArray[np.float64]


class Path(NamedTuple):
    """The way from the empty antecedent to the node at hand, one row for each depth.

    covers `(depths, words)`; candidates `(depths, conditions)`, of which `sizes` are worth expanding, best first, and
    `following` is the next; ranks, their negated bounds; chosen, the condition that led to the next depth; rule, room
    for the conditions of one rule.
    """

    covers: NDArray[np.uint64]
    candidates: NDArray[np.int64]
    ranks: NDArray[np.float64]
    sizes: NDArray[np.int64]
    following: NDArray[np.int64]
    chosen: NDArray[np.int64]
    rule: NDArray[np.int64]


def k_best(question: Question, k: int) -> Best:
    """The k best rules, or all when there are fewer."""
    best = _nothing_found(min(k, _possible(question)), question.max_conditions)
    _search(question, best, _root(question))
    return best


def _possible(question: Question) -> int:
    """How many rules the conditions can make."""
    by_length = [1] + [0] * question.max_conditions
    for conditions in np.unique(question.columns, return_counts=True)[1].tolist():
        for length in range(question.max_conditions, 0, -1):
            by_length[length] += conditions * by_length[length - 1]
    return max(1, sum(by_length[1:]))


def _nothing_found(k: int, max_conditions: int) -> Best:
    return Best(
        found=np.zeros(1, dtype=np.int64),
        worst=np.zeros(1, dtype=np.int64),
        conditions=np.zeros((k, max_conditions), dtype=np.int64),
        lengths=np.zeros(k, dtype=np.int64),
        values=np.zeros(k),
        covered=np.zeros(k, dtype=np.int64),
        hits=np.zeros(k, dtype=np.int64),
        p_values=np.zeros(k),
    )


def _root(question: Question) -> Path:
    depths, conditions = question.max_conditions, len(question.columns)
    path = Path(
        covers=np.zeros((depths, question.sets.shape[1]), dtype=np.uint64),
        candidates=np.zeros((depths, conditions), dtype=np.int64),
        ranks=np.zeros((depths, conditions)),
        sizes=np.zeros(depths, dtype=np.int64),
        following=np.zeros(depths, dtype=np.int64),
        chosen=np.zeros(depths, dtype=np.int64),
        rule=np.zeros(depths, dtype=np.int64),
    )
    path.covers[0] = question.sets[-1]
    path.candidates[0] = np.arange(conditions)
    return path


@inner
def _letter(question, rule, length, place):  # type: ignore[no-untyped-def]
    """The letter at a place in the text of a rule, -1 behind its end."""
    for position in range(length):
        start, end = question.starts[rule[position]], question.starts[rule[position] + 1]
        if position == length - 1:
            end -= JOINED
        if place < end - start:
            return question.letters[start + place]
        place -= end - start
    return -1


@inner
def _earlier_text(question, left, right, length):  # type: ignore[no-untyped-def]
    """Whether the text of one rule comes before that of another with as many conditions, or its conditions do.

    The texts are compared whole: a label may hold the word `and`, and two labels may read alike (1 and "1").
    """
    mine, other, place = np.int64(0), np.int64(0), 0
    while mine == other and mine >= 0:
        mine, other = _letter(question, left, length, place), _letter(question, right, length, place)
        place += 1
    if mine != other:
        return mine < other
    for position in range(length):
        if left[position] != right[position]:
            return left[position] < right[position]
    return False


@inner
def _better_than(question, best, place, rule_value, rule, length):  # type: ignore[no-untyped-def]
    """Whether a rule is better than the one kept at a place: by value, then fewer conditions, then text."""
    if abs(rule_value - best.values[place]) > TIE:
        return rule_value > best.values[place]
    if length != best.lengths[place]:
        return length < best.lengths[place]
    return _earlier_text(question, rule, best.conditions[place], length)


@inner
def _may_lead_to_better(best, highest, length):  # type: ignore[no-untyped-def]
    """Whether some rule with more than `length` conditions and at most this value could still be kept."""
    lowest = best.values[best.worst[0]]
    if best.found[0] < len(best.values) or highest > lowest + TIE:
        return True
    return highest >= lowest - TIE and length < best.lengths[best.worst[0]]


@inner
def _keep(question, best, rule_value, rule, length, covered, hits, probability):  # type: ignore[no-untyped-def]
    """Put a rule in an empty place, or in that of the worst rule; once no place is empty, find the worst anew."""
    place = best.worst[0]
    if best.found[0] < len(best.values):
        place = best.found[0]
        best.found[0] += 1
    for position in range(length):
        best.conditions[place, position] = rule[position]
    best.lengths[place] = length
    best.values[place] = rule_value
    best.covered[place] = covered
    best.hits[place] = hits
    best.p_values[place] = probability
    if best.found[0] < len(best.values):
        return
    worst = 0
    for other in range(1, best.found[0]):
        if _better_than(question, best, other, best.values[worst], best.conditions[worst], best.lengths[worst]):
            worst = other
    best.worst[0] = worst


@inner
def _sort(keys, values):  # type: ignore[no-untyped-def]
    """Sort values by their keys, both in place; by insertion, as what is sorted is short or nearly in order."""
    for start in range(1, len(keys)):
        key, moved, place = keys[start], values[start], start
        while place > 0 and keys[place - 1] > key:
            keys[place], values[place] = keys[place - 1], values[place - 1]
            place -= 1
        keys[place], values[place] = key, moved


@inner
def _has_required(question, rule):  # type: ignore[no-untyped-def]
    found = False
    for condition in rule:
        found |= question.required[condition]
    return found


@inner
def _consider(question, best, rule, covered, hits):  # type: ignore[no-untyped-def]
    """Keep a rule with enough support if it is among the best and passes the filters; puts its conditions in order."""
    full = best.found[0] == len(best.values)
    rule_value = value(question.measure, covered, hits, question.rows, question.positives, question.m)
    if full and rule_value < best.values[best.worst[0]] - TIE:
        return
    if not _has_required(question, rule):
        return
    _sort(rule, rule)
    if full and not _better_than(question, best, best.worst[0], rule_value, rule, len(rule)):
        return
    probability = p_value(question.sets, rule, covered, hits, question.class_words, question.alpha)
    if probability <= question.alpha * (1 + ROUNDING):
        _keep(question, best, rule_value, rule, len(rule), covered, hits, probability)


@inner
def _grow(question, best, path, depth, covered_before, candidates):  # type: ignore[no-untyped-def]
    """Try each of the first candidates as the next condition.

    Those worth expanding move to the front, best bound first. A candidate that takes no row away makes this rule, and
    all with more conditions, redundant.
    """
    row, ranks, cover = path.candidates[depth], path.ranks[depth], path.covers[depth]
    kept = 0
    for place in range(candidates):
        members = question.sets[row[place]]
        hits = count_common(cover, members, 0, question.class_words)
        if hits == 0 or hits / question.rows < question.min_support:
            continue
        covered = hits + count_common(cover, members, question.class_words, len(cover))
        if covered == covered_before:
            continue
        for position in range(depth):
            path.rule[position] = path.chosen[position]
        path.rule[depth] = row[place]
        _consider(question, best, path.rule[: depth + 1], covered, hits)
        highest = bound(question.measure, covered, hits, question.rows, question.positives, question.m)
        if depth + 1 < question.max_conditions and _may_lead_to_better(best, highest, depth + 1):
            row[kept], ranks[kept] = row[place], -highest
            kept += 1
    _sort(ranks[:kept], row[:kept])
    path.sizes[depth], path.following[depth] = kept, 0


@inner
def _descend(question, path, depth):  # type: ignore[no-untyped-def]
    """Choose the next condition; its node's candidates are those of other columns that came before it here.

    Returns how many rows the node covers and how many candidates it has.
    """
    place = path.following[depth]
    condition = path.candidates[depth, place]
    path.following[depth] += 1
    path.chosen[depth] = condition
    cover = path.covers[depth + 1]
    for word in range(len(cover)):
        cover[word] = path.covers[depth, word] & question.sets[condition, word]
    candidates = 0
    for earlier in path.candidates[depth, :place]:
        if question.columns[earlier] != question.columns[condition]:
            path.candidates[depth + 1, candidates] = earlier
            candidates += 1
    return count_common(cover, cover, 0, len(cover)), candidates


@inner
def _exhausted(best, path, depth):  # type: ignore[no-untyped-def]
    """Whether no child is left whose subtree may hold a better rule: the best bound comes first."""
    place = path.following[depth]
    return place == path.sizes[depth] or not _may_lead_to_better(best, -path.ranks[depth, place], depth + 1)


@njit(cache=True)
def _search(question, best, path):  # type: ignore[no-untyped-def]
    """Fill `best`, depth first."""
    depth, covered, candidates = np.int64(0), question.rows, len(question.columns)
    while True:
        _grow(question, best, path, depth, covered, candidates)
        while _exhausted(best, path, depth):
            depth -= 1
            if depth < 0:
                return
        covered, candidates = _descend(question, path, depth)
        depth += 1
