"""Dask and Spark give every row the answer that it gets locally."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import decisionflow
from decisionflow.distribute import with_dask, with_spark

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
            assert [value or None for value in left.astype(object).where(left.notna(), None)] == [
                value or None for value in right.astype(object).where(right.notna(), None)
            ], column


def test_dask(policy: decisionflow.Policy, applicants: pd.DataFrame, local: pd.DataFrame) -> None:
    dask_frame = pytest.importorskip("dask.dataframe", reason="Dask is not installed")
    frame = dask_frame.from_pandas(applicants, npartitions=4)
    found = with_dask(policy, frame, today=DAY).compute(scheduler="processes", num_workers=2)
    assert list(found.columns) == [*applicants.columns, *local.columns]
    same(found.reset_index(drop=True), local)


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


def test_a_column_that_the_result_has_too_is_refused(policy: decisionflow.Policy, applicants: pd.DataFrame) -> None:
    import pyarrow as pa

    from decisionflow.distribute import Job

    job = Job(policy, policy.settings(DAY).today, {}, False, 0, False)
    table = pa.Table.from_pandas(applicants.assign(outcome=1), preserve_index=False)
    with pytest.raises(decisionflow.DataError, match='a column "outcome"'):
        job.decide(table)
