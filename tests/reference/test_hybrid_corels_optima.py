"""Objectives of HybridCORELS on COMPAS and Adult that were proved elsewhere, to 1e-9.

Needs the folder with `reference_optima.json` in DECISIONFLOW_DATA. The harder ones take up to a minute each and run
only with DECISIONFLOW_SLOW=1.
"""

from __future__ import annotations

import functools
import json
import os
from pathlib import Path

import numpy as np
import pytest

from decisionflow.learn.prefix_search import search_prefix

FOLDER = Path(os.environ.get("DECISIONFLOW_DATA", "."))
SLOW = {
    ("adult_crl300", "post", 0.01, 0.5),
    ("adult_crl300", "pre", 0.001, 0.5),
    ("compas_hc", "post", 0.01, 0.9),
    ("compas_hc", "pre", 0.001, 0.5),
    ("compas_hc", "pre", 0.01, 0.9),
}


def certified():
    path = FOLDER / "reference_optima.json"
    return json.loads(path.read_text())["certified_optima"] if path.exists() else []


@functools.cache
def rows(dataset):
    """Rules with a support from 1 to 99 % of the training rows, their names, labels and the black box's answers."""
    stored = np.load(FOLDER / f"{dataset}.npz", allow_pickle=True)
    train, labels = stored["train_idx"], stored["y"]
    rules = np.unpackbits(stored["rules_packed"], axis=0)[: len(labels)][train]
    kept = (rules.mean(axis=0) >= 0.01) & (rules.mean(axis=0) <= 0.99)
    return rules[:, kept], [str(name) for name in stored["rule_names"][kept]], labels[train], stored["bb_pred"][train]


@pytest.mark.skipif(not certified(), reason="DECISIONFLOW_DATA names no folder with reference_optima.json")
@pytest.mark.parametrize("case", certified(), ids=lambda case: "-".join(map(str, list(case.values())[:4])))
def test_the_proved_optimum_is_found_and_proved(case):
    key = (case["dataset"], case["mode"], case["lambda"], case["min_transparency"])
    if key in SLOW and not os.environ.get("DECISIONFLOW_SLOW"):
        pytest.skip("takes up to a minute: set DECISIONFLOW_SLOW=1")
    candidates, _, labels, black_box = rows(case["dataset"])
    found = search_prefix(
        candidates,
        labels,
        paradigm=case["mode"],
        black_box=black_box,
        min_transparency=case["min_transparency"],
        regularization=case["lambda"],
        time_limit=120,
        memory_limit=4,
    )
    assert found.certified
    assert found.objective == pytest.approx(case["objective"], abs=1e-9)
