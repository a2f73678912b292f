"""How long SMACE takes: its rule part for many rows, one patient's whole explanation, and those of 10,000 applicants.

`python benchmarks/explaining.py` prints medians of nine rounds by CPU time (of the applicants one round). The authors'
code takes 130 to 180 ms for one patient.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np
import pandas as pd

import decisionflow
from decisionflow.conditions.intervals import Interval, Region
from decisionflow.explain.rule_contribution import rule_contributions

POLICIES = Path(__file__).parents[1] / "policies"
ROUNDS = 9


def cpu_seconds(work: Callable[[], object]) -> float:
    """Median of nine rounds after one that is not counted."""
    work()
    taken = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return median(taken)


def rule_part(rows: int = 100_000, conditions: int = 6) -> float:
    """Seconds for the contributions of `conditions` variables on `rows` rows."""
    values = np.random.default_rng(0).random((conditions, rows))
    regions = [Region((Interval(0.1 * place, 0.9, True, False),)) for place in range(conditions)]
    return cpu_seconds(
        lambda: [rule_contributions(region, column, 1.0) for region, column in zip(regions, values, strict=True)]
    )


def one_patient() -> float:
    """Seconds for the explanation of one patient: 30 features, a linear model, 569 background rows."""
    folder = POLICIES / "cancer_treatment"
    policy = decisionflow.load_policy(folder / "cancer_treatment.dflow")
    patient = pd.read_csv(folder / "patients.csv").iloc[13].to_dict()
    return cpu_seconds(lambda: policy.explain(patient, why_not="propose"))


def many_applicants(times: int = 5) -> float:
    """Seconds, once, for 2,000 applicants so many times over: exact attributions, and what the declined are told."""
    folder = POLICIES / "consumer_credit"
    policy = decisionflow.load_policy(folder / "consumer_credit.dflow")
    applicants = pd.read_csv(folder / "applicants.csv")
    policy.explain_batch(applicants.head(10))
    start = time.process_time()
    policy.explain_batch(pd.concat([applicants] * times, ignore_index=True))
    return time.process_time() - start


if __name__ == "__main__":
    print(f"rule part, 100,000 rows x 6 conditions: {rule_part() * 1000:8.1f} ms   (goal: under 500 ms)")
    print(f"one patient, whole explanation:         {one_patient() * 1000:8.1f} ms   (goal: under 10 ms)")
    print(f"10,000 applicants:                      {many_applicants():8.1f} s    (goal: under 60 s)")
