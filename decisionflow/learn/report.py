"""What a learned list is worth on rows it has not seen: text, a figure, a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from io import StringIO
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from decisionflow.learn.classifier import HybridClassifier
from decisionflow.learn.sweep import SweepPoint, sweep_frame
from decisionflow.learn.trade_off import TradeOff

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True, eq=False)
class LearningReport:
    """A learned list: its rules as training measured them, and its trade-off on `rows` held-out rows."""

    title: str
    rules: pd.DataFrame
    trade_off: TradeOff
    rows: int
    certificate: str = ""

    def to_text(self) -> str:
        """Rules, the trade-off table and the area under its curve, for a terminal."""
        shown = self.rules.to_string(index=False, float_format=lambda share: f"{share:.4f}")
        parts = [
            self.title,
            shown if len(self.rules) else "no rule: the black box alone",
            f"On {self.rows} held-out rows:",
            self.trade_off.to_text(),
            f"AUTAC {self.trade_off.autac}",
            self.certificate,
        ]
        return "\n\n".join(part for part in parts if part)

    def plot(self, front: Sequence[SweepPoint] = ()) -> Figure:
        """Accuracy and fidelity over transparency, the black box's accuracy as a line across, a mark for each list of
        a sweep."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(6, 4), layout="constrained")
        axes = figure.subplots()
        transparency, accuracy = self.trade_off["transparency"], self.trade_off["accuracy"]
        axes.plot(transparency, accuracy, marker="o", label="accuracy")
        axes.plot(transparency, self.trade_off["fidelity"], marker=".", linestyle=":", label="fidelity")
        axes.axhline(accuracy[0], color="black", linewidth=1, linestyle="--", label="black box")
        found = [each.point for each in front if each.point is not None]
        if found:
            accuracies = [point.accuracy for point in found]
            axes.scatter([point.transparency for point in found], accuracies, marker="x", color="C3", label="sweep")
        axes.set(xlabel="transparency", ylabel="share of rows", xlim=(0, 1), title=self.title)
        axes.legend()
        return figure

    def to_html(self, front: Sequence[SweepPoint] = ()) -> str:
        """A page that stands by itself: rules, table, figure, lists of a sweep; every name in it is escaped."""
        drawn = StringIO()
        self.plot(front).savefig(drawn, format="svg")
        figure = drawn.getvalue()
        return "\n".join(
            (
                "<!DOCTYPE html>",
                f'<html lang="en"><head><meta charset="utf-8"><title>{escape(self.title)}</title></head><body>',
                f"<h1>{escape(self.title)}</h1>",
                self.rules.to_html(index=False, escape=True, float_format=lambda share: f"{share:.4f}"),
                f"<p>On {self.rows} held-out rows; AUTAC {escape(str(self.trade_off.autac))}.</p>",
                self.trade_off.to_frame().to_html(index=False, float_format=lambda share: f"{share:.4f}"),
                figure[figure.index("<svg") :],
                f"<p>{escape(self.certificate)}</p>" if self.certificate else "",
                sweep_frame(front).to_html(index=False, float_format=lambda share: f"{share:.4f}") if front else "",
                "</body></html>",
            )
        )


def report(
    learner: HybridClassifier, X: Any, y: Any, *, title: str | None = None, black_box_predictions: Any = None
) -> LearningReport:
    """The report of a fitted learner on held-out rows `(n, d)` and their labels `(n,)`."""
    return LearningReport(
        title=title if title is not None else type(learner).__name__,
        rules=learner.rules_frame(),
        trade_off=learner.trade_off(X, y, black_box_predictions=black_box_predictions),
        rows=len(X),
        certificate=_certificate(learner),
    )


def _certificate(learner: HybridClassifier) -> str:
    """What a learner says of its search: objective, and the bound and gap of one that proves them."""
    objective = getattr(learner, "objective_", None)
    if objective is None or not np.isfinite(objective):
        return ""
    bound, stopped = getattr(learner, "lower_bound_", None), getattr(learner, "stopped_by_", "completed")
    if bound is None:
        return f"objective {objective:.6f} on the training rows; search {stopped}, nothing proved"
    proof = "proved optimal" if getattr(learner, "certified_", False) else f"not proved: search stopped by {stopped}"
    return f"objective {objective:.6f}, lower bound {bound:.6f}, gap {objective - bound:.6f}: {proof}"
