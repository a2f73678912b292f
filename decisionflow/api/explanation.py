"""An explanation as Python users hold it: its numbers, its contract, its pictures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from decisionflow.explain.explanation import Explanation as Found

if TYPE_CHECKING:
    import pandas
    import shap
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Explanation:
    """Why a row got its decision; `found` holds everything, the methods show it."""

    found: Found

    @cached_property
    def contributions(self) -> pandas.Series[float]:
        """Total contribution by feature, largest magnitude first."""
        import pandas

        parts = self.found.largest_first()
        return pandas.Series({part.feature: part.total for part in parts}, name="contribution", dtype="float64")

    @cached_property
    def rule_contributions(self) -> pandas.Series[float]:
        """r_v of each variable of the target rule, in the order of the rule."""
        import pandas

        return pandas.Series({part.variable: part.contribution for part in self.found.variables}, dtype="float64")

    @property
    def target_rule(self) -> str | None:
        return self.found.target_rule

    def to_dict(self) -> dict[str, Any]:
        """The JSON contract."""
        from decisionflow.explain.contract import document

        return document(self.found).model_dump(mode="json")

    def to_json(self) -> str:
        """The JSON contract as text."""
        import json

        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2)

    def to_shap(self) -> shap.Explanation:
        """The contributions as shap's own value, for shap's plots."""
        from decisionflow.explain.shap_value import shap_value

        return shap_value(self.found)

    def plot(self) -> Figure:
        """A bar for each feature's contribution."""
        from decisionflow.render.explanation_picture import explanation_figure

        return explanation_figure(self.found)

    def __str__(self) -> str:
        from decisionflow.render.explanation_text import explanation_text

        return explanation_text(self.found)
