"""HybridCORELS: certificates on COMPAS and Adult, speed beside the published code, and a wide run.

    python benchmarks/hybrid_corels.py [--only certified_optima] [--time-limit 60] [--memory-limit 4]
    python benchmarks/hybrid_corels.py --wide        200,000 rows and 300 rules, generated

DECISIONFLOW_DATA names the folder with reference_optima.json, compas_hc.npz and adult_crl300.npz. Every line is one
instance: what is proved of it, objective and lower bound less the recorded ones, CPU seconds without compilation, and
expansions (a prefix with all its extensions by one rule and by two) per second as a multiple of the fastest that the
published C++ code reached on the same data set (1,370 on COMPAS, 834 on Adult).
"""

from __future__ import annotations

import argparse
import json
import os
import resource
from pathlib import Path
from typing import Any

import numpy as np

from decisionflow.learn.prefix_search import PrefixSearchResult, search_prefix

PUBLISHED_SPEED = {"compas_hc": 1370, "adult_crl300": 834}
WIDE_ROWS, WIDE_COLUMNS = 200_000, 60


def rows(folder: Path, dataset: str) -> tuple[Any, Any, Any]:
    stored = np.load(folder / f"{dataset}.npz", allow_pickle=True)
    train, labels = stored["train_idx"], stored["y"]
    rules = np.unpackbits(stored["rules_packed"], axis=0)[: len(labels)][train].astype(bool)
    support = rules.mean(axis=0)
    return rules[:, (support >= 0.01) & (support <= 0.99)], labels[train], stored["bb_pred"][train]


def recorded(folder: Path, kinds: list[str], limits: dict[str, float]) -> None:
    reference = json.loads((folder / "reference_optima.json").read_text())
    datasets = {name: rows(folder, name) for name in PUBLISHED_SPEED}
    print(
        "instance                       status    objective   less recorded  bound      less recorded  CPU s    speed"
    )
    for case in [case for kind in kinds for case in reference[kind]]:
        candidates, labels, black_box = datasets[case["dataset"]]
        found = search_prefix(
            candidates,
            labels,
            paradigm=case["mode"],
            black_box=black_box,
            min_transparency=case["min_transparency"],
            regularization=case["lambda"],
            **limits,
        )
        print(line(case, found), flush=True)


def line(case: dict[str, Any], found: PrefixSearchResult) -> str:
    name = f"{case['dataset']} {case['mode']} {case['lambda']} {case['min_transparency']}"
    speed = found.expansions / found.cpu_seconds / PUBLISHED_SPEED[case["dataset"]]
    bound = case.get("lower_bound", case["objective"])
    return (
        f"{name:30} {found.status:9} {found.objective:.9f} {found.objective - case['objective']:+13.1e}"
        f"  {found.lower_bound:.6f} {found.lower_bound / bound - 1:+14.2%} {found.cpu_seconds:7.2f} {speed:7.1f}x"
    )


def wide(limits: dict[str, float]) -> None:
    """Conjunctions of two of 60 columns; the label follows the first three."""
    rng = np.random.default_rng(0)
    columns = rng.random((WIDE_ROWS, WIDE_COLUMNS)) < rng.uniform(0.2, 0.8, WIDE_COLUMNS)
    pairs = rng.integers(0, WIDE_COLUMNS, (240, 2))
    candidates = np.column_stack([columns, columns[:, pairs[:, 0]] & columns[:, pairs[:, 1]]])
    score = columns[:, 0] * 2.0 + columns[:, 1] - columns[:, 2] + rng.normal(size=WIDE_ROWS)
    labels = score > np.median(score)
    black_box = labels ^ (rng.random(WIDE_ROWS) < 0.15)
    for paradigm in ("post", "pre"):
        found = search_prefix(
            candidates, labels, paradigm=paradigm, black_box=black_box, min_transparency=0.7, **limits
        )
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(
            f"{paradigm}: {found.status}, objective {found.objective:.6f}, gap {found.gap:.6f}, "
            f"{found.cpu_seconds:.1f} CPU s, {found.expansions} expansions, {peak:.2f} GiB at most"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=["certified_optima", "best_known_not_proved"])
    parser.add_argument("--time-limit", type=float, default=60)
    parser.add_argument("--memory-limit", type=float, default=4)
    parser.add_argument("--wide", action="store_true")
    chosen = parser.parse_args()
    limits = {"time_limit": chosen.time_limit, "memory_limit": chosen.memory_limit}
    if chosen.wide:
        wide(limits)
        return
    kinds = [chosen.only] if chosen.only else ["certified_optima", "best_known_not_proved"]
    recorded(Path(os.environ["DECISIONFLOW_DATA"]), kinds, limits)


if __name__ == "__main__":
    main()
