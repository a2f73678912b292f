"""How fast policies are decided: `python benchmarks/engine.py [ROWS]`.

The policy `credit_offer.dflow` (39 ordered rules, two ratios, 12 features and two scores, 2 % missing) on seeded data,
through `Policy.evaluate`: a frame in, decisions out as codes, reading and validation counted. All in one process,
round-robin, by CPU time, medians of nine rounds, against `numpy.select` written by hand; a ratio is the
median of the rounds' own. One row is measured as a dict from column to value, its decision and rule read. Where
DECISIONFLOW_WORKLOAD names the folder of the reference workload, the peers that it translates the policy for run in the
same rounds as far as they are installed. Exits with 1 where an answer differs.
"""

from __future__ import annotations

import importlib
import os
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from credit_offer_select import select

import decisionflow
from decisionflow.evaluate.evaluator import KERNEL_ROWS
from decisionflow.evaluate.settings import Settings

ROUNDS = 9
TODAY = date(2026, 1, 1)
PEERS = (
    "numba_blend",
    "polars_streaming",
    "polars_lazy",
    "duckdb_case_arrow",
    "blazerules",
    "datalogic_py",
    "zen_table",
)
LABELS = {
    "region": ["north", "south", "east", "west", "centre", "coast", "islands", "capital"],
    "employment": ["permanent", "contract", "self_employed", "unemployed", "retired"],
    "channel": ["branch", "web", "app", "broker"],
}


def made_columns(rows: int, seed: int = 7) -> dict[str, Any]:
    """Columns `(n,)`: numbers with NaN, labels and booleans as codes with -1 for missing."""
    random = np.random.default_rng(seed)
    income = np.round(random.lognormal(10.5, 0.5, rows), 2)
    income[random.random(rows) < 0.002] = 0.0
    columns: dict[str, Any] = {
        "age": np.clip(random.normal(42, 13, rows), 18, 85).round(),
        "income": income,
        "debt": np.round(income * random.beta(2, 4, rows) + random.gamma(1, 500, rows), 2),
        "amount": np.round(random.lognormal(9.1, 0.75, rows), 2),
        "employment_years": np.round(random.exponential(6, rows), 1),
        "utilization": np.round(random.beta(2, 3, rows), 4),
        "delinq": random.poisson(0.35, rows).astype(float),
        "savings": np.round(random.lognormal(8.5, 1.2, rows), 2),
    }
    for values in columns.values():
        values[random.random(rows) < 0.02] = np.nan
    for name, labels in LABELS.items():
        columns[name] = random.integers(0, len(labels), rows).astype(np.int8)
        columns[name][random.random(rows) < 0.02] = -1
    columns["existing"] = (random.random(rows) < 0.4).astype(np.int8)
    columns["existing"][random.random(rows) < 0.02] = -1
    columns["risk_score"] = np.round(random.beta(2, 6, rows), 4)
    columns["fraud_score"] = np.round(random.beta(1, 20, rows), 4)
    return columns


def made_frame(columns: dict[str, Any]) -> pd.DataFrame:
    """The columns as a frame with categories and nullable booleans."""
    frame = {name: values for name, values in columns.items() if name not in LABELS and name != "existing"}
    frame |= {name: pd.Categorical.from_codes(columns[name], labels) for name, labels in LABELS.items()}
    existing = columns["existing"]
    frame["existing"] = pd.arrays.BooleanArray(existing == 1, existing < 0)
    return pd.DataFrame(frame)


def made_records(columns: dict[str, Any], rows: int) -> list[dict[str, Any]]:
    """The first rows as dicts, None where missing."""
    frame = made_frame({name: values[:rows] for name, values in columns.items()}).astype(object)
    return frame.where(frame.notna(), None).to_dict("records")


def measured(runs: dict[str, tuple[Callable[[], Any], int]], rounds: int = ROUNDS) -> dict[str, list[float]]:
    """CPU seconds for a row of each run, round-robin, after one that is not counted."""
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for turn in range(rounds + 1):
        for name, (run, rows) in runs.items():
            begin = time.process_time()
            run()
            if turn:
                seconds[name].append((time.process_time() - begin) / rows)
    return seconds


