"""An explanation as Python users hold it: its numbers, its contract, its pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from decisionflow.errors import DataError
from decisionflow.explain.explanation import Explanation as Found

if TYPE_CHECKING:
    import pandas
    import shap
    from matplotlib.figure import Figure

    from decisionflow.explain.crossings import Crossing
    from decisionflow.explain.explainers import Asked

PLOTS = ("bars", "waterfall", "map")


@dataclass(frozen=True)
class Explanation:
    """Why a row got its decision; `found` holds what was found, the methods show it.

    `asked` is the row and what explains it: some pictures decide it anew with other values.
    """

    found: Found
    asked: Asked | None = field(default=None, repr=False, compare=False)

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

    @cached_property
    def crossings(self) -> tuple[Crossing, ...]:
        """The decision where one variable of the target rule alone crosses its boundary, for each of them."""
        from decisionflow.explain.crossings import crossings

        return () if self.asked is None else crossings(self.asked.smace, self.asked.row, self.asked.question)

    def to_html(self) -> str:
        """One page that holds everything; it opens from disk and loads nothing."""
        from decisionflow.render.explanation_html import explanation_html

        return explanation_html(self.found, self.crossings)

    def _repr_html_(self) -> str:
        """The page in a notebook, in a frame of its own, so that its style touches nothing else."""
        from decisionflow.render.html_page import framed

        return framed(self.to_html())

    def to_shap(self) -> shap.Explanation:
        """The contributions as shap's own value, for shap's plots."""
        from decisionflow.explain.shap_value import shap_value

        return shap_value(self.found)

    def plot(self, kind: str = "bars", features: Sequence[str] | None = None) -> Figure:
        """A picture: `bars` or `waterfall` of the contributions, or the `map` of the decision over two features.

        The map takes the two `features` named, else those with the largest contributions. Raises DataError for a kind
        that there is not, and where there is nothing to draw a map of.
        """
        from decisionflow.render.pictures.bars import bars_figure
        from decisionflow.render.pictures.waterfall import waterfall_figure

        if kind == "map":
            return self._map(features)
        drawn = {"bars": bars_figure, "waterfall": waterfall_figure}.get(kind)
        if drawn is None:
            raise DataError(f"there is no picture `{kind}`: {', '.join(PLOTS)}")
        return drawn(self.found)

    def _map(self, features: Sequence[str] | None) -> Figure:
        from decisionflow.explain.decision_grid import decision_grid
        from decisionflow.render.pictures.decision_map import decision_map

        if self.asked is None:
            raise DataError("a map decides the row anew, and this explanation was made without its policy")
        return decision_map(self.found, decision_grid(self.asked.smace, self.asked.row, self.found, features))

    def __str__(self) -> str:
        from decisionflow.render.explanation_text import explanation_text

        return explanation_text(self.found)
