"""The miner gives exactly what naming every rule gives, ties included."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from scipy.stats import hypergeom

from decisionflow.explain import k_optimal_rules
from decisionflow.explain.k_optimal.rules import Mining, mine

MEASURES = ("coverage", "support", "confidence", "lift", "leverage")


def measured(covered, hits, rows, positives, m):
    share = positives / rows
    confidence = (hits + m * share) / (covered + m)
    return {
        "coverage": covered / rows,
        "support": hits / rows,
        "confidence": confidence,
        "lift": confidence / share,
        "leverage": hits / rows - covered * positives / rows**2,
    }


@cache
def tail(hits, rows, positives, draws):
    return hypergeom.sf(hits - 1, rows, positives, draws)


def all_rules(frame, labels, target, max_conditions, m, min_support, alpha):
    """Every kept rule as (conditions, measures, p_value)."""
    records = frame.astype(object).where(frame.notna(), None).to_dict("records")
    everything = frozenset(range(len(records)))
    members = {row for row, label in enumerate(labels) if label == target}

    @cache
    def cover(conditions):
        if not conditions:
            return everything
        return frozenset(
            row for row, record in enumerate(records) if all(record[c] == label for c, label in conditions)
        )

    def probability(conditions):
        """The p-value of a rule that is kept, None for one that is not."""
        covered, largest = cover(conditions), 0.0
        hits = len(covered & members)
        for dropped in conditions:
            shorter = cover(tuple(condition for condition in conditions if condition != dropped))
            shorter_hits = len(shorter & members)
            if shorter == covered or Fraction(hits, len(covered)) <= Fraction(shorter_hits, len(shorter)):
                return None
            largest = max(largest, tail(hits, len(shorter), shorter_hits, len(covered)))
        return largest if largest <= alpha * (1 + 1e-9) else None

    for length in range(1, max_conditions + 1):
        for columns in combinations(frame.columns, length):
            for chosen in product(*(list(frame[column].dropna().unique()) for column in columns)):
                conditions = tuple(zip(columns, chosen, strict=True))
                covered = cover(conditions)
                hits = len(covered & members)
                if hits == 0 or hits / len(records) < min_support:
                    continue
                p_value = probability(conditions)
                if p_value is not None:
                    yield dict(conditions), measured(len(covered), hits, len(records), len(members), m), p_value


def best(rules, measure, k):
    """The first k, values within 1e-12 of a group's best being equal."""
    by_value = sorted(rules, key=lambda rule: -rule[1][measure])
    groups = []
    for rule in by_value:
        if not groups or groups[-1][0][1][measure] - rule[1][measure] > 1e-12:
            groups.append([])
        groups[-1].append(rule)
    return [rule for group in groups for rule in sorted(group, key=lambda rule: (len(rule[0]), text(rule[0])))][:k]


def text(conditions):
    return " and ".join(f"{column} = {label}" for column, label in conditions.items())


def random_data(seed):
    """Small tables with ties in plenty: few rows, copied columns, many labels, missing labels, constant columns."""
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(130, 200)) if seed % 9 == 0 else int(rng.integers(12, 61))
    frame = pd.DataFrame(index=range(rows))
    for number in range(int(rng.integers(2, 6))):
        labels = rng.choice([f"l{code}" for code in range(int(rng.integers(1, 5)))], size=rows)
        frame[f"{'zxay'[number % 4]}{number}"] = labels
    if seed % 3 == 0:
        frame["copy"] = frame.iloc[:, 0]
    if seed % 4 == 0:
        frame["many"] = [f"id{row * 12 // rows}" for row in range(rows)]
    if seed % 5 == 0:
        frame[frame.columns[0]] = frame[frame.columns[0]].where(rng.random(rows) > 0.2)
    if seed % 7 == 0:
        frame["constant"] = "same"
    first, second = frame.columns[0], frame.columns[1]
    signal = (frame[first] == "l0") & (frame[second] == "l0") if seed % 2 else frame[first] == "l0"
    noise = rng.random(rows) < rng.choice([0.05, 0.2, 0.5])
    target = np.where(signal.to_numpy(dtype=bool) ^ noise, "yes", "no")
    return frame, target, rng


def assert_same(found, expected, measure):
    assert [rule.conditions for rule in found] == [rule[0] for rule in expected]
    for rule, (_, measures, probability) in zip(found, expected, strict=True):
        assert set(rule.measures) == set(MEASURES)
        for name in MEASURES:
            assert rule.measures[name] == pytest.approx(measures[name], abs=1e-12)
        assert rule.p_value == pytest.approx(probability, rel=1e-9, abs=1e-300)


@pytest.mark.parametrize("block", range(10))
def test_equals_brute_force_for_every_measure(block):
    for seed in range(block * 21, (block + 1) * 21):
        frame, labels, rng = random_data(seed)
        max_conditions = int(rng.integers(1, 5)) if len(frame.columns) < 5 else int(rng.integers(1, 4))
        m = float(rng.choice([0.0, 1.0, 2.0, 2.5]))
        min_support = float(rng.choice([0.0, 0.02, 0.05, 0.1]))
        alpha = float(rng.choice([0.05, 0.3, 1.0]))
        rules = list(all_rules(frame, labels, "yes", max_conditions, m, min_support, alpha))
        for measure in MEASURES:
            for k in (1 + seed % 9, 1000):
                found = k_optimal_rules(frame, labels, "yes", measure, k, max_conditions, m, min_support, alpha)
                assert_same(found, best(rules, measure, k), measure)


@pytest.mark.parametrize("holds", [True, False])
def test_rules_that_hold_or_do_not_hold_at_a_row_are_the_best_of_their_kind(holds):
    for seed in range(20):
        frame, labels, _ = random_data(seed)
        row = {column: label for column, label in frame.iloc[0].items() if pd.notna(label)}
        rules = [
            rule
            for rule in all_rules(frame, labels, "no", 3, 2.0, 0.02, 0.3)
            if all(row.get(column) == label for column, label in rule[0].items()) == holds
        ]
        for measure in MEASURES:
            mining = Mining(measure=measure, k=4, max_conditions=3, alpha=0.3)
            assert_same(mine(frame, labels, "no", mining, row, holds), best(rules, measure, 4), measure)
