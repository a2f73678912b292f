"""The generated function of one row means what the interpreter means, wherever it answers at all."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from decisionflow.conditions.values import MISSING, Failure
from decisionflow.evaluate.row_function import row_function
from decisionflow.evaluate.rows import row_of
from tests.properties.programs import made_case
from tests.properties.test_evaluator import alike


def beyond(record: Any, today: Any) -> Any:
    raise LookupError


@pytest.mark.parametrize("validate", [True, False])
def test_the_row_function_equals_the_interpreter(validate: bool) -> None:
    seen: Counter[str] = Counter()
    for seed in range(500):
        case = made_case(1 + seed % 4, seed, rows=8)
        settings = replace(case.settings, transparency={}, stochastic=False)
        decide = row_function(case.program, beyond, validate=validate)
        seen["plain programs"] += decide.fast is not None
        for place in range(case.table.rows if decide.fast else 0):
            row = row_of(case.program, case.models, case.table, place, settings)
            if any(isinstance(value, Failure) for value in row.features.values()):
                continue
            record = {name: value for name, value in row.features.items() if value is not MISSING}
            try:
                outcomes = decide(record, settings.today)
            except LookupError:
                seen["left to the evaluator"] += 1
                continue
            for name, found in outcomes.items():
                expected = row.decide(name)
                seen[found.status] += 1
                assert replace(found, value=None) == replace(expected, value=None), (seed, name, place)
                assert alike(found.value, expected.value), (seed, name, place, found, expected)
    assert seen["plain programs"] > 60
    assert seen["decided"] > 300
    assert seen["undecided"] > 60
