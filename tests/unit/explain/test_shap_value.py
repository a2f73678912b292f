"""An explanation as shap's own value."""

from __future__ import annotations

import numpy as np
import pytest

import decisionflow

POLICY = """
policy p
feature x : number [0 .. 1]
feature job : { clerk, driver }
decision d : { a, b }
  rule NAME: if x > 0.5 and job = driver then a
  otherwise b
"""


@pytest.mark.parametrize("rule", ["r", "xy", "over_indebted"])
def test_the_contributions_are_its_values_whatever_the_rule_is_called(rule: str) -> None:
    import shap

    found = decisionflow.parse_policy(POLICY.replace("NAME", rule)).explain({"x": 0.4, "job": "clerk"}).to_shap()
    assert isinstance(found, shap.Explanation)
    np.testing.assert_allclose(found.values, [-0.9, -0.5])
    assert found.feature_names == ["x", "job"]
    assert found.data.tolist() == [0.4, "clerk"]
    assert found.base_values == 0.0
    assert shap.plots.waterfall(found, show=False).get_figure() is not None


def test_a_decision_without_rules_has_no_contributions() -> None:
    text = "policy p feature x : number [0 .. 1] decision d : number = 2 * x"
    with pytest.raises(decisionflow.DataError, match="row 0 has no contributions to `d`"):
        decisionflow.parse_policy(text).explain({"x": 0.4}).to_shap()
