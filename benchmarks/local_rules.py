"""Local rules and anchors of five black boxes on COMPAS and Adult, like Tables 1 to 6 of the LoRMIkA paper.

    python benchmarks/local_rules.py [compas adult] [--rows 2] [--runs 10] [--models DT LR NN RF SVM]

DECISIONFLOW_DATA names the folder with compas.csv and adult_binary.csv. Each black box is fitted to 2,000 training
rows, 1,000 others are the background, and the first test rows are explained, each with ten seeds. Every rule is
pasted into a policy and measured on the same 500 test rows nearest to the row explained (by the number of columns that
differ), with the black box's own answers: coverage, confidence, lift, and the interest |lift - 1| of Table 3.
Time is CPU seconds, stability the mean Jaccard of the columns used, over the pairs of runs. Beside each mean
is the half width of its 95 % interval over all rows and seeds, or over the rows for the stability.

`rules` is the best supporting rule by the measure named, `anchor` our anchor. Where the package anchor-exp is
installed, its anchors stand beside ours.
"""

from __future__ import annotations

import argparse
import os
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import decisionflow

FILES = {"compas": "compas.csv", "adult": "adult_binary.csv"}
FITTED, BACKGROUND, NEAR = 2_000, 1_000, 500
BLACK_BOXES: dict[str, Callable[[], Any]] = {
    "DT": lambda: DecisionTreeClassifier(random_state=0),
    "LR": lambda: LogisticRegression(max_iter=1000),
    "NN": lambda: MLPClassifier(solver="lbfgs", max_iter=1000, random_state=0),
    "RF": lambda: RandomForestClassifier(100, random_state=0),
    "SVM": lambda: SVC(random_state=0),
}


@dataclass(frozen=True)
class Setting:
    """A black box as a policy of one decision, rows to compare with, and rows kept aside."""

    policy: decisionflow.Policy
    black_box: Any
    background: pd.DataFrame
    test: pd.DataFrame

    @property
    def columns(self) -> list[str]:
        return list(self.test.columns)

    def nearest(self, row: int) -> pd.DataFrame:
        apart = (self.test != self.test.iloc[row]).sum(axis=1)
        return self.test.iloc[np.argsort(apart, kind="stable")[:NEAR]]


@dataclass(frozen=True)
class LocalRule:
    """Conditions as a policy writes them, and the class that they lead to."""

    conditions: str
    concluded: str


def data(name: str) -> tuple[pd.DataFrame, np.ndarray]:
    if "DECISIONFLOW_DATA" not in os.environ:
        raise SystemExit("set DECISIONFLOW_DATA to the folder with compas.csv and adult_binary.csv")
    frame = pd.read_csv(Path(os.environ["DECISIONFLOW_DATA"]) / FILES[name])
    frame.columns = [re.sub(r"\W+", "_", column.replace(">", "_over_")) for column in frame]
    return frame.iloc[:, :-1].astype(bool), np.where(frame.iloc[:, -1] == 1, "yes", "no")


def settings(name: str, models: list[str]) -> Iterator[tuple[str, Setting]]:
    features, labels = data(name)
    train, test, answers, _ = train_test_split(features, labels, test_size=0.2, random_state=0)
    background = train.iloc[FITTED : FITTED + BACKGROUND].reset_index(drop=True)
    for model in models:
        fitted = BLACK_BOXES[model]().fit(train.iloc[:FITTED], answers[:FITTED])
        text = policy_text(features.columns, "decision answer : { no, yes } = black_box")
        policy = decisionflow.parse_policy(text, {"black_box": fitted})
        yield model, Setting(policy, fitted, background, test.reset_index(drop=True))


def policy_text(columns: Any, decision: str) -> str:
    declared = "\n".join(f"feature {column} : boolean" for column in columns)
    return f"policy local\n{declared}\nmodel black_box : {{ no, yes }} using {', '.join(columns)}\n{decision}\n"


# One rule by each method


def mined(given: Setting, row: int, seed: int, measure: str) -> LocalRule | None:
    found = given.policy.explain(
        given.test, row, method="rules", measure=measure, k=1, background=given.background, seed=seed
    ).to_dict()["local_rules"]
    supporting = [rule for rule in found if rule["kind"] == "supporting"]
    return LocalRule(supporting[0]["conditions"], supporting[0]["class"]) if supporting else None


def anchored(given: Setting, row: int, seed: int) -> LocalRule | None:
    found = given.policy.explain(given.test, row, method="anchor", background=given.background, seed=seed).to_dict()
    conditions = found["anchor"]["conditions"]
    return LocalRule(" and ".join(conditions), found["anchor"]["outcome"]) if conditions else None


