"""Values of sensitive features stand in no explanation, by whatever method."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import decisionflow
from decisionflow.explain.explainers import EXPLAINERS

POLICY = """
policy secret
feature salary : number [0 .. 9000] sensitive
feature iban   : text sensitive keep 4
feature debt   : number [0 .. 9000]
derived yearly = salary * 12
decision y : { good, bad }
  rule one:   if salary < 1000.25 and debt > 10 then bad
  rule two:   if debt > 0.5 * salary and salary / 2 > 100 then bad
  rule three: if yearly < 20000.75 and iban != "X" then bad
  otherwise good
"""
RNG = np.random.default_rng(0)
DATA = pd.DataFrame(
    {
        "salary": RNG.uniform(500, 8000, 60).round(3),
        "iban": [f"DE{number}" for number in RNG.integers(10**9, 10**10, 60)],
        "debt": RNG.uniform(0, 5000, 60).round(2),
    }
)


@pytest.mark.parametrize("method", ["smace", *(explainer.name for explainer in EXPLAINERS)])
@pytest.mark.parametrize("row", [0, 3, 8])
def test_no_method_shows_a_sensitive_value(method: str, row: int) -> None:
    explanation = decisionflow.parse_policy(POLICY).explain(DATA, row=row, method=method)
    salary, iban = float(DATA["salary"][row]), str(DATA["iban"][row])
    for shown in (explanation.to_json(), str(explanation), str(explanation.found.trace)):
        assert f"{salary:.6g}" not in shown
        assert f"{salary * 12:.6g}" not in shown
        assert f"{salary / 2:.6g}" not in shown
        assert iban not in shown
    numbers = json.dumps(explanation.to_dict()["conditions"])
    assert repr(abs(salary - 1000.25)) not in numbers
    assert "***" in explanation.to_json()
    assert f"***{iban[-4:]}" in explanation.to_json()
