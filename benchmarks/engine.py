"""How fast policies are decided: `python benchmarks/engine.py [ROWS]`.

The policy `credit_offer.dflow` (39 ordered rules, two ratios, 12 features and two scores, 2 % missing) on seeded data,
in one process, round-robin, by CPU time, medians of nine rounds, against `numpy.select` written by hand. One row is
measured as a dict from column to value. Exits with 1 where an answer differs.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from credit_offer_select import select

import decisionflow
from decisionflow.evaluate.row_function import row_function
from decisionflow.evaluate.settings import Settings

ROUNDS = 9
TODAY = date(2026, 1, 1)
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


def measured(runs: dict[str, Callable[[], Any]], rounds: int = ROUNDS) -> dict[str, list[float]]:
    """CPU seconds of each run, round-robin."""
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            begin = time.process_time()
            run()
            seconds[name].append(time.process_time() - begin)
    return seconds


def main(rows: int) -> int:
    policy = decisionflow.parse_policy((Path(__file__).parent / "credit_offer.dflow").read_text(encoding="utf-8"))
    columns = made_columns(rows)
    frame, settings = made_frame(columns), Settings(TODAY)
    table, evaluator = policy.read(frame), policy.evaluator
    compiled, whole = evaluator.ready.compiled, evaluator.ready.whole
    assert compiled is not None and whole is not None
    begin = time.process_time()
    first = evaluator.by_kernel(compiled, table, settings)
    print(f"compiling: {time.process_time() - begin:.1f} s")
    with np.errstate(all="ignore"):
        expected = select(columns)
    wrong = int((first.answers["offer"].rules - 1 != expected).sum())
    wrong += int((evaluator.by_kernel(whole, table, settings).answers["offer"].rules - 1 != expected).sum())
    few = table.take(np.arange(min(rows, 100_000)))
    wrong += int((evaluator.by_blocks(few, settings).answers["offer"].rules - 1 != expected[: few.rows]).sum())
    seconds = measured(
        {
            "numpy.select by hand": lambda: _quietly(columns),
            "compiled loop": lambda: evaluator.by_kernel(compiled, table, settings),
            "whole blocks": lambda: evaluator.by_kernel(whole, table, settings),
            "reading the frame": lambda: policy.read(frame),
            "reading, unchecked": lambda: policy.read(frame, validate=False),
        }
    )
    small = measured({"columns with states": lambda: evaluator.by_blocks(few, settings)})
    base = statistics.median(seconds["numpy.select by hand"]) / rows
    for name, found in [*seconds.items(), *small.items()]:
        each = statistics.median(found) / (rows if name in seconds else few.rows)
        print(f"{name:24s} {each * 1e9:9.1f} ns/row   {base / each:6.2f} times numpy.select")
    wrong += one_row(policy, columns, expected)
    print(f"different answers: {wrong}")
    return 1 if wrong else 0


def one_row(policy: decisionflow.Policy, columns: dict[str, Any], expected: Any) -> int:
    """Print the time of one row; the number of wrong answers."""
    records, wrong = made_records(columns, 1000), 0
    names = [rule.name for rule in policy.decisions["offer"].rules]
    for validate in (False, True):
        decide = row_function(policy.program, _no_way_but_the_fast_one, validate=validate)
        found = [decide(record, TODAY)["offer"].rule for record in records]
        wrong += sum(one != names[place] for one, place in zip(found, expected[:1000].tolist(), strict=True))
        (seconds,) = measured({"row": lambda decide=decide: [decide(record, TODAY) for record in records]}, 31).values()
        print(f"one row, validate={validate!s:5s}  {statistics.median(seconds) / len(records) * 1e6:9.2f} us")
    return wrong


def _quietly(columns: dict[str, Any]) -> Any:
    with np.errstate(all="ignore"):
        return select(columns)


def _no_way_but_the_fast_one(record: Any, today: date) -> Any:
    raise LookupError(f"not decided by the generated function: {record} on {today}")


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000))
