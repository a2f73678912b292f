"""HybridCORELS: certificates on COMPAS and Adult, speed beside the published code, and a wide run.

    python benchmarks/hybrid_corels.py [--only certified_optima] [--time-limit 60] [--memory-limit 4] [--json]
    python benchmarks/hybrid_corels.py --wide        200,000 rows and 300 rules, generated

DECISIONFLOW_DATA names the folder with reference_optima.json, compas_hc.npz and adult_crl300.npz. Every line of the
table (or with --json every object) is one instance: what is proved of it, its objective and lower bound beside the
recorded ones, CPU seconds without compilation, those of them that went into caps of what rules can gain, and expansions
(a prefix with all its extensions by one rule and by two) per second of the others, as a multiple of the fastest that
the published C++ code reached on the same data set (1,370 on COMPAS, 834 on Adult).
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
COLUMNS = (
    "data, paradigm, lambda, transparency",
    "status",
    "objective",
    "against recorded",
    "lower bound",
    "against recorded",
    "gap",
    "CPU s",
    "of them caps",
    "speed",
)


def rows(folder: Path, dataset: str) -> tuple[Any, Any, Any]:
    stored = np.load(folder / f"{dataset}.npz", allow_pickle=True)
    train, labels = stored["train_idx"], stored["y"]
    rules = np.unpackbits(stored["rules_packed"], axis=0)[: len(labels)][train].astype(bool)
    support = rules.mean(axis=0)
    return rules[:, (support >= 0.01) & (support <= 0.99)], labels[train], stored["bb_pred"][train]


def recorded(folder: Path, kinds: list[str], limits: dict[str, float], as_json: bool) -> None:
    reference = json.loads((folder / "reference_optima.json").read_text())
    datasets = {name: rows(folder, name) for name in PUBLISHED_SPEED}
    if not as_json:
        print("| " + " | ".join(COLUMNS) + " |\n|" + "---|" * len(COLUMNS))
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
        figures = measured(case, found)
        print(json.dumps(figures) if as_json else line(figures), flush=True)


def measured(case: dict[str, Any], found: PrefixSearchResult) -> dict[str, Any]:
    searching = found.cpu_seconds - found.capping_seconds
    return {
        "instance": f"{case['dataset']} {case['mode']} {case['lambda']} {case['min_transparency']}",
        "status": found.status,
        "objective": found.objective,
        "recorded_objective": case["objective"],
        "lower_bound": found.lower_bound,
        "recorded_lower_bound": case.get("lower_bound", case["objective"]),
        "stopped_by": found.stopped_by,
        "cpu_seconds": found.cpu_seconds,
        "capping_seconds": found.capping_seconds,
        "expansions": found.expansions,
        "times_published_speed": found.expansions / searching / PUBLISHED_SPEED[case["dataset"]],
    }


def line(figures: dict[str, Any]) -> str:
    better = figures["objective"] - figures["recorded_objective"]
    bound = figures["lower_bound"] / figures["recorded_lower_bound"] - 1
    gap = figures["objective"] - figures["lower_bound"]
    cells = [
        figures["instance"],
        figures["status"],
        f"{figures['objective']:.7f}",
        "same" if abs(better) < 1e-9 else f"{better:+.7f}",
        f"{figures['lower_bound']:.6f}",
        f"{bound:+.2%}",
        f"{gap:.6f}",
        f"{figures['cpu_seconds']:.1f}",
        f"{figures['capping_seconds']:.1f}",
        f"{figures['times_published_speed']:.1f}",
    ]
    return "| " + " | ".join(cells) + " |"


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
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    limits = {"time_limit": chosen.time_limit, "memory_limit": chosen.memory_limit}
    if chosen.wide:
        wide(limits)
        return
    kinds = [chosen.only] if chosen.only else ["certified_optima", "best_known_not_proved"]
    recorded(Path(os.environ["DECISIONFLOW_DATA"]), kinds, limits, chosen.json)


if __name__ == "__main__":
    main()
