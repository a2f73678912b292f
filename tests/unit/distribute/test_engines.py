"""Dask and Spark give every row the answer that it gets locally."""

from __future__ import annotations

import os
import pickle
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

import decisionflow
from decisionflow.cli import main
from decisionflow.distribute import Shipped, with_dask, with_spark
from decisionflow.tables.files.chunk import Chunk

SHIPPED = Path(__file__).parents[3] / "policies" / "consumer_credit"
DAY = "2026-11-29"


@pytest.fixture(scope="module")
def policy() -> decisionflow.Policy:
    return decisionflow.load_policy(SHIPPED / "consumer_credit.dflow")


@pytest.fixture(scope="module")
def applicants() -> pd.DataFrame:
    return pd.read_csv(SHIPPED / "applicants.csv").head(300)


@pytest.fixture(scope="module")
def local(policy: decisionflow.Policy, applicants: pd.DataFrame) -> pd.DataFrame:
    return policy.evaluate(applicants, today=DAY).to_pandas()


def same(found: pd.DataFrame, expected: pd.DataFrame) -> None:
    for column in expected.columns:
        left, right = found[column], expected[column]
        if pd.api.types.is_numeric_dtype(right):
            pd.testing.assert_series_equal(
                left.astype("float64"), right.astype("float64"), check_names=False, check_index=False
            )
        else:
            assert [*map(plain, left.astype(object))] == [*map(plain, right.astype(object))], column


def plain(value: Any) -> Any:
    """A value that compares: an array as a list, what is missing or empty as None."""
    if hasattr(value, "__len__") and not isinstance(value, str):
        return list(value)
    return None if pd.isna(value) or value == "" else value


def test_dask(policy: decisionflow.Policy, applicants: pd.DataFrame, local: pd.DataFrame) -> None:
    dask_frame = pytest.importorskip("dask.dataframe", reason="Dask is not installed")
    frame = dask_frame.from_pandas(applicants, npartitions=4)
    found = with_dask(policy, frame, today=DAY).compute(scheduler="processes", num_workers=2)
    assert list(found.columns) == [*applicants.columns, *local.columns]
    same(found.reset_index(drop=True), local)


KINDS = """policy kinds
feature x : number optional
feature n : integer optional
feature day : date optional
feature s : { a, b, c } optional
decision d : { a, b }
  rule r: if x > 1 or s = b then a
  rule q: if x <= 1 then b
decision k : integer
  rule r: if n > 1 then n + 1
decision t : boolean
  rule r: if n > 2 then true
decision y : number
  rule r: if x > 2 then x
decision on : date
  rule r: if x > 2 then day
decision all : { a, b } collect list
  rule r: if x > 1 then a
  rule q: if x > 2 then b
"""


def mixed() -> pd.DataFrame:
    """Rows whose last two of four partitions have no value for some columns."""
    return pd.DataFrame(
        {
            "x": [0.0, 1, 2, 3, 4, 5, None, 7],
            "n": pd.array([1, 2, 3, 4, 5, None, None, None], "Int64"),
            "day": [*pd.to_datetime(["2026-01-01", "2026-02-03", "2026-03-04", "2026-04-05"]), *[pd.NaT] * 4],
            "s": pd.Categorical(list("abcabcab")),
        }
    )


@pytest.mark.parametrize("least", [-1.0, 2.0, 9.0])
def test_dask_has_one_dtype_for_all_partitions_and_for_none(least: float, tmp_path: Path) -> None:
    dask_frame = pytest.importorskip("dask.dataframe", reason="Dask is not installed")
    policy = decisionflow.parse_policy(KINDS)
    frame = dask_frame.from_pandas(mixed(), npartitions=4)
    frame = frame[frame["x"] > least]
    lazy = with_dask(policy, frame, today=DAY, only_decisions=True)
    found = lazy.compute(scheduler="synchronous")
    assert found.dtypes.to_dict() == lazy.dtypes.to_dict()
    chosen = mixed()[mixed()["x"] > least]
    assert found.index.tolist() == chosen.index.tolist()
    same(found.reset_index(drop=True), policy.evaluate(chosen, today=DAY).to_pandas().reset_index(drop=True))
    lazy.to_parquet(tmp_path / "out")


def test_dask_refuses_a_column_that_the_result_has_too() -> None:
    dask_frame = pytest.importorskip("dask.dataframe", reason="Dask is not installed")
    frame = dask_frame.from_pandas(mixed().assign(d=1), npartitions=2)
    policy = decisionflow.parse_policy(KINDS)
    with pytest.raises(decisionflow.DataError, match='a column "d"'):
        with_dask(policy, frame)
    assert "d" in with_dask(policy, frame, only_decisions=True).columns


