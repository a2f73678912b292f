"""What a learned list is worth, as a picture or a page, drawn by matplotlib without a screen."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import Literal

from decisionflow.learn.report import LearningReport
from decisionflow.learn.sweep import SweepPoint


def trade_off_picture(
    report: LearningReport, kind: Literal["png", "svg", "html"], front: Sequence[SweepPoint] = ()
) -> bytes:
    """The trade-off curve on held-out rows, and over it the lists of a sweep; same values, same bytes."""
    from matplotlib import rc_context

    with rc_context({"svg.hashsalt": "decisionflow", "svg.fonttype": "none"}):
        if kind == "html":
            return report.to_html(front).encode()
        page = BytesIO()
        metadata = {"Date": None} if kind == "svg" else {"Software": None}
        report.plot(front).savefig(page, format=kind, dpi=150, metadata=metadata)
    return page.getvalue()
