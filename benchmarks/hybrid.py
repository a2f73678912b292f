"""Accuracy against transparency of all learners on COMPAS and Adult, like Figure 13 of the hybrid models' paper.

    python benchmarks/hybrid.py [--data compas adult] [--splits 5] [--shares 0.5 0.6 0.7] [--time-limit 10]
    python benchmarks/hybrid.py --instability        ten seeds of each learner, like Figures 7 and 9
    python benchmarks/hybrid.py --specialization     the black box's gain from Eq. 5 on COMPAS, like Figure 12

Each split is 80 % training and 20 % test rows; a random forest of depth 10 is the black box. The front of a learner
is the mean over the splits, with 95 % intervals (Student's t), at each minimum transparency: asked of HybridCORELS
and HyRS, where the paper varies beta for HyRS; for CRL the first depth that reaches it; CORELS has one point. What
all reach in the middle is told at last: the mean accuracy at 0.5 to 0.7. DECISIONFLOW_DATA names the folder with
compas_hc.npz and adult_crl300.npz.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from scipy.stats import t as student
from sklearn.ensemble import AdaBoostClassifier
from sklearn.model_selection import train_test_split

from decisionflow.learn import (
    CompanionRuleListClassifier,
    CORELSClassifier,
    HybridCORELSClassifier,
    HybridRuleSetClassifier,
)
from decisionflow.learn.table_forest import TableForest

FILES = {"compas": "compas_hc.npz", "adult": "adult_crl300.npz"}
SHARES = (0.1, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9)
MIDDLE = (0.5, 0.7)
COLUMNS: dict[str, Any] = {"max_conditions": 1, "min_support": 0.01, "negations": False}
Front = Iterator[tuple[float, float, float]]
Shares = tuple[float, ...]


@dataclass(frozen=True)
class Split:
    """Candidate columns and labels of training and test rows, with the black box of the raw columns' answers."""

    train: tuple[np.ndarray, np.ndarray]
    test: tuple[np.ndarray, np.ndarray]
    answers: tuple[np.ndarray, np.ndarray]


def splits(name: str, count: int) -> Iterator[Split]:
    stored = np.load(Path(os.environ["DECISIONFLOW_DATA"]) / FILES[name], allow_pickle=True)
    labels = stored["y"]
    rules, raw = (np.unpackbits(stored[f"{kind}_packed"], axis=0)[: len(labels)] for kind in ("rules", "bin"))
    for seed in range(count):
        train, test = train_test_split(np.arange(len(labels)), test_size=0.2, random_state=seed)
        black_box = TableForest(random_state=seed).fit(raw[train], labels[train])
        yield Split(
            (rules[train], labels[train]),
            (rules[test], labels[test]),
            (black_box.predict(raw[train]), black_box.predict(raw[test])),
        )


def last_point(learner: Any, split: Split) -> tuple[float, float]:
    fitted = learner.fit(*split.train)
    point = fitted.trade_off(*split.test, black_box_predictions=split.answers[1])[-1]
    return point.transparency, point.accuracy


def post(split: Split, limit: float, shares: Shares) -> Front:
    for share in shares:
        learner = HybridCORELSClassifier(
            split.answers[0], min_transparency=share, regularization=0.001, time_limit=limit, **COLUMNS
        )
        yield (share, *last_point(learner, split))


def pre(split: Split, limit: float, shares: Shares) -> Front:
    for share in shares:
        learner = HybridCORELSClassifier(
            paradigm="pre", min_transparency=share, regularization=0.001, time_limit=limit, **COLUMNS
        )
        fitted = learner.fit(*split.train)
        point = fitted.trade_off(*split.test)[-1]
        yield share, point.transparency, point.accuracy


def rule_sets(split: Split, limit: float, shares: Shares) -> Front:
    for share in shares:
        learner = HybridRuleSetClassifier(split.answers[0], min_transparency=share, time_limit=limit, **COLUMNS)
        yield (share, *last_point(learner, split))


def companion(split: Split, limit: float, shares: Shares) -> Front:
    learner = CompanionRuleListClassifier(split.answers[0], alpha=0.0005, time_limit=limit, **COLUMNS)
    trade_off = learner.fit(*split.train).trade_off(*split.test, black_box_predictions=split.answers[1])
    for share in shares:
        reached = next((point for point in trade_off if point.transparency >= share), trade_off[-1])
        yield share, reached.transparency, reached.accuracy


def corels(split: Split, limit: float, shares: Shares) -> Front:  # noqa: ARG001
    learner = CORELSClassifier(split.answers[0], regularization=0.002, time_limit=limit, **COLUMNS)
    yield (0.0, *last_point(learner, split))


LEARNERS: dict[str, Callable[[Split, float, Shares], Front]] = {
    "HybridCORELS post": post,
    "HybridCORELS pre": pre,
    "HyRS": rule_sets,
    "CRL": companion,
    "CORELS": corels,
}


def measure(name: str, count: int, limit: float, shares: Shares) -> pd.DataFrame:
    """Learner, minimum transparency asked for, transparency and accuracy on the test rows of each split."""
    found = []
    for place, split in enumerate(splits(name, count)):
        found.append((place, "black box", 0.0, 0.0, (split.answers[1] == split.test[1]).mean()))
        fronts = ((learner, front(split, limit, shares)) for learner, front in LEARNERS.items())
        found.extend((place, learner, *point) for learner, front in fronts for point in front)
    return pd.DataFrame(found, columns=["split", "learner", "asked", "transparency", "accuracy"])


