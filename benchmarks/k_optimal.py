"""Time of one k-optimal mining: 2,300 rows x 60 conditions, for every measure.

    python benchmarks/k_optimal.py [--conditions 3] [--repeats 5]

Rows are labels of 20 columns with three labels each, drawn with a seed. Three targets: one that depends on two columns,
one that is noise, so that hardly any rule is kept and little is pruned, and one that is seldom. The first call, which
compiles or loads the compiled search, is timed apart.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import pandas as pd

from decisionflow.explain import k_optimal_rules
from decisionflow.explain.k_optimal import MEASURES

ROWS, COLUMNS, LABELS = 2_300, 20, 3


def data(seed: int) -> tuple[pd.DataFrame, dict[str, np.ndarray]]:
    """The frame of labels and the targets by name."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({f"column_{number}": rng.integers(0, LABELS, ROWS) for number in range(COLUMNS)})
    signal = ((frame["column_0"] == 1) & (frame["column_1"] > 0)).to_numpy()
    return frame, {
        "two columns": signal | (rng.random(ROWS) < 0.2),
        "noise": rng.random(ROWS) < 0.5,
        "seldom": rng.random(ROWS) < 0.1 + 0.2 * signal,
    }


def seconds(frame: pd.DataFrame, target: np.ndarray, measure: str, conditions: int) -> float:
    start = time.perf_counter()
    k_optimal_rules(frame, target, True, measure, max_conditions=conditions)
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--conditions", type=int, default=3)
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    frame, targets = data(seed=0)
    print(f"first call: {seconds(frame, targets['noise'], 'leverage', arguments.conditions):.2f} s")
    print(f"| target | {' | '.join(MEASURES)} |  (slowest of {arguments.repeats}, seconds)")
    for name, target in targets.items():
        slowest = [
            max(seconds(frame, target, measure, arguments.conditions) for _ in range(arguments.repeats))
            for measure in MEASURES
        ]
        print(f"| {name} | {' | '.join(f'{value:.3f}' for value in slowest)} |")


if __name__ == "__main__":
    main()
