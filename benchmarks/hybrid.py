"""Accuracy against transparency of all learners on COMPAS and Adult, like Figure 13 of the hybrid models' paper.

    python benchmarks/hybrid.py [--data compas adult] [--splits 5] [--time-limit 10] [--output hybrid.png]
    python benchmarks/hybrid.py --instability        ten seeds of each learner, like Figures 7 and 9
    python benchmarks/hybrid.py --specialization     the black box's gain from Eq. 5 on COMPAS, like Figure 12

Each split is 80 % training and 20 % test rows; a random forest of depth 10 is the black box. The front of a learner is
the mean over the splits at each setting: minimum transparency for HybridCORELS and CORELS, beta for HyRS, the depth of
the list for CRL. DECISIONFLOW_DATA names the folder with compas_hc.npz and adult_crl300.npz.
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
BETAS = (0.002, 0.01, 0.02, 0.05, 0.1, 0.3)
COLUMNS: dict[str, Any] = {"max_conditions": 1, "min_support": 0.01, "negations": False}
Front = Iterator[tuple[Any, float, float]]


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


def post(split: Split, limit: float) -> Front:
    for share in SHARES:
        learner = HybridCORELSClassifier(
            split.answers[0], min_transparency=share, regularization=0.001, time_limit=limit, **COLUMNS
        )
        yield (share, *last_point(learner, split))


def pre(split: Split, limit: float) -> Front:
    for share in SHARES:
        learner = HybridCORELSClassifier(
            paradigm="pre", min_transparency=share, regularization=0.001, time_limit=limit, **COLUMNS
        )
        fitted = learner.fit(*split.train)
        point = fitted.trade_off(*split.test)[-1]
        yield share, point.transparency, point.accuracy


def rule_sets(split: Split, limit: float) -> Front:
    for beta in BETAS:
        learner = HybridRuleSetClassifier(split.answers[0], beta=beta, time_limit=limit, **COLUMNS)
        yield (beta, *last_point(learner, split))


def companion(split: Split, limit: float) -> Front:
    learner = CompanionRuleListClassifier(split.answers[0], alpha=0.0005, time_limit=limit, **COLUMNS)
    trade_off = learner.fit(*split.train).trade_off(*split.test, black_box_predictions=split.answers[1])
    for share in SHARES:
        reached = next((point for point in trade_off if point.transparency >= share), trade_off[-1])
        yield share, reached.transparency, reached.accuracy


def corels(split: Split, limit: float) -> Front:
    learner = CORELSClassifier(split.answers[0], regularization=0.002, time_limit=limit, **COLUMNS)
    yield (0.002, *last_point(learner, split))


LEARNERS: dict[str, Callable[[Split, float], Front]] = {
    "HybridCORELS post": post,
    "HybridCORELS pre": pre,
    "HyRS": rule_sets,
    "CRL": companion,
    "CORELS": corels,
}


def measure(name: str, count: int, limit: float) -> pd.DataFrame:
    """Means over the splits: learner, setting, transparency and accuracy on test rows."""
    found = []
    for split in splits(name, count):
        found.append(("black box", 0.0, 0.0, (split.answers[1] == split.test[1]).mean()))
        found.extend((learner, *point) for learner, front in LEARNERS.items() for point in front(split, limit))
    frame = pd.DataFrame(found, columns=["learner", "setting", "transparency", "accuracy"])
    return frame.groupby(["learner", "setting"], sort=False).mean().reset_index()


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
        measured = {name: measure(name, arguments.splits, arguments.time_limit) for name in arguments.data}
        for name, frame in measured.items():
            print(f"\n{name}\n{frame.round(4).to_string(index=False)}")
        draw(measured, arguments.output)


if __name__ == "__main__":
    main()
