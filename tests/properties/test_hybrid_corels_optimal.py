"""HybridCORELS against the enumeration of every ordered list, on random instances of every paradigm."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from decisionflow.errors import InfeasibleError
from decisionflow.learn.prefix_search import search_prefix

PARADIGMS = ("post", "pre", "pre_no_collaboration", "corels")
TRANSPARENCIES = (0.0, 0.2, 0.5, 0.7, 0.85, 0.95, 1.0)
PENALTIES = (0.005, 0.03, 0.08)


def instance(seed):
    """60 rows, 5 columns, now and then doubled, constant or empty; labels that follow the columns more or less."""
    rng = np.random.default_rng(seed)
    columns = rng.random((60, 5)) < rng.uniform(0.1, 0.9, 5)
    if seed % 5 == 1:
        columns[:, 1] = columns[:, 0]
    if seed % 7 == 2:
        columns[:, 2] = True
    if seed % 7 == 3:
        columns[:, 3] = False
    if seed % 4 == 3:
        columns[:, 4] = columns[:, 0] & columns[:, 1]
    score = columns @ rng.normal(size=5) + rng.normal(scale=rng.choice([0.2, 1.0, 3.0]), size=60)
    labels = (score > np.median(score)).astype(int)
    seen = columns @ rng.normal(size=5) if seed % 2 else score + rng.normal(scale=1.0, size=60)
    return columns, labels, (seen > np.median(seen)).astype(int)


def masks(flags):
    return [sum(1 << int(i) for i in np.flatnonzero(column)) for column in np.asarray(flags, dtype=bool).T]


def rows_that_agree(columns):
    groups = {}
    for i, row in enumerate(map(tuple, columns)):
        groups[row] = groups.get(row, 0) | 1 << i
    return list(groups.values())


def objective(paradigm, lists, captured, errors, truth, wrong, groups, rows, penalty):
    """Eq. 7, 10, 11 and 15, from their definitions."""
    left = ((1 << rows) - 1) & ~captured
    beta = min(1 / (2 * rows), penalty / 2) if paradigm != "corels" else 0.0
    fixed = penalty * lists + beta * left.bit_count() / rows
    if paradigm == "post":
        return (errors + (left & wrong).bit_count()) / rows + fixed
    if paradigm == "corels":
        ones = (left & truth).bit_count()
        return (errors + min(ones, left.bit_count() - ones)) / rows + fixed
    if paradigm == "pre_no_collaboration":
        return (errors / captured.bit_count() if captured else 0.0) + fixed
    ones = [(group & left & truth).bit_count() for group in groups]
    zeros = [(group & left & ~truth).bit_count() for group in groups]
    return (errors + sum(map(min, ones, zeros))) / rows + fixed


def every_list(columns, truth, max_rules):
    """(length, captured, errors) of every ordered list, the empty one included."""
    rules = masks(columns)
    for length in range(max_rules + 1):
        for chosen in itertools.permutations(rules, length):
            captured = errors = 0
            for rule in chosen:
                new = rule & ~captured
                ones = (new & truth).bit_count()
                errors += min(ones, new.bit_count() - ones)
                captured |= new
            yield length, captured, errors


def best_objective(paradigm, columns, labels, black_box, transparency, penalty, max_rules):
    rows, (truth,), (wrong,) = len(labels), masks(labels[:, None]), masks((labels != black_box)[:, None])
    groups = rows_that_agree(columns)
    needed = 0 if paradigm == "corels" else math.ceil(transparency * rows - 1e-9)
    costs = (
        objective(paradigm, length, captured, errors, truth, wrong, groups, rows, penalty)
        for length, captured, errors in every_list(columns, truth, max_rules)
        if captured.bit_count() >= needed
    )
    return min(costs, default=None)


def read_back(result, paradigm, columns, labels, black_box, penalty):
    """Objective and coverage of the list that was returned, from the raw columns; the labels must be majorities."""
    rows, (truth,), (wrong,) = len(labels), masks(labels[:, None]), masks((labels != black_box)[:, None])
    rules, captured, errors = masks(columns), 0, 0
    for index, label in result.prefix:
        new = rules[index] & ~captured
        ones = (new & truth).bit_count()
        assert label == (ones >= new.bit_count() - ones)
        errors += min(ones, new.bit_count() - ones)
        captured |= new
    groups = rows_that_agree(columns)
    cost = objective(paradigm, len(result.prefix), captured, errors, truth, wrong, groups, rows, penalty)
    return cost, captured.bit_count()


def check(seed, paradigm):
    rng = np.random.default_rng(10_000 + seed)
    columns, labels, black_box = instance(seed)
    transparency, penalty = TRANSPARENCIES[seed % len(TRANSPARENCIES)], PENALTIES[seed // 7 % len(PENALTIES)]
    max_rules = None if seed % 3 else int(rng.integers(0, 5))
    limit = 5 if max_rules is None else max_rules
    expected = best_objective(paradigm, columns, labels, black_box, transparency, penalty, limit)
    settings = {"min_transparency": transparency, "regularization": penalty, "max_rules": max_rules}
    if expected is None:
        with pytest.raises(InfeasibleError):
            search_prefix(columns, labels, paradigm=paradigm, black_box=black_box, **settings)
        return
    result = search_prefix(columns, labels, paradigm=paradigm, black_box=black_box, **settings)
    cost, covered = read_back(result, paradigm, columns, labels, black_box, penalty)
    assert result.status == "optimal"
    assert result.certified
    assert len(result.prefix) <= limit
    assert covered == result.covered
    assert paradigm == "corels" or covered >= math.ceil(transparency * len(labels) - 1e-9)
    assert result.objective == pytest.approx(cost, abs=1e-12)
    assert result.objective == pytest.approx(expected, abs=1e-12)
    assert result.lower_bound == result.objective


@pytest.mark.parametrize("paradigm", PARADIGMS)
@pytest.mark.parametrize("block", range(5))
def test_no_ordered_list_is_better(paradigm, block):
    for seed in range(60 * block, 60 * (block + 1)):
        check(seed, paradigm)


def test_rows_count_as_often_as_they_weigh():
    for seed in range(40):
        columns, labels, black_box = instance(seed)
        weights = np.random.default_rng(seed).integers(0, 4, len(labels))
        paradigm = PARADIGMS[seed % 4]
        settings = {"paradigm": paradigm, "min_transparency": 0.6, "regularization": 0.02}
        repeated = [np.repeat(part, weights, axis=0) for part in (columns, labels, black_box)]
        try:
            expected = search_prefix(repeated[0], repeated[1], black_box=repeated[2], **settings)
        except InfeasibleError:
            continue
        found = search_prefix(columns, labels, black_box=black_box, sample_weight=weights, **settings)
        assert found.objective == pytest.approx(expected.objective, abs=1e-12)
        assert found.covered == expected.covered
