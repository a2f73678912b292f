"""The generated function of one row means what the interpreter means, wherever it answers at all."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from decisionflow.conditions.values import MISSING, Failure
from decisionflow.evaluate.row_answer import row_answer
from decisionflow.evaluate.row_function import RowFunctions
from decisionflow.evaluate.rows import row_of
from tests.properties.programs import made_case
from tests.properties.test_evaluator import alike


@pytest.mark.parametrize("validate", [True, False])
def test_the_row_function_equals_the_interpreter(validate: bool) -> None:
    seen: Counter[str] = Counter()
    for seed in range(500):
        case = made_case(1 + seed % 4, seed, rows=8)
        settings = replace(case.settings, transparency={}, stochastic=False)
        functions = RowFunctions(case.program)
        functions.prepare(validate)
        seen["plain programs"] += functions.written[validate] is not None
        for place in range(case.table.rows):
            row = row_of(case.program, case.models, case.table, place, settings)
            if any(isinstance(value, Failure) or value == "" for value in row.features.values()):
                continue  # an invalid value, or a text that a record cannot hold: it would be missing
            record = {name: value for name, value in row.features.items() if value is not MISSING}
            answers = functions.answers(record, settings.today, validate)
            if answers is None:
                seen["left to the evaluator"] += 1
                continue
            seen["with models"] += bool(case.program.models)
            for name, found in answers.items():
                expected = row_answer(row.decide(name))
                seen[found.status] += 1
                assert found[1:] == expected[1:], (seed, name, place)
                assert alike(found.value, expected.value), (seed, name, place, found, expected)
                seen[case.program.decisions[name].body.__class__.__name__] += 1
    assert seen["plain programs"] > 450
    assert seen["decided"] > 1200
    assert seen["undecided"] > 150
    assert seen["with models"] > 100
