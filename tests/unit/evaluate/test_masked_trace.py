"""A trace shows no sensitive value, nor what is computed from it alone."""

from __future__ import annotations

import decisionflow

TEXT = """policy demo
feature income : number [0 .. 10000] sensitive
feature age : integer [0 .. 120]
derived yearly = 12 * income
decision d : { yes, no }
  rule r: if income > 7654 or yearly > 91000 or age < 21 then yes
  otherwise no
"""


def test_sensitive_values_are_masked() -> None:
    trace = decisionflow.parse_policy(TEXT).evaluate({"income": 4321.0, "age": 30}).trace()
    assert trace.values["income"] == trace.values["yearly"] == "***"
    assert trace.values["age"] == 30
    assert "4321" not in repr(trace) and "51852" not in repr(trace)
