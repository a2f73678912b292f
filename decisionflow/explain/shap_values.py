"""SHAP of the whole decision, by the shap package's KernelSHAP, or of one model by its best attribution."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from decisionflow.explain.attribution_part import attribution_part
from decisionflow.explain.attributions import Attribution
from decisionflow.explain.attributions.intervals import t_intervals
from decisionflow.explain.attributions.kernel import MOST_BACKGROUND, SAMPLES, kernel_shapley
from decisionflow.explain.coded_rows import CodedRows, coded_rows
from decisionflow.explain.decision_function import decision_function, needed_background
from decisionflow.explain.explainers import Asked
from decisionflow.explain.model_explained import model_attribution

MOST_ROWS = 1_000_000
BATCHES, BATCH_ROWS = 10, 20
METHOD = "kernel-shap"


def shap_part(asked: Asked) -> dict[str, Any]:
    """Of the decision: how much each feature moves "is it the outcome explained?" away from its mean.

    Exact where KernelSHAP can try every set of features on every background row; else over 10 draws of 20 rows, each
    with a seed of its own, whose spread gives the standard error and the intervals.
    """
    if asked.options.of is not None:
        return attribution_part(model_attribution(asked), of=asked.options.of)
    function = decision_function(asked)
    background = needed_background(asked)
    coded = coded_rows(asked.row, background, function.features)
    found = kernel_attribution(
        coded, lambda mixed: function.agrees(coded.table(mixed)).astype(np.float64), asked.smace.seed
    )
    return attribution_part(found, function.outcome, undecided=function.undecided_share)


@dataclass(frozen=True, slots=True)
class _Batches:
    """Places of background rows to be given to the package together, and whether they are all there are."""

    places: list[NDArray[np.intp]]
    whole: bool


def kernel_attribution(
    coded: CodedRows, function: Callable[[pd.DataFrame], NDArray[np.float64]], seed: int
) -> Attribution:
    """Shapley values of a function of coded rows, from runs of the package over batches of the background.

    The game over a background is the mean of the games over its rows, so the runs are averaged by their rows.
    """
    players = int(coded.differs.any(axis=0).sum())
    every_set = 2**players - 2 <= SAMPLES
    batches = _batches(len(coded.codes), min(2**players, SAMPLES), seed)
    exact = every_set and batches.whole
    runs = [
        kernel_shapley(function, coded.row, coded.codes.iloc[places].reset_index(drop=True), seed + number)
        for number, places in enumerate(batches.places)
    ]
    shares = np.array([len(places) for places in batches.places], dtype=np.float64)
    shares /= shares.sum()
    phis = np.array([phi for _, phi, _, _ in runs])
    phi = shares @ phis
    errors = None if exact or len(runs) < 2 else phis.std(axis=0, ddof=1) / np.sqrt(len(runs))
    names = list(coded.codes.columns)
    return Attribution(
        method=METHOD,
        exact=exact,
        output="value",
        base=float(shares @ np.array([base for base, *_ in runs])),
        phi=dict(zip(names, phi.tolist(), strict=True)),
        value=runs[0][2],
        background_rows=int(sum(len(places) for places in batches.places)),
        rows_given=len(coded.codes),
        standard_error=None if errors is None else float(errors.max(initial=0.0)),
        seed=None if exact else seed,
        intervals=None if errors is None else t_intervals(names, phi, errors, len(runs) - 1),
    )


def _batches(rows: int, cost: int, seed: int) -> _Batches:
    """Every row, where that costs no more than a million rows decided, else 10 draws of 20; at most 100 together."""
    whole = rows * cost <= MOST_ROWS or rows <= BATCHES * BATCH_ROWS
    chosen = np.arange(rows)
    count = max(1, -(-rows // MOST_BACKGROUND))
    if not whole:
        chosen = np.random.default_rng(seed).choice(rows, BATCHES * BATCH_ROWS, replace=False)
    if not whole or cost == SAMPLES:
        count = max(count, min(BATCHES, len(chosen)))
    return _Batches(np.array_split(chosen, count), whole)
