"""The columnar evaluator means what the naive interpreter means."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings

from decisionflow.evaluate.evaluator import evaluate
from decisionflow.evaluate.outcome import Outcome
from decisionflow.evaluate.rows import row_of
from tests.properties.programs import Case, cases

QUIET = settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))


def alike(left: Any, right: Any) -> bool:
    """Equal, numbers to 1e-12."""
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(alike(left[name], right[name]) for name in left)
    if isinstance(left, tuple):
        return len(left) == len(right) and all(map(alike, left, right))
    if isinstance(left, float):
        return isinstance(right, float) and math.isclose(left, right, rel_tol=1e-12, abs_tol=0.0)
    return type(left) is type(right) and left == right


def decide(case: Case, place: int) -> tuple[set[str], dict[str, Outcome]]:
    """The models that the interpreter runs for a row, and its outcomes."""
    row = row_of(case.program, case.models, case.table, place, case.settings)
    called: set[str] = set()
    row.models = {name: replace(model, output=noted(called, name, model.output)) for name, model in row.models.items()}
    return called, {name: row.decide(name) for name in case.program.order if name in case.program.decisions}


def noted(called: set[str], name: str, output: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def run(inputs: Any) -> Any:
        called.add(name)
        return output(inputs)

    return run


def plain(problem: str) -> str:
    """A problem without the row that a batch adds to a model's error, and without the value outside a domain."""
    without_row = re.sub(r" \(row \d+: .*\)$", "", problem)
    return re.sub(r" is [^;]*, outside", " is outside", without_row)


@QUIET
@given(cases())
def test_the_columnar_evaluator_equals_the_interpreter(case: Case) -> None:
    result = evaluate(case.program, case.models, case.table, case.settings)
    for place in range(case.table.rows):
        called, outcomes = decide(case, place)
        for name, expected in outcomes.items():
            found = result.outcome(name, place)
            assert (found.status, found.rules, found.reasons) == (expected.status, expected.rules, expected.reasons), (
                name,
                place,
                found,
                expected,
            )
            assert alike(found.value, expected.value), (name, place, found, expected)
            assert plain(found.problem) == plain(expected.problem)
        assert called.issuperset(model for model in result.models if place in result.rows_of(model))


@QUIET
@given(cases(rows=40))
def test_rows_do_not_depend_on_their_neighbours(case: Case) -> None:
    whole = evaluate(case.program, case.models, case.table, case.settings)
    order = np.arange(case.table.rows)[::-3]
    part = evaluate(case.program, case.models, case.table.take(order), case.settings)
    for place, row in enumerate(order.tolist()):
        for name in case.program.decisions:
            found, expected = part.outcome(name, place), whole.outcome(name, row)
            assert replace(found, problem=plain(found.problem)) == replace(expected, problem=plain(expected.problem))
