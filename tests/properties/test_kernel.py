"""The fused kernel means what the evaluator of columns means, wherever it can be written."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from decisionflow.evaluate.evaluator import Evaluator
from decisionflow.evaluate.kernel import Form, kernel_of
from tests.properties.programs import Case, made_case
from tests.properties.test_evaluator import alike


def equal_answers(case: Case, form: Form, seen: Counter[str]) -> None:
    program, settings = case.program, replace(case.settings, transparency={}, stochastic=False)
    for name in program.decisions:
        evaluator = Evaluator(program, case.models, [name])
        kernel = kernel_of(program, evaluator.ready.decisions, form)
        if kernel is None:
            continue
        seen["kernels"] += 1
        with np.errstate(all="ignore"):
            found = evaluator.by_kernel(kernel, case.table, settings)
        expected = evaluator.by_blocks(case.table, settings)
        left = set(found.answers[name].left.tolist())  # type: ignore[union-attr]
        for each in evaluator.ready.decisions:
            for row in range(case.table.rows):
                seen["rows left" if row in left else "rows decided"] += 1
                one, other = found.outcome(each, row), expected.outcome(each, row)
                assert replace(one, value=None) == replace(other, value=None), (case, each, row)
                assert alike(one.value, other.value), (case, each, row, one, other)


def test_the_kernel_as_plain_python_equals_the_columns() -> None:
    seen: Counter[str] = Counter()
    for seed in range(1500):
        case = made_case(1 + seed % 5, seed, rows=10)
        try:
            equal_answers(case, "plain", seen)
        except ZeroDivisionError:
            seen["not plain Python"] += 1
    assert seen["kernels"] > 150
    assert seen["rows decided"] > 5 * seen["rows left"] / 10


def test_the_kernel_on_whole_arrays_equals_the_columns() -> None:
    seen: Counter[str] = Counter()
    for seed in range(1500):
        equal_answers(made_case(1 + seed % 5, seed, rows=10), "whole", seen)
    assert seen["kernels"] > 150


def test_the_compiled_kernel_equals_the_columns() -> None:
    seen: Counter[str] = Counter()
    for seed in range(400):
        if seen["kernels"] < 12:
            equal_answers(made_case(1 + seed % 5, seed, rows=30), "compiled", seen)
    assert seen["kernels"] >= 12
