"""Every function and comparison on columns gives what its scalar meaning gives, value by value."""

from __future__ import annotations

import math
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

from decisionflow.conditions.arithmetic import equal
from decisionflow.conditions.operators import COMPARISONS, FUNCTIONS, TOTAL, Comparison, Function
from decisionflow.conditions.values import Failure
from decisionflow.evaluate.columns.comparison import compare_numbers, compare_threshold, equal_band
from decisionflow.evaluate.columns.registry import COLUMN_FUNCTIONS, column_function
from decisionflow.evaluate.constants import dtype_of, stored
from decisionflow.evaluate.failures import REASONS
from decisionflow.evaluate.vector import FIRST_ERROR
from decisionflow.types import INTEGER, NUMBER, Type
from tests.properties.programs import LITERALS

SIGNATURES = [
    (function, taken * count, answer)
    for function in (*FUNCTIONS, TOTAL)
    for taken, answer in function.signatures
    for count in ((1, 2, 3) if function.variadic else (1,))
]


def nasty_numbers(random: Random, count: int) -> list[float]:
    ends = [
        0.0,
        -0.0,
        5e-324,
        2.2e-308,
        1.7e308,
        -1.7e308,
        709.7827,
        710.0,
        2.0**63,
        -(2.0**63),
        2.0**53,
        0.5,
        -0.5,
        1.5,
    ]
    ties = [(random.randrange(-(10**6), 10**6) + 0.5) / 10 ** random.randrange(0, 7) for _ in range(count)]
    wide = [random.uniform(-10, 10) * 10 ** random.randrange(-20, 20) for _ in range(count)]
    close = [each * (1 + random.choice((-1, 1)) * 10.0 ** -random.randrange(11, 17)) for each in ties]
    return [*ends, *ties, *wide, *close, *(float(each) for each in LITERALS[NUMBER])]


def values_of(kind: Type, random: Random) -> list[Any]:
    if kind == NUMBER:
        return nasty_numbers(random, 25)
    if kind == INTEGER:
        large = [random.randrange(-(2**63), 2**63) for _ in range(15)]
        roots = [random.randrange(-(2**32), 2**32) for _ in range(15)]
        return [*LITERALS[kind], *large, *roots, *range(-12, 12), 330, 331, -400]
    return list(LITERALS[kind])


def column(values: list[Any], kind: Type) -> np.ndarray[Any, Any]:
    made = np.empty(len(values), dtype_of(kind))
    made[:] = [stored(value, kind) for value in values]
    return made


@pytest.mark.parametrize(("function", "taken", "answer"), SIGNATURES, ids=lambda item: getattr(item, "spelling", None))
def test_a_column_function_equals_its_scalar_meaning(function: Function, taken: tuple[Type, ...], answer: Type) -> None:
    random = Random(f"{function.spelling} {len(taken)}")
    rows = [tuple(random.choice(values_of(kind, random)) for kind in taken) for _ in range(1500)]
    if len(taken) == 2:
        rows += list(product(*(values_of(kind, random)[:40] for kind in taken)))
    columns = [column(list(side), kind) for side, kind in zip(zip(*rows, strict=True), taken, strict=True)]
    with np.errstate(all="ignore"):
        values, codes = column_function(function)(*columns, taken)
    for place, row in enumerate(rows):
        expected = function.meaning(*row)
        code = 0 if codes is None else codes[place]
        if isinstance(expected, Failure):
            assert code and REASONS[code - FIRST_ERROR] == expected.reason, (row, expected, code)
        else:
            assert not code, (row, expected, REASONS[code - FIRST_ERROR])
            assert values[place] == stored(expected, answer), (row, expected, values[place])


def test_every_function_has_its_column_function() -> None:
    assert {function for function, _ in COLUMN_FUNCTIONS} == {*FUNCTIONS, TOTAL}


@pytest.mark.parametrize("tolerant", [True, False])
@pytest.mark.parametrize("comparison", COMPARISONS, ids=lambda comparison: comparison.spelling)
def test_a_comparison_of_columns_equals_that_of_numbers(comparison: Comparison, tolerant: bool) -> None:
    random = Random(comparison.spelling)
    thresholds = nasty_numbers(random, 20)
    for threshold in thresholds:
        around = [
            threshold * (1 + share) for share in (0, 1e-12, -1e-12, 1.0000001e-12, 9.999999e-13, 2e-12, 1e-15, 0.1)
        ]
        values = np.array([*around, *thresholds, *equal_band(threshold)])
        values = values[np.isfinite(values)]
        expected = [comparison.holds(value, threshold, tolerant) for value in values.tolist()]
        with np.errstate(all="ignore"):
            assert compare_numbers(comparison, values, np.array([threshold]), tolerant).tolist() == expected
            assert compare_threshold(comparison, values, threshold, tolerant).tolist() == expected


def test_the_band_of_equal_numbers_ends_where_equality_ends() -> None:
    for threshold in nasty_numbers(Random(5), 200):
        low, high = equal_band(threshold)
        assert equal(low, threshold, True)
        assert equal(high, threshold, True)
        for outside in (math.nextafter(low, -math.inf), math.nextafter(high, math.inf)):
            assert not math.isfinite(outside) or not equal(outside, threshold, True)