def anchored_by_package(given: Setting, row: int, seed: int) -> LocalRule | None:
    """The anchor of anchor-exp; its conditions are column = value, over columns of 0 and 1."""
    from anchor.anchor_tabular import AnchorTabularExplainer

    np.random.seed(seed)
    labels = {place: ["false", "true"] for place in range(len(given.columns))}
    explainer = AnchorTabularExplainer(["no", "yes"], given.columns, given.background.to_numpy(dtype=int), labels)
    own = given.test.iloc[[row]]

    def answers(matrix: np.ndarray) -> np.ndarray:
        return (given.black_box.predict(pd.DataFrame(matrix.astype(bool), columns=given.columns)) == "yes").astype(int)

    found = explainer.explain_instance(own.to_numpy(dtype=int)[0], answers, threshold=0.95)
    conditions = " and ".join(found.names())
    return LocalRule(conditions, str(given.black_box.predict(own)[0])) if conditions else None


METHODS: dict[str, Callable[[Setting, int, int], LocalRule | None]] = {
    "rules (confidence)": lambda given, row, seed: mined(given, row, seed, "confidence"),
    "rules (leverage)": lambda given, row, seed: mined(given, row, seed, "leverage"),
    "anchor": anchored,
} | ({"anchor-exp": anchored_by_package} if find_spec("anchor") else {})


# What a rule is worth


def covered(given: Setting, rule: LocalRule, rows: pd.DataFrame) -> np.ndarray:
    """Where the conditions hold, by a policy that has them as its only rule."""
    decision = f"decision held : {{ no, yes }}\n  rule pasted: if {rule.conditions} then yes\n  otherwise no"
    policy = decisionflow.parse_policy(policy_text(given.columns, decision))
    return np.asarray(policy.evaluate(rows)["held"].value == "yes")


def worth(given: Setting, rule: LocalRule, row: int) -> dict[str, float]:
    near = given.nearest(row)
    agrees = given.black_box.predict(near) == rule.concluded
    held = covered(given, rule, near)
    confidence = float(agrees[held].mean()) if held.any() else np.nan
    lift = confidence / float(agrees.mean())
    return {
        "coverage": float(held.mean()),
        "confidence": confidence,
        "lift": lift,
        "|lift - 1|": abs(lift - 1),
        "conditions": float(len(used_columns(given, rule))),
    }


def used_columns(given: Setting, rule: LocalRule) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", rule.conditions)) & frozenset(given.columns)


def jaccard(sets: list[frozenset[str]]) -> float:
    """Mean over all pairs; two empty sets agree."""
    return float(np.mean([len(one & two) / len(one | two) if one | two else 1.0 for one, two in combinations(sets, 2)]))


def measure(given: Setting, explain: Callable[[Setting, int, int], LocalRule | None], rows: int, runs: int) -> str:
    found: list[dict[str, float]] = []
    stable, without = [], 0
    explain(given, rows, 0)
    for row in range(rows):
        used = []
        for seed in range(runs):
            start = time.process_time()
            rule = explain(given, row, seed)
            seconds = time.process_time() - start
            used.append(used_columns(given, rule) if rule else frozenset())
            without += rule is None
            found.append((worth(given, rule, row) if rule else {}) | {"CPU s": seconds})
        stable.append(jaccard(used))
    cells = [interval(column.dropna()) for _, column in pd.DataFrame(found).items()]
    return " | ".join([*cells, interval(pd.Series(stable)), str(without)])


def interval(values: pd.Series) -> str:
    if len(values) < 2:
        return f"{values.mean():.3f}"
    half = stats.t.ppf(0.975, len(values) - 1) * values.std() / np.sqrt(len(values))
    return f"{values.mean():.3f} ± {half:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="*", metavar="DATA", default=list(FILES), help=", ".join(FILES))
    parser.add_argument("--rows", type=int, default=2)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--models", nargs="*", choices=BLACK_BOXES, default=list(BLACK_BOXES))
    parser.add_argument("--methods", nargs="*", choices=METHODS, default=list(METHODS))
    chosen = parser.parse_args()
    print("| data, model | method | coverage | confidence | lift | interest | conditions | CPU s | Jaccard | no rule |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name in chosen.data:
        for model, given in settings(name, chosen.models):
            for method in chosen.methods:
                cells = measure(given, METHODS[method], chosen.rows, chosen.runs)
                print(f"| {name}, {model} | {method} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