def means(measured: pd.DataFrame) -> pd.DataFrame:
    """Means over the splits, and half of the 95 % interval of the accuracy."""
    groups = measured.drop(columns="split").groupby(["learner", "asked"], sort=False)
    return groups.mean().assign(interval=groups["accuracy"].agg(half_width)).reset_index()


def middle(measured: pd.DataFrame) -> pd.DataFrame:
    """Each learner's accuracy where 0.5 to 0.7 is asked for: mean over splits and shares, interval over splits."""
    there = measured[measured["asked"].between(*MIDDLE)]
    by_split = there.groupby(["learner", "split"], sort=False)["accuracy"].mean()
    return by_split.groupby("learner", sort=False).agg(["mean", half_width])


def half_width(values: pd.Series) -> float:
    return float(student.ppf(0.975, len(values) - 1) * values.sem()) if len(values) > 1 else float("nan")


def draw(measured: dict[str, pd.DataFrame], path: Path) -> None:
    figure = Figure(figsize=(6 * len(measured), 4), layout="constrained")
    for axes, (name, frame) in zip(figure.subplots(1, len(measured), squeeze=False)[0], measured.items(), strict=True):
        for learner, front in frame.groupby("learner", sort=False):
            axes.plot(front["transparency"], front["accuracy"], marker="o", label=str(learner))
        axes.set(title=name, xlabel="transparency", ylabel="accuracy on test rows", xlim=(0, 1))
        axes.legend()
    figure.savefig(path)


def instability(limit: float) -> pd.DataFrame:
    """The transparency that ten seeds reach in training, where 0.5 is asked for or hoped for."""
    split = next(splits("compas", 1))
    settings: dict[str, Any] = {"time_limit": limit, **COLUMNS}
    makers: dict[str, Callable[[int], Any]] = {
        "HyRS beta=0.02": lambda seed: HybridRuleSetClassifier(
            split.answers[0], beta=0.02, iterations=500, random_state=seed, **settings
        ),
        "CRL": lambda seed: CompanionRuleListClassifier(
            split.answers[0], alpha=0.001, iterations=2000, random_state=seed, **settings
        ),
        "HybridCORELS post 0.5": lambda seed: HybridCORELSClassifier(
            split.answers[0], min_transparency=0.5, random_state=seed, **settings
        ),
    }
    reached = {
        name: [_nearest(make(seed).fit(*split.train).training_trade_off_["transparency"]) for seed in range(10)]
        for name, make in makers.items()
    }
    return pd.DataFrame(reached).describe().loc[["min", "mean", "max", "std"]]


def _nearest(transparencies: np.ndarray) -> float:
    enough = transparencies[transparencies >= 0.5]
    return float(enough.min() if len(enough) else transparencies.max())


def specialization(count: int, limit: float) -> pd.DataFrame:
    """Test accuracy of an AdaBoost black box on the rows left to it, by minimum transparency and alpha of Eq. 5."""
    found = []
    for split in splits("compas", count):
        for share in (0.25, 0.5, 0.75):
            for alpha in (0.0, 1.0, 2.0, 5.0, 10.0):
                learner = HybridCORELSClassifier(
                    AdaBoostClassifier(random_state=0),
                    paradigm="pre",
                    min_transparency=share,
                    specialization=alpha,
                    time_limit=limit,
                    **COLUMNS,
                ).fit(*split.train)
                answers, sources = learner.predict_with_source(split.test[0])
                left = sources == "black_box"
                found.append((share, alpha, (answers == split.test[1])[left].mean()))
    frame = pd.DataFrame(found, columns=["min_transparency", "alpha", "accuracy"])
    return frame.pivot_table("accuracy", "min_transparency", "alpha")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--data", nargs="*", default=list(FILES), choices=list(FILES))
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--shares", type=float, nargs="*", default=SHARES, help="minimum transparencies")
    parser.add_argument("--time-limit", type=float, default=10.0, help="CPU seconds of each search")
    parser.add_argument("--output", type=Path, default=Path("hybrid.png"))
    parser.add_argument("--instability", action="store_true")
    parser.add_argument("--specialization", action="store_true")
    arguments = parser.parse_args()
    if "DECISIONFLOW_DATA" not in os.environ:
        raise SystemExit("set DECISIONFLOW_DATA to the folder with compas_hc.npz and adult_crl300.npz")
    if arguments.instability:
        print(instability(arguments.time_limit).round(3).to_string())
    elif arguments.specialization:
        print(specialization(arguments.splits, arguments.time_limit).round(4).to_string())
    else:
        fronts = {}
        for name in arguments.data:
            measured = measure(name, arguments.splits, arguments.time_limit, tuple(arguments.shares))
            fronts[name] = means(measured)
            print(f"\n{name}\n{fronts[name].round(4).to_string(index=False)}")
            print(f"\nasked for {MIDDLE[0]} to {MIDDLE[1]}\n{middle(measured).round(4).to_string()}", flush=True)
        draw(fronts, arguments.output)


if __name__ == "__main__":
    main()
