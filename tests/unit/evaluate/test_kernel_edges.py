"""Where a kernel's own arithmetic ends: it gives the row to the evaluator, or does not take the policy."""

from __future__ import annotations

from itertools import product
from operator import add, mul, sub
from typing import Any

import numpy as np
import pandas as pd
import pytest

from decisionflow import parse_policy
from decisionflow.evaluate.kernel import Kernel, kernel_of
from decisionflow.tables.read_table import read_table

ENDS = (2**62, 2**62 - 1, -(2**62), -(2**63), 2**63 - 1, 0, -1, 2**31, -(2**31), 3_037_000_500, None)


def whole_of(text: str, decision: str) -> tuple[Any, Kernel | None]:
    policy = parse_policy(text)
    return policy, kernel_of(policy.program, (decision,), "whole")


@pytest.mark.parametrize("formula", ["a + b", "a - b", "a * b"])
def test_integers_are_exact_or_overflow(formula: str) -> None:
    policy, kernel = whole_of(
        f"policy p feature a : integer optional feature b : integer decision d : integer = {formula}", "d"
    )
    assert kernel is not None
    records = [{"a": a, "b": b} for a, b in product(ENDS, ENDS)]
    result = policy.evaluator.by_kernel(kernel, policy.read(records), policy.settings("2026-01-01"))
    operation = {"+": add, "-": sub, "*": mul}[formula[2]]
    for record, status, value in zip(records, result["d"].status, result["d"].value, strict=True):
        if record["b"] is None:
            assert status == "invalid"
        elif record["a"] is None:
            assert status == "undecided"
        else:
            exact = operation(record["a"], record["b"])
            fits = -(2**63) <= exact < 2**63
            assert (status, value) == (("decided", exact) if fits else ("invalid", None))


def test_the_integer_that_stands_for_a_missing_one_is_none_when_it_is_written() -> None:
    declared = "parameter lowest = -9223372036854775808 feature a : integer optional"
    policy, kernel = whole_of(f"policy p {declared} decision d : boolean = a = lowest", "d")
    assert kernel is None
    assert policy.evaluate([{"a": -(2**63)}, {"a": 1}, {}] * 100)["d"].value.tolist() == [True, False, None] * 100


def test_numbers_that_overflow_or_are_infinite_are_given_up() -> None:
    policy, kernel = whole_of(
        "policy p feature x : number optional feature y : number >= 0 decision d : number = x * y", "d"
    )
    assert kernel is not None
    x = np.array([1e200, 2.0, np.inf, np.nan, 3.0, -0.5, 1.0])
    y = np.array([1e200, 0.5, 1.0, 2.0, -1.0, np.nan, np.inf])
    frame = pd.DataFrame({"x": x, "y": y})
    answers, left = kernel.decide(read_table(frame, policy.features), policy.settings("2026-01-01"))
    assert left.tolist() == [0, 2, 3, 4, 5, 6]
    assert answers["d"].values[1] == 1.0
    found = policy.evaluate(frame)["d"].status.tolist()
    assert found == ["invalid", "decided", "invalid", "undecided", "invalid", "invalid", "invalid"]


def test_labels_in_another_order_and_unknown_ones_are_told_apart() -> None:
    text = "policy p feature c : { a, b, z } optional decision d : boolean = c = z"
    policy, kernel = whole_of(text, "d")
    assert kernel is not None
    for labels in (["a", "b", "z"], ["z", "q", "b", "a"], [f"l{place}" for place in range(300)] + ["z", "b", "a"]):
        frame = pd.DataFrame({"c": pd.Categorical(["z", "a", None, "b"], categories=labels)})
        result = policy.evaluator.by_kernel(kernel, policy.read(frame), policy.settings())
        assert result["d"].value.tolist() == [True, False, None, False]
    frame = pd.DataFrame({"c": pd.Categorical(["z", "q"], categories=["z", "q"])})
    result = policy.evaluator.by_kernel(kernel, policy.read(frame), policy.settings())
    assert result["d"].status.tolist() == ["decided", "invalid"]
    assert result.problems == {1: 'c is "q", not one of a, b, z'}
