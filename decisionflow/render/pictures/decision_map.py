"""The decision over two features: regions of each outcome, the boundaries between them, and the row."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from decisionflow.explain.decision_grid import DecisionGrid, cell_edges
from decisionflow.explain.explanation import Explanation
from decisionflow.render.pictures.drawing import answer_title

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#9ecae1", "#fdbe85", "#a8ddb5", "#dadaeb", "#fcbba1", "#d9d9d9", "#c7e9c0", "#fde0dd")
EDGE = "#1a202c"


def decision_map(explanation: Explanation, grid: DecisionGrid) -> Figure:
    """Every region carries its outcome's name, so that no one needs to tell the colours apart."""
    from matplotlib.colors import ListedColormap
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 5.4), layout="constrained")
    axes = figure.add_subplot()
    colours = [COLOURS[place % len(COLOURS)] for place in range(len(grid.outcomes))]
    across, along = cell_edges(grid.x.places), cell_edges(grid.y.places)
    drawn = ListedColormap(colours)
    axes.pcolormesh(across, along, grid.answers, cmap=drawn, vmin=-0.5, vmax=len(colours) - 0.5, rasterized=True)
    _boundaries(axes, grid)
    for place, outcome in enumerate(grid.outcomes):
        _name(axes, grid, grid.answers == place, outcome)
    axes.plot([grid.x.here], [grid.y.here], marker="o", color="white", markeredgecolor=EDGE, markersize=9, zorder=5)
    axes.annotate(
        f"row {explanation.row}", (grid.x.here, grid.y.here), xytext=(8, 8), textcoords="offset points", zorder=6
    )
    _label(axes, grid)
    axes.set_title(answer_title(explanation), loc="left", fontsize=11, parse_math=False)
    return figure


def _boundaries(axes: Axes, grid: DecisionGrid) -> None:
    """A line along every edge between two cells of different outcomes."""
    from matplotlib.collections import LineCollection

    across, along, answers = cell_edges(grid.x.places), cell_edges(grid.y.places), grid.answers
    rows, columns = np.nonzero(answers[:, 1:] != answers[:, :-1])
    upright = [[(across[j + 1], along[i]), (across[j + 1], along[i + 1])] for i, j in zip(rows, columns, strict=True)]
    rows, columns = np.nonzero(answers[1:] != answers[:-1])
    level = [[(across[j], along[i + 1]), (across[j + 1], along[i + 1])] for i, j in zip(rows, columns, strict=True)]
    axes.add_collection(LineCollection([*upright, *level], colors=EDGE, linewidths=1.0))


def _name(axes: Axes, grid: DecisionGrid, region: NDArray[np.bool_], outcome: str) -> None:
    """The outcome's name, where the region is widest and the row's own mark is not in the way."""
    from scipy.ndimage import distance_transform_edt

    high, wide = region.shape
    free = region & ~_around_the_row(grid)
    if free.any():
        region = free
    depth = distance_transform_edt(np.pad(region, 1), sampling=(1 / high, 1 / wide))[1:-1, 1:-1]
    row, column = np.unravel_index(int(np.argmax(depth)), region.shape)
    place = grid.x.places[column], grid.y.places[row]
    axes.text(*place, outcome, ha="center", va="center", fontsize=11, fontweight="bold", parse_math=False)


def _around_the_row(grid: DecisionGrid) -> NDArray[np.bool_]:
    """The cells that the row's mark and its name cover, and half of an outcome's name beside them."""
    beside, above = (
        np.abs(np.arange(len(axis.places)) - np.argmin(np.abs(np.asarray(axis.places, float) - axis.here)))
        < len(axis.places) * share
        for axis, share in ((grid.x, 0.25), (grid.y, 0.08))
    )
    return above[:, None] & beside[None, :]


def _label(axes: Axes, grid: DecisionGrid) -> None:
    axes.set_xlabel(grid.x.feature, parse_math=False)
    axes.set_ylabel(grid.y.feature, parse_math=False)
    for axis, ticks in ((grid.x, axes.set_xticks), (grid.y, axes.set_yticks)):
        if axis.labels:
            ticks(axis.places, axis.labels, parse_math=False)
        elif axis.unit is not None:
            chosen = axis.places[:: max(1, len(axis.places) // 4)]
            ticks(chosen, [str(np.datetime64(int(place), axis.unit)) for place in chosen])
