"""What a learned list is worth, as a picture or a page, drawn by matplotlib without a screen."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Literal

from decisionflow.learn.report import LearningReport
from decisionflow.learn.sweep import SweepPoint

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def trade_off_picture(
    report: LearningReport, kind: Literal["png", "svg", "html"], front: Sequence[SweepPoint] = ()
) -> bytes:
    """The trade-off curve on held-out rows, and over it the lists of a sweep; same values, same bytes."""
    from matplotlib import rc_context

    with rc_context({"svg.hashsalt": "decisionflow", "svg.fonttype": "none"}):
        if kind == "html":
            return report.to_html().encode()
        page = BytesIO()
        metadata = {"Date": None} if kind == "svg" else {"Software": None}
        trade_off_figure(report, front).savefig(page, format=kind, dpi=150, metadata=metadata)
    return page.getvalue()


def trade_off_figure(report: LearningReport, front: Sequence[SweepPoint] = ()) -> Figure:
    """The report's curve, with a mark for the accuracy of each list of a sweep."""
    figure = report.plot()
    found = [each.point for each in front if each.point is not None]
    if found:
        axes = figure.axes[0]
        accuracies = [point.accuracy for point in found]
        axes.scatter([point.transparency for point in found], accuracies, marker="x", color="C3", label="sweep")
        axes.legend()
    return figure
