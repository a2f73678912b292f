"""Local rules and anchors of five black boxes on COMPAS and Adult, like Tables 1 to 6 of the LoRMIkA paper.

    python benchmarks/local_rules.py [compas adult] [--rows 2] [--runs 10] [--models DT LR NN RF SVM] [--methods …]

DECISIONFLOW_DATA names the folder with compas.csv and adult_binary.csv. Each black box is fitted to 2,000 training
rows, 1,000 others are the background, and the first test rows are explained, each with ten seeds. Every rule is
pasted into a policy and measured on the same 500 test rows nearest to the row explained (by the number of columns that
differ), with the black box's own answers: coverage, confidence, lift, and the interest |lift - 1| of Table 3.
Time is CPU seconds, stability the mean Jaccard of the columns used, over the pairs of runs. Beside each mean
is the half width of its 95 % interval over all rows and seeds, or over the rows for the stability.

`rules (MEASURE)` is the best supporting rule by the measure named, `anchor` our anchor. The packages anchor-exp and
lore-sa run in environments of their own: DECISIONFLOW_ANCHOR_PYTHON and DECISIONFLOW_LORE_PYTHON name the interpreters
(`local_rules_peers.py` says how to make them). A black box fitted there must answer as the one here does.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
from local_rules_peers import BLACK_BOXES
from scipy import stats
from sklearn.model_selection import train_test_split

import decisionflow
from decisionflow.explain.k_optimal import MEASURES

FILES = {"compas": "compas.csv", "adult": "adult_binary.csv"}
FITTED, BACKGROUND, NEAR = 2_000, 1_000, 500
PEERS = {"anchor-exp": "DECISIONFLOW_ANCHOR_PYTHON", "lore-sa": "DECISIONFLOW_LORE_PYTHON"}


@dataclass(frozen=True)
class Setting:
    """A black box as a policy of one decision, rows to compare with, and rows kept aside."""

    policy: decisionflow.Policy
    model: str
    black_box: Any
    train: pd.DataFrame
    labels: np.ndarray
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


@dataclass(frozen=True)
class Run:
    """What one run gave: no rule, maybe, and what the package said in its place."""

    rule: LocalRule | None
    seconds: float
    failed: str | None = None


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
        rows, known = train.iloc[:FITTED], answers[:FITTED]
        fitted = BLACK_BOXES[model]().fit(rows, known)
        text = policy_text(features.columns, "decision answer : { no, yes } = black_box")
        policy = decisionflow.parse_policy(text, {"black_box": fitted})
        yield model, Setting(policy, model, fitted, rows, known, background, test.reset_index(drop=True))


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


OURS: dict[str, Callable[[Setting, int, int], LocalRule | None]] = {
    **{f"rules ({measure})": partial(mined, measure=measure) for measure in MEASURES},
    "anchor": anchored,
}


def timed(given: Setting, explain: Callable[[Setting, int, int], LocalRule | None], row: int, seed: int) -> Run:
    start = time.process_time()
    rule = explain(given, row, seed)
    return Run(rule, time.process_time() - start)


def our_runs(given: Setting, method: str, rows: int, runs: int) -> list[list[Run]]:
    """One more row is explained first, which is not counted."""
    timed(given, OURS[method], rows, 0)
    return [[timed(given, OURS[method], row, seed) for seed in range(runs)] for row in range(rows)]


def peer_runs(given: Setting, method: str, rows: int, runs: int) -> list[list[Run]]:
    """The package's rules, by files, from the interpreter that the environment names."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        task = {"columns": given.columns, "model": given.model, "rows": rows, "runs": runs}
        (folder / "task.json").write_text(json.dumps(task))
        frames = {"train": given.train, "background": given.background, "test": given.test}
        matrices = {name: frame.to_numpy(dtype=int) for name, frame in frames.items()}
        np.savez(folder / "data.npz", labels=given.labels.astype(str), **matrices)
        script = Path(__file__).with_name("local_rules_peers.py")
        subprocess.run([os.environ[PEERS[method]], str(script), method, str(folder)], check=True)
        found = json.loads((folder / "found.json").read_text())
    differing = int(np.sum(given.black_box.predict(given.test) != np.array(found["answers"])))
    if differing:
        print(f"the black box of {method} answers {differing} of {len(given.test)} test rows otherwise")
    return [[_run_of(one) for one in runs] for runs in found["rules"]]


def _run_of(one: dict[str, Any]) -> Run:
    rule = LocalRule(one["conditions"], one["concluded"]) if one["conditions"] else None
    return Run(rule, one["seconds"], one["failed"])


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


def table_line(given: Setting, found: list[list[Run]]) -> str:
    cells = pd.DataFrame(
        [
            (worth(given, run.rule, row) if run.rule else {}) | {"CPU s": run.seconds}
            for row, runs in enumerate(found)
            for run in runs
        ],
        columns=COLUMNS,
    )
    used = [[used_columns(given, run.rule) if run.rule else frozenset() for run in runs] for runs in found]
    stable = pd.Series([jaccard(sets) for sets in used])
    without = sum(run.rule is None for runs in found for run in runs)
    return " | ".join([*(interval(cells[name].dropna()) for name in COLUMNS), interval(stable), str(without)])


COLUMNS = ["coverage", "confidence", "lift", "|lift - 1|", "conditions", "CPU s"]


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
    methods = [*OURS, *(method for method, variable in PEERS.items() if variable in os.environ)]
    parser.add_argument("--methods", nargs="*", choices=methods, default=methods)
    chosen = parser.parse_args()
    print("| data, model | method | coverage | confidence | lift | interest | conditions | CPU s | Jaccard | no rule |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name in chosen.data:
        for model, given in settings(name, chosen.models):
            for method in chosen.methods:
                runs = our_runs if method in OURS else peer_runs
                found = runs(given, method, chosen.rows, chosen.runs)
                print(f"| {name}, {model} | {method} | {table_line(given, found)} |", flush=True)
                for failed in dict.fromkeys(run.failed for of_row in found for run in of_row if run.failed):
                    print(f"{method}: {failed}")


if __name__ == "__main__":
    main()