def main(rows: int) -> int:
    policy = decisionflow.parse_policy((Path(__file__).parent / "credit_offer.dflow").read_text(encoding="utf-8"))
    columns = made_columns(rows)
    frame = made_frame(columns)
    table = pa.Table.from_pandas(frame, preserve_index=False)
    expected = _quietly(columns)
    ready = policy.evaluator.ready
    begin = time.process_time()
    assert ready.compiled is not None
    assert ready.whole is not None
    print(f"compiling: {time.process_time() - begin:.1f} s")
    ready.rows_seen = KERNEL_ROWS
    forms: dict[str, Any] = {"pandas": frame, "Arrow": table, "Polars": pl.from_arrow(table)}
    runs: dict[str, Callable[[], Any]] = {
        f"{name}, {word}": partial(policy.evaluate, data, TODAY, validate=validate)
        for name, data in forms.items()
        for word, validate in (("validated", True), ("unchecked", False))
    }
    few = policy.read(frame.head(min(rows, 100_000)))
    settings = Settings(TODAY)
    by_blocks: dict[str, Callable[[], Any]] = {
        "blocks in NumPy": partial(policy.evaluator.by_kernel, ready.whole, few, settings),
        "columns with states": partial(policy.evaluator.by_blocks, few, settings),
    }
    wrong = sum(int((run().answers["offer"].rules - 1 != expected).sum()) for run in runs.values())
    wrong += sum(int((run().answers["offer"].rules - 1 != expected[: few.rows]).sum()) for run in by_blocks.values())
    timed: dict[str, tuple[Callable[[], Any], int]] = {"numpy.select by hand": (partial(_quietly, columns), rows)}
    timed |= {name: (run, rows) for name, run in runs.items()}
    timed |= {name: (run, few.rows) for name, run in by_blocks.items()}
    _print_ratios(measured(timed | peers(columns, rows)))
    wrong += one_row(policy, columns, expected)
    print(f"different answers: {wrong}")
    return 1 if wrong else 0


def _print_ratios(seconds: dict[str, list[float]]) -> None:
    base = next(iter(seconds.values()))
    for name, found in seconds.items():
        ratio = statistics.median(one / other for one, other in zip(base, found, strict=True))
        print(f"{name:28s} {statistics.median(found) * 1e9:10.1f} ns/row   {ratio:8.3f} times numpy.select")


def peers(columns: dict[str, Any], rows: int) -> dict[str, tuple[Callable[[], Any], int]]:
    """The peers that are installed, by name, with how many rows each is given."""
    folder = os.environ.get("DECISIONFLOW_WORKLOAD")
    if folder is None:
        return {}
    sys.path.insert(0, folder)
    backends = importlib.import_module("backends").ALL
    found: dict[str, tuple[Callable[[], Any], int]] = {}
    for name in PEERS:
        peer = backends[name]()
        count = min(rows, peer.MAXN)
        try:
            peer.setup()
        except ImportError:
            continue
        given = peer.prepare({column: values[:count] for column, values in columns.items()})
        found[name] = partial(peer.run, given), count
    return found


def one_row(policy: decisionflow.Policy, columns: dict[str, Any], expected: Any) -> int:
    """Print the time of one row; the number of wrong answers."""
    records, wrong = made_records(columns, 1000), 0
    names = [rule.name for rule in policy.decisions["offer"].rules]
    for validate in (False, True):
        policy.row_functions.prepare(validate)
        doors: dict[str, Callable[[Any], Any]] = {
            "evaluate": partial(_evaluated, policy, validate),
            "row_function": policy.row_function("offer", TODAY, validate),
        }
        for name, decide in doors.items():
            rules = [decide(record).rule for record in records]
            wrong += sum(one != names[place] for one, place in zip(rules, expected[:1000].tolist(), strict=True))
            (seconds,) = measured({"row": (partial(_decide_each, decide, records), len(records))}, 31).values()
            print(f"one row, {name:12s} validate={validate!s:5s}  {statistics.median(seconds) * 1e6:6.2f} us")
    return wrong


def _evaluated(policy: decisionflow.Policy, validate: bool, record: Mapping[str, Any]) -> Any:
    return policy.evaluate(record, validate=validate)["offer"]


def _decide_each(decide: Callable[[Any], Any], records: list[dict[str, Any]]) -> None:
    for record in records:
        found = decide(record)
        found.value, found.rule  # noqa: B018


def _quietly(columns: dict[str, Any]) -> Any:
    with np.errstate(all="ignore"):
        return select(columns)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000))
