"""Contributions one after the other, each from where the one before ended."""

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
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def waterfall_figure(explanation: Explanation) -> Figure:
    """From zero to the sum of all contributions, the largest first; beyond twenty the rest is one step.

    By SMACE's invariant the sum is that of the rule's own parts.
    """
    from matplotlib.figure import Figure

    steps = waterfall_steps(explanation)
    figure = Figure(figsize=(8, 1.6 + 0.36 * (len(steps) + 1)), layout="constrained")
    axes = figure.add_subplot()
    end = 0.0
    for place, (_, amount) in enumerate(steps):
        _step(axes, place, end, amount)
        end += amount
    axes.plot([end, end], [-0.5, len(steps) + 0.4], color=QUIET, linewidth=0.8, linestyle=":")
    axes.text(end, len(steps), f" sum {end:+.3f}", va="center")
    labels = [label for label, _ in steps]
    axes.set_yticks(range(len(steps)), labels, parse_math=False)
    axes.set_ylim(len(steps) + 0.6, -0.6)
    axes.axvline(0, color=QUIET, linewidth=0.8)
    axes.margins(x=0.2)
    bare(axes)
    axes.set_xlabel(f"contributions to rule {explanation.target_rule}, added up (SMACE)", parse_math=False)
    axes.set_title(answer_title(explanation), loc="left", fontsize=11, parse_math=False)
    return figure


def waterfall_steps(explanation: Explanation) -> list[tuple[str, float]]:
    """The label and the height of each step."""
    parts = [part for part in explanation.largest_first() if part.total]
    steps = [(feature_label(part), part.total) for part in parts[:MOST_FEATURES]]
    rest = parts[MOST_FEATURES:]
    return [*steps, (f"{len(rest)} more", sum(part.total for part in rest))] if rest else steps


def _step(axes: Axes, place: int, start: float, amount: float) -> None:
    supports = amount > 0
    axes.barh(place, amount, left=start, color=SUPPORTS if supports else OPPOSES, hatch="" if supports else "////")
    axes.plot([start, start], [place - 1.4, place + 0.4] if place else [place, place], color=QUIET, linewidth=0.6)
    axes.text(start + amount, place, f" {amount:+.3f} ", va="center", ha="left" if supports else "right")
