"""One evaluator for many threads, processes and sizes of table."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from decisionflow import parse_policy
from decisionflow.evaluate import evaluator as evaluator_module
from decisionflow.evaluate.coded_answer import CodedAnswer

TEXT = """
policy sizes
feature x : number optional
feature n : integer [0 .. 9]
feature c : { a, b, z }
derived ratio = if n > 0 then x / n else 0
model m : number using n
decision said : { yes, no, unknown }
  rule high: if ratio > 0.3 and c != z then yes reason H1 "high"
  rule low: if ratio <= 0.3 and c in { a, b } then no
  otherwise unknown
decision twice : number = if said = yes then x * 2 else x / n
decision asked : { more, less }
  rule more: if said = no and m > 4 then more
  otherwise less
"""


def data(rows: int) -> pd.DataFrame:
    places = np.arange(rows)
    x = np.where(places % 7 == 0, np.nan, places % 11 / 4)
    return pd.DataFrame({"x": x, "n": places % 10, "c": np.array(["a", "b", "z", "q"])[places % 13 % 4]})


def test_threads_share_a_policy() -> None:
    policy = parse_policy(TEXT, models={"m": lambda frame: frame["n"]})
    tables = [data(rows) for rows in (1, 50, 300, 9000, 700, 20, 10_000, 400)]
    alone = [parse_policy(TEXT, models={"m": lambda frame: frame["n"]}).evaluate(table).to_pandas() for table in tables]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda table: policy.evaluate(table).to_pandas(), tables))
    for one, other in zip(alone, together, strict=True):
        pd.testing.assert_frame_equal(one, other)


def test_a_program_is_sent_without_what_was_prepared_of_it() -> None:
    policy = parse_policy(TEXT, models={"m": lambda frame: frame["n"]})
    policy.evaluate(data(500))
    assert policy.program.prepared
    sent = pickle.loads(pickle.dumps(policy.program))
    assert sent == policy.program
    assert not sent.prepared


def test_every_form_gives_the_same_frame() -> None:
    text = TEXT[: TEXT.index("decision asked")].replace("model m : number using n\n", "")
    policy = parse_policy(text)
    table, settings = policy.read(data(2000)), policy.settings("2026-01-01")
    expected = policy.evaluator.by_blocks(table, settings).to_pandas()
    assert expected["said.status"].value_counts().to_dict() == {"decided": 1539, "invalid": 461}
    for kernel in (policy.evaluator.ready.compiled, policy.evaluator.ready.whole):
        assert kernel is not None
        result = policy.evaluator.by_kernel(kernel, table, settings)
        assert isinstance(result.answers["said"], CodedAnswer)
        pd.testing.assert_frame_equal(result.to_pandas(), expected)
        assert result.to_arrow().to_pydict() == policy.evaluator.by_blocks(table, settings).to_arrow().to_pydict()


def test_the_form_follows_the_rows_seen() -> None:
    policy = parse_policy(TEXT[: TEXT.index("model m")] + "decision d : number = ratio")
    ready = policy.evaluator.ready
    table = policy.read(data(evaluator_module.WHOLE_ROWS - 1))
    assert ready.kernel_for(table) is None
    assert ready.kernel_for(table) is ready.whole
    ready.rows_seen = evaluator_module.KERNEL_ROWS
    assert ready.kernel_for(table) is ready.compiled
    masked = data(10).assign(x=lambda frame: frame["x"].astype("Float64"))
    assert masked["x"].isna().any()
    assert ready.kernel_for(policy.read(pa.Table.from_pandas(masked))) is ready.compiled_for_gaps


def test_long_chains_and_conditions_are_decided_in_batches() -> None:
    chain = "".join(f"derived v{place + 1} = v{place} + 1\n" for place in range(3000))
    policy = parse_policy(f"policy long\nfeature x : number\nderived v0 = x\n{chain}decision d : number = v3000\n")
    assert policy.evaluate(pd.DataFrame({"x": [1.0] * 1000}))["d"].value.tolist() == [3001.0] * 1000
    many = " and ".join(f"x != {place}" for place in range(1000))
    policy = parse_policy(f"policy many\nfeature x : number\ndecision d : boolean = {many}\n")
    assert policy.evaluate(pd.DataFrame({"x": [1.0, 0.5] * 500}))["d"].value.tolist() == [False, True] * 500
    quotients = " or ".join(f"1 / (x - {place}) > 2" for place in range(300))
    policy = parse_policy(f"policy some\nfeature x : number\ndecision d : {{ a, b }}\n rule r: if {quotients} then a\n")
    assert (
        policy.evaluate(pd.DataFrame({"x": [1.0, 0.75] * 500}))["d"].status.tolist() == ["invalid", "undecided"] * 500
    )


TWO_DECISIONS = """policy p
    feature x : number optional
    decision d : { low, high } rule r: if x > 1 then high rule s: if x <= 1 then low
    decision n : integer = 2"""


def test_results_of_a_polars_frame_are_one() -> None:
    polars = pytest.importorskip("polars", reason="the extra [polars] is not installed")
    came = parse_policy(TWO_DECISIONS).evaluate(polars.DataFrame({"x": [0.5, 2.0, None]})).to_native()
    assert isinstance(came, polars.DataFrame)
    assert came["d"].to_list() == ["low", "high", None]


def test_results_come_in_the_kind_of_the_data() -> None:
    policy, frame = parse_policy(TWO_DECISIONS), pd.DataFrame({"x": [0.5, 2.0, np.nan]}, index=[7, 8, 9])
    table = pa.Table.from_pandas(frame, preserve_index=False)
    labels = ["low", "high", None]
    found = policy.evaluate(frame).to_native()
    assert isinstance(found, pd.DataFrame)
    assert found.index.tolist() == [7, 8, 9]
    assert found["d"].astype(object).where(found["d"].notna(), None).tolist() == labels
    assert policy.evaluate(table).to_native()["d"].to_pylist() == labels
    assert policy.evaluate(table.to_batches()[0]).to_native()["d.rule"].to_pylist() == ["s", "r", ""]
    records = policy.evaluate([{"x": 0.5}, {"x": 2}, {}]).to_native()
    assert [record["d"] for record in records] == labels
    single = {
        "d": "high",
        "d.rule": "r",
        "d.status": "decided",
        "d.reasons": "",
        "n": 2,
        "n.rule": "",
        "n.status": "decided",
        "n.reasons": "",
        "problem": "",
    }
    assert policy.evaluate({"x": 2.0}).to_native() == single
    policy.row_functions.prepare()
    assert policy.evaluate({"x": 2.0}).to_native() == single
