"""The contributions of many rows: a dot for each row, a line of dots for each feature."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from decisionflow.explain.global_view import Overview
from decisionflow.render.pictures.drawing import MOST_FEATURES, QUIET, bare

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BINS, HEIGHT = 80, 0.8


def beeswarm_figure(overview: Overview) -> Figure:
    """Features by mean size from the top; a dot's colour is the rank of the feature's value in its column."""
    from matplotlib.figure import Figure

    shown = [load.feature for load in overview.loads][:MOST_FEATURES]
    figure = Figure(figsize=(8, 1.6 + 0.42 * max(1, len(shown))), layout="constrained")
    axes = figure.add_subplot()
    drawn = None
    for place, feature in enumerate(shown):
        column = overview.features.index(feature)
        amounts = overview.contributions[:, column]
        shades = ranks(overview.values[:, column])
        drawn = axes.scatter(
            amounts, place + spread(amounts), c=shades, cmap="viridis", vmin=0, vmax=1, s=9, linewidths=0
        )
    axes.set_yticks(range(len(shown)), shown, parse_math=False)
    axes.set_ylim(len(shown) - 0.4, -0.6)
    axes.axvline(0, color=QUIET, linewidth=0.8)
    bare(axes)
    axes.set_xlabel("contribution to the row's own rule (SMACE)")
    title = f"{overview.policy}: {overview.decision}, {len(overview.contributions)} rows"
    axes.set_title(title, loc="left", fontsize=11, parse_math=False)
    if drawn is not None:
        bar = figure.colorbar(drawn, ax=axes, ticks=[0, 1], aspect=30)
        bar.ax.set_yticklabels(["low", "high"])
        bar.set_label("value of the feature")
    return figure


def spread(amounts: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far each dot (n,) is moved off its line, so that dots of like amounts stand beside each other."""
    low, high = amounts.min(), amounts.max()
    bins = np.zeros(len(amounts), np.intp) if low == high else ((amounts - low) / (high - low) * BINS).astype(np.intp)
    counts = np.bincount(bins)
    order = np.argsort(bins, kind="stable")
    within = np.empty(len(bins), np.intp)
    within[order] = np.arange(len(bins)) - np.repeat(np.cumsum(counts) - counts, counts)
    side = np.where(within % 2 == 0, 1.0, -1.0) * ((within + 1) // 2)
    return np.asarray(side * HEIGHT / max(1, counts.max()), dtype=np.float64)


def ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The rank of each value (n,) among those known, from 0 to 1; one half where it is not known."""
    known = ~np.isnan(values)
    distinct, places = np.unique(values[known], return_inverse=True)
    found = np.full(len(values), 0.5)
    found[known] = places / max(1, len(distinct) - 1) if len(distinct) > 1 else 0.5
    return found
