"""One bar for each feature's contribution."""

from __future__ import annotations

from typing import TYPE_CHECKING

from decisionflow.explain.explanation import Explanation
from decisionflow.render.pictures.drawing import (
    MOST_FEATURES,
    OPPOSES,
    QUIET,
    SUPPORTS,
    answer_title,
    bare,
    feature_label,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def bars_figure(explanation: Explanation) -> Figure:
    """A horizontal bar for each feature with a contribution, the largest on top; the number stands beside it."""
    from matplotlib.figure import Figure

    shown = [part for part in explanation.largest_first() if part.total][:MOST_FEATURES]
    figure = Figure(figsize=(8, 1.4 + 0.34 * max(1, len(shown))), layout="constrained")
    axes = figure.add_subplot()
    for place, part in enumerate(reversed(shown)):
        supports = part.total > 0
        axes.barh(place, part.total, color=SUPPORTS if supports else OPPOSES, hatch="" if supports else "////")
        axes.text(part.total, place, f" {part.total:+.3f} ", va="center", ha="left" if supports else "right")
    axes.set_yticks(range(len(shown)), [feature_label(part) for part in reversed(shown)], parse_math=False)
    axes.axvline(0, color=QUIET, linewidth=0.8)
    axes.margins(x=0.18)
    bare(axes)
    axes.set_xlabel(f"contribution to rule {explanation.target_rule} (SMACE)", parse_math=False)
    axes.set_title(answer_title(explanation), loc="left", fontsize=11, parse_math=False)
    return figure
