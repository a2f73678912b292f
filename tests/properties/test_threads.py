"""One policy serves many threads: whatever runs beside it, every answer is the serial one."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

import decisionflow
from decisionflow.evaluate.evaluator import KERNEL_ROWS
from decisionflow.evaluate.row_function import ROWS_BEFORE

THREADS = 8
RULES = """
policy shared
feature x : number optional
feature n : integer [0 .. 9]
feature c : { a, b, z } default z
derived ratio = if n > 0 then x / n else 0
decision said : { yes, no, unknown }
  rule high: if ratio > 0.3 and c != z then yes reason H1 "high"
  rule low: if ratio <= 0.3 and c in { a, b } then no
  otherwise unknown
decision twice : number = if said = yes then x * 2 else x / n
"""
ASKING = (
    RULES
    + """
model m : number using n
decision asked : { more, less }
  rule more: if said = no and m > 4 then more
  otherwise less
"""
)


def scores(frame: pd.DataFrame) -> Any:
    return frame["n"]


def loaded(text: str) -> decisionflow.Policy:
    return decisionflow.parse_policy(text, models={"m": scores} if "model" in text else None)


def made_frame(random: Random, rows: int) -> pd.DataFrame:
    """Rows of which some are invalid and some lack a value."""
    numbers = np.random.default_rng(random.randrange(2**32))
    x = np.where(numbers.random(rows) < 0.2, np.nan, numbers.integers(0, 11, rows) / 4)
    c = np.array(["a", "b", "z", "q", None], dtype=object)[numbers.choice(5, rows, p=[0.3, 0.3, 0.3, 0.05, 0.05])]
    return pd.DataFrame({"x": x, "n": numbers.integers(0, 10, rows), "c": c})


def records_of(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return [
        {str(name): None if pd.isna(cell) else cell for name, cell in record.items()}
        for record in frame.to_dict("records")
    ]


def said(result: Any) -> list[tuple[Any, ...]]:
    """Everything that a result says of its decisions, one row."""
    return [(each.value, each.rule, each.status, each.reasons) for each in map(result.__getitem__, ("said", "twice"))]


def questions(random: Random) -> list[Callable[[decisionflow.Policy], Any]]:
    """Rows, batches of several kinds and sizes, traces and explanations."""
    small, large = made_frame(random, 15), made_frame(random, 400)
    table = pa.Table.from_pandas(large, preserve_index=False)
    records = records_of(small)
    asked: list[Callable[[decisionflow.Policy], Any]] = [
        lambda policy: policy.evaluate(large).to_pandas().to_dict("list"),
        lambda policy: policy.evaluate(table).to_arrow().to_pydict(),
        lambda policy: policy.evaluate(records).to_pandas().to_dict("list"),
        lambda policy: [said(policy.evaluate(record)) for record in records],
        lambda policy: [said(policy.evaluate(record, validate=False)) for record in records if record["c"] != "q"],
        lambda policy: [policy.evaluate(record).to_pandas().to_dict("list") for record in records[:2]],
        lambda policy: policy.evaluate(small).trace(3)["said"],
        lambda policy: policy.explain({"x": 2.0, "n": 3, "c": "a"}, background=small).to_dict(),
    ]
    random.shuffle(asked)
    return asked


def test_eight_threads_answer_as_one() -> None:
    for text in (RULES, ASKING):
        work = [questions(Random(f"{text} {thread}")) for thread in range(THREADS)]
        alone = loaded(text)
        expected = [[repr(ask(alone)) for ask in asked] for asked in work]
        shared, start = loaded(text), Barrier(THREADS)
        shared.evaluator.ready.rows_seen = KERNEL_ROWS - 1000

        def run(
            asked: list[Callable[[decisionflow.Policy], Any]],
            shared: decisionflow.Policy = shared,
            start: Barrier = start,
        ) -> list[str]:
            start.wait()
            return [repr(ask(shared)) for ask in asked]

        with ThreadPoolExecutor(THREADS) as pool:
            found = list(pool.map(run, work))
        assert found == expected
        assert shared.row_functions.seen > ROWS_BEFORE
        assert shared.evaluator.ready.rows_seen > KERNEL_ROWS
        if text is RULES:
            assert "compiled" in vars(shared.evaluator.ready)
            assert "compiled" not in vars(alone.evaluator.ready)