@pytest.mark.parametrize(("module", "engine"), [("dask", "dask"), ("pyspark", "spark")])
def test_an_engine_that_is_not_installed_says_how_to_install_it(
    module: str, engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == module]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)
    (tmp_path / "p.dflow").write_text(KINDS)
    (tmp_path / "x.jsonl").write_text('{"x": 1}\n')
    assert main(["evaluate", str(tmp_path / "p.dflow"), str(tmp_path / "x.jsonl"), "--engine", engine]) == 2
    assert f'pip install "decisionflow[{engine}]"' in capfd.readouterr().err


def evaluated(folder: Path, source: str, target: str, engine: str) -> bytes:
    """What the command writes, the rejects and the exit code included."""
    out, rejects = folder / f"{engine}.{target}", folder / f"{engine}.rejects"
    arguments = ["evaluate", str(folder / "p.dflow"), str(folder / source), "-o", str(out), "--today", DAY]
    code = main([*arguments, "--rejects", str(rejects), "--engine", engine])
    return out.read_bytes() + rejects.read_bytes() + str(code).encode()


def sources(folder: Path) -> None:
    (folder / "p.dflow").write_text(KINDS)
    rows = "".join(f"{row % 9},{row},2026-01-02,{'abc'[row % 3]}\n" for row in range(50))
    (folder / "x.csv").write_text(f"x,n,day,s\n{rows}1,2\nbig,1,,a\n")
    (folder / "x.jsonl").write_text('{"x": 3, "n": 4}\n{"x":\n{"s": "d"}\n')


@pytest.mark.parametrize(("source", "target"), [("x.csv", "csv"), ("x.jsonl", "jsonl"), ("x.csv", "parquet")])
def test_the_command_gives_the_same_with_dask(tmp_path: Path, source: str, target: str) -> None:
    pytest.importorskip("dask.dataframe", reason="Dask is not installed")
    sources(tmp_path)
    assert evaluated(tmp_path, source, target, "dask") == evaluated(tmp_path, source, target, "local")


def test_what_is_shipped_is_unpacked_once_by_each_process() -> None:
    pytest.importorskip("cloudpickle", reason="cloudpickle, which comes with Dask, is not installed")
    sent = pickle.dumps(Shipped({"policy": len}))
    first, second = pickle.loads(sent), pickle.loads(sent)
    assert first.thing == {"policy": len}
    assert first.thing is second.thing


def test_a_chunk_is_sent_without_what_it_was_cut_from() -> None:
    whole = pa.table({"x": range(100_000)})
    sent = pickle.dumps(Chunk(10, 5, whole.slice(10, 5), [12, 13, 14, 15, 16]))
    assert len(sent) < 10_000
    found = pickle.loads(sent)
    assert found.data["x"].to_pylist() == [10, 11, 12, 13, 14]
    assert (found.first_row, found.line_of(1)) == (10, 13)


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    sql = pytest.importorskip("pyspark.sql", reason="Spark is not installed")
    if shutil.which("java") is None:
        pytest.skip("Java is not installed, which Spark needs")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    session = (
        sql.SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.session.timeZone", "UTC")
        .getOrCreate()
    )
    yield session
    session.stop()


def test_spark(spark: Any, policy: decisionflow.Policy, applicants: pd.DataFrame, local: pd.DataFrame) -> None:
    texts = applicants.assign(opened=applicants["opened"].astype(object).where(applicants["opened"].notna(), None))
    frame = spark.createDataFrame(texts).repartition(3).coalesce(1)
    found = with_spark(policy, spark.createDataFrame(texts).coalesce(1), today=DAY).toPandas()
    assert frame.count() == len(local)
    assert list(found.columns) == [*applicants.columns, *local.columns]
    same(found, local)


def test_the_command_gives_the_same_with_spark(spark: Any, tmp_path: Path) -> None:
    sources(tmp_path)
    for source, target in (("x.csv", "csv"), ("x.jsonl", "jsonl")):
        assert evaluated(tmp_path, source, target, "spark") == evaluated(tmp_path, source, target, "local")


def test_a_column_that_the_result_has_too_is_refused(policy: decisionflow.Policy, applicants: pd.DataFrame) -> None:
    import pyarrow as pa

    from decisionflow.distribute import Job

    job = Job(policy, policy.settings(DAY).today, {}, False, 0, False)
    table = pa.Table.from_pandas(applicants.assign(outcome=1), preserve_index=False)
    with pytest.raises(decisionflow.DataError, match='a column "outcome"'):
        job.decide(table)
