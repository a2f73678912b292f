"""LIME of the whole decision or of one model, by the lime package, with its own stability."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from decisionflow.errors import DataError
from decisionflow.explain.attribution_part import attribution_part
from decisionflow.explain.attributions import Attribution
from decisionflow.explain.attributions.surrogate import lime_surrogate
from decisionflow.explain.decision_function import decision_function, needed_background
from decisionflow.explain.explainers import Asked
from decisionflow.explain.model_explained import model_attribution
from decisionflow.explain.row_frames import RowFrames, closed_limits, is_numeric, row_frames, sound_rows

RUNS = 5
TOP = 5


def lime_part(asked: Asked) -> dict[str, Any]:
    """LIME's local linear model of "is it the outcome explained?", or of the model named by `of`.

    `phi` is that of the asked seed; `stability` says how well further runs, with the seeds after it, agree with it and
    with one another: the mean share that the five weightiest features of two runs have in common (Jaccard), and the
    largest standard deviation of a weight over the runs.
    """
    if asked.options.of is not None:
        runs = [model_attribution(_seeded(asked, number), "lime") for number in range(RUNS)]
        return attribution_part(runs[0], of=asked.options.of, stability=stability([run.phi for run in runs]))
    function = decision_function(asked)
    background = needed_background(asked)
    frames = row_frames(function.program, function.features)
    rows = sound_rows(frames, background.table.columns)
    own = frames.frame(frames.table(pd.DataFrame([frames.row(asked.row.values)])[list(rows.columns)]).columns)
    limits = _limits(frames, rows)

    def worth(table: pd.DataFrame) -> Any:
        return function.agrees(frames.table(table)).astype(np.float64)

    found = [_run(worth, own, rows, limits, asked.smace.seed + number) for number in range(RUNS)]
    stable = stability([run.phi for run in found])
    return attribution_part(found[0], function.outcome, undecided=function.undecided_share, stability=stable)


def stability(runs: list[Mapping[str, float]]) -> dict[str, Any]:
    """How well the runs' weights agree."""
    top = min(TOP, len(runs[0]))
    weightiest = [frozenset(sorted(phi, key=lambda name: -abs(phi[name]))[:top]) for phi in runs]
    shared = [len(one & other) / len(one | other) for one, other in combinations(weightiest, 2) if one | other]
    spread = np.std([list(phi.values()) for phi in runs], axis=0, ddof=1)
    return {
        "runs": len(runs),
        "top": top,
        "agreement": float(np.mean(shared)) if shared else 1.0,
        "largest_deviation": float(spread.max(initial=0.0)),
    }


def _run(
    function: Callable[[pd.DataFrame], Any],
    row: pd.DataFrame,
    background: pd.DataFrame,
    limits: Mapping[str, tuple[float, float]],
    seed: int,
) -> Attribution:
    try:
        found = lime_surrogate(function, row, background, seed, limits)
    except ValueError as error:
        raise DataError(f"LIME cannot explain this row: {error}") from error
    phi = dict(zip(row.columns, found.phi.tolist(), strict=True))
    rows = len(background)
    return Attribution(
        "lime", False, "value", found.base, phi, found.value, rows, rows, fidelity=found.fidelity, seed=seed
    )


def _limits(frames: RowFrames, rows: pd.DataFrame) -> dict[str, tuple[float, float]]:
    return {
        name: closed_limits(feature, rows[name].to_numpy(dtype=np.float64, na_value=np.nan))
        for name, feature in frames.features.items()
        if is_numeric(feature) and feature.domain is not None
    }


def _seeded(asked: Asked, number: int) -> Asked:
    """The same question for the seed so many after the one given."""
    return replace(asked, smace=replace(asked.smace, seed=asked.smace.seed + number)) if number else asked
