"""Seconds for one explanation on the shipped policies: ours beside shap's KernelExplainer and TreeExplainer, and lime.

    python benchmarks/explainers_time.py [consumer_credit cancer_treatment recidivism] [--rows 3] [--seeds 2]
                                         [--only anchor rules …]

CPU seconds of one row, after one that is not counted: mean over rows and seeds and the half width of its 95 % interval.
The packages are called as their users call them, on "is it the outcome of this row?", answered by `policy.evaluate`:
KernelExplainer with 100 background rows and its own number of samples, LimeTabularExplainer with 5,000. Labels and
dates reach them as codes. Our methods use the whole background; our `lime` runs the package five times to tell its
stability. TreeExplainer is interventional over 100 rows and explains the forest of `recidivism` alone, as does our
attribution of the model, over all 4,000.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

import decisionflow

POLICIES = Path(__file__).parents[1] / "policies"
TODAY = "2026-11-29"
BACKGROUND_ROWS = 100
DATA = {
    "consumer_credit": ("applicants.csv", "background.csv"),
    "cancer_treatment": ("patients.csv", "patients.csv"),
    "recidivism": ("defendants.csv", "defendants.csv"),
}
OURS = ("smace", "shap", "lime", "rules", "anchor", "change")


@dataclass(frozen=True)
class Setting:
    """A shipped policy with the rows to be explained and those to compare with."""

    policy: decisionflow.Policy
    data: pd.DataFrame
    background: pd.DataFrame
    decision: str

    def outcome(self, rows: pd.DataFrame) -> np.ndarray:
        return np.asarray(self.policy.evaluate(rows, today=TODAY)[self.decision].value, dtype=object)


@dataclass(frozen=True)
class Codes:
    """Columns of numbers as they are, others by the place of their label; what packages that read arrays are given."""

    labels: dict[str, pd.Index[Any]]
    columns: list[str]

    def encode(self, rows: pd.DataFrame) -> np.ndarray:
        coded = {
            name: self.labels[name].get_indexer(rows[name]) if name in self.labels else rows[name] for name in rows
        }
        return pd.DataFrame(coded).to_numpy(dtype=np.float64)

    def decode(self, matrix: np.ndarray) -> pd.DataFrame:
        frame = pd.DataFrame(matrix, columns=self.columns)
        return frame.assign(
            **{name: known.take(frame[name].round().astype(int)) for name, known in self.labels.items()}
        )


def setting(name: str) -> Setting:
    """The rows without missing values, which the packages do not take."""
    folder = POLICIES / name
    policy = decisionflow.load_policy(folder / f"{name}.dflow")
    decision = next(iter(policy.decisions))
    columns = [policy.features[feature].reading.column for feature in policy.program.features_of(policy.decisions)]
    data, background = (pd.read_csv(folder / file)[columns].dropna().reset_index(drop=True) for file in DATA[name])
    return Setting(policy, data, background, decision)


def coded(given: Setting) -> Codes:
    both = pd.concat([given.data, given.background])
    labelled = [name for name in both if not pd.api.types.is_numeric_dtype(both[name])]
    return Codes({name: pd.Index(sorted(both[name].unique())) for name in labelled}, list(both))


def sampled(given: Setting, seed: int) -> pd.DataFrame:
    return given.background.sample(BACKGROUND_ROWS, random_state=seed)


# One explanation by each


def own(given: Setting, method: str) -> Callable[[int, int], object]:
    def explain(row: int, seed: int) -> object:
        return given.policy.explain(
            given.data, row, method=method, background=given.background, today=TODAY, seed=seed, time_limit=5.0
        )

    return explain


def batch(given: Setting) -> Callable[[int, int], object]:
    return lambda _, seed: given.policy.explain_batch(given.data, range(BATCH), today=TODAY, seed=seed)


BATCH = 200


def kernel_shap(given: Setting) -> Callable[[int, int], object]:
    import shap

    codes = coded(given)

    def explain(row: int, seed: int) -> object:
        wanted = given.outcome(given.data.iloc[[row]])[0]
        explainer = shap.KernelExplainer(
            lambda matrix: (given.outcome(codes.decode(matrix)) == wanted).astype(float),
            codes.encode(sampled(given, seed)),
        )
        return explainer.shap_values(codes.encode(given.data.iloc[[row]])[0], silent=True)

    return explain


def lime(given: Setting) -> Callable[[int, int], object]:
    from lime.lime_tabular import LimeTabularExplainer

    codes = coded(given)
    categories = [codes.columns.index(name) for name in codes.labels]

    def explain(row: int, seed: int) -> object:
        wanted = given.outcome(given.data.iloc[[row]])[0]
        explainer = LimeTabularExplainer(
            codes.encode(given.background), categorical_features=categories, random_state=seed
        )

        def shares(matrix: np.ndarray) -> np.ndarray:
            agrees = (given.outcome(codes.decode(matrix)) == wanted).astype(float)
            return np.column_stack([1 - agrees, agrees])

        return explainer.explain_instance(codes.encode(given.data.iloc[[row]])[0], shares)

    return explain


def tree_shap(given: Setting) -> Callable[[int, int], object]:
    import shap

    encoder, forest = (step for _, step in given.policy.bound["black_box"].subject.steps)

    def explain(row: int, seed: int) -> object:
        explainer = shap.TreeExplainer(forest, np.asarray(encoder.transform(sampled(given, seed)), dtype=float))
        return explainer.shap_values(np.asarray(encoder.transform(given.data.iloc[[row]]), dtype=float))

    return explain


def model_alone(given: Setting) -> Callable[[int, int], object]:
    return lambda row, seed: given.policy.explain(given.data, row, method="shap", of="black_box=yes", seed=seed)


# The table


def measured(work: Callable[[int, int], object], rows: int, seeds: int, share: int = 1) -> str:
    """Mean CPU milliseconds and its interval; `share` explanations are made by one call."""
    work(rows, 0)
    taken = []
    for row in range(rows):
        for seed in range(seeds):
            start = time.process_time()
            work(row, seed)
            taken.append((time.process_time() - start) * 1000 / share)
    if len(taken) < 2:
        return f"{taken[0]:10.2f}"
    half = stats.t.ppf(0.975, len(taken) - 1) * np.std(taken, ddof=1) / np.sqrt(len(taken))
    return f"{np.mean(taken):10.2f} ± {half:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("policies", nargs="*", metavar="POLICY", default=list(DATA), help=", ".join(DATA))
    parser.add_argument("--rows", type=int, default=3)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--only", nargs="*", metavar="METHOD", help="only methods with one of these words")
    chosen = parser.parse_args()
    print("policy            method                        CPU ms a row")
    for name in chosen.policies:
        given = setting(name)
        works = [(method, own(given, method), 1) for method in OURS]
        works += [(f"smace, {BATCH} rows together", batch(given), BATCH)]
        works += [("KernelExplainer (shap)", kernel_shap(given), 1), ("LimeTabularExplainer (lime)", lime(given), 1)]
        if name == "recidivism":
            works += [("TreeExplainer (shap), forest", tree_shap(given), 1), ("ours, forest", model_alone(given), 1)]
        for method, work, share in works:
            if chosen.only and not any(word in method for word in chosen.only):
                continue
            print(f"{name:17} {method:29} {measured(work, chosen.rows, chosen.seeds, share)}", flush=True)


if __name__ == "__main__":
    main()
