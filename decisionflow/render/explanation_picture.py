"""An explanation as a picture: one bar for each feature's contribution, drawn by matplotlib without a screen."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Literal

from decisionflow.explain.explanation import Explanation, FeaturePart
from decisionflow.render.wording import value_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_FEATURES = 20
SUPPORTS, OPPOSES = "#2b6cb0", "#c05621"


def explanation_picture(explanation: Explanation, kind: Literal["png", "svg"]) -> bytes:
    """The picture's bytes; the same explanation gives the same bytes."""
    from matplotlib import rc_context

    page = BytesIO()
    with rc_context({"svg.hashsalt": "decisionflow", "svg.fonttype": "none"}):
        metadata = {"Date": None} if kind == "svg" else {"Software": None}
        explanation_figure(explanation).savefig(page, format=kind, dpi=150, bbox_inches="tight", metadata=metadata)
    return page.getvalue()


def explanation_figure(explanation: Explanation) -> Figure:
    """A horizontal bar for each feature with a contribution, its own part darker than what comes through models."""
    from matplotlib.figure import Figure

    shown = [part for part in explanation.largest_first() if part.total][:MOST_FEATURES]
    figure = Figure(figsize=(8, 1.4 + 0.34 * max(1, len(shown))), layout="constrained")
    axes = figure.add_subplot()
    for place, part in enumerate(reversed(shown)):
        colour = SUPPORTS if part.total > 0 else OPPOSES
        axes.barh(place, part.total, color=colour)
        axes.text(part.total, place, f" {part.total:+.3f} ", va="center", ha="left" if part.total > 0 else "right")
    axes.set_yticks(range(len(shown)), [_label(part) for part in reversed(shown)], parse_math=False)
    axes.axvline(0, color="#444", linewidth=0.8)
    axes.margins(x=0.18)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.set_xlabel(f"contribution to rule {explanation.target_rule} (SMACE)", parse_math=False)
    axes.set_title(_title(explanation), loc="left", fontsize=11, parse_math=False)
    return figure


def _label(part: FeaturePart) -> str:
    return f"{part.feature} = {value_text(part.value)}"


def _title(explanation: Explanation) -> str:
    outcome = explanation.outcome
    answer = value_text(outcome.value) if outcome.status == "decided" else outcome.status
    by = f" by {outcome.rule}" if outcome.rule else ""
    return f"{explanation.policy}, row {explanation.row}: {explanation.decision} = {answer}{by}"
