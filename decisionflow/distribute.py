"""The same decisions on many machines: one function from Arrow batch to Arrow batch, over Dask and Spark.

The policy with its models is shipped once to each worker. Every row gets the answer that it gets locally: the date of
the run and the seed are fixed before anything is shipped.
"""

from __future__ import annotations

import importlib
import os
import pickle
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import pyarrow as pa

from decisionflow.errors import DataError, MissingExtraError
from decisionflow.evaluate.plain_arrow import plain_arrow
from decisionflow.evaluate.result import Result
from decisionflow.evaluate.settings import Settings

if TYPE_CHECKING:
    import dask.dataframe
    import pandas
    import pyspark.sql


class Decider(Protocol):
    """What is distributed: a policy."""

    def settings(
        self, today: Any = None, transparency: Any = None, stochastic: bool = False, seed: int = 0
    ) -> Settings: ...

    def evaluate(self, data: Any, **settings: Any) -> Result: ...


@dataclass(frozen=True)
class Job:
    """What a worker is given: the policy, the settings of the run, whether the input's own columns come along."""

    policy: Decider
    today: date
    transparency: Mapping[str, float]
    stochastic: bool
    seed: int
    only_decisions: bool

    def decide(self, batch: pa.RecordBatch | pa.Table) -> pa.Table:
        """The decisions on the rows of a batch, in order, after the batch's own columns.

        Raises DataError where the batch has a column that the result has too.
        """
        table = pa.Table.from_batches([batch]) if isinstance(batch, pa.RecordBatch) else batch
        result = self.policy.evaluate(
            table,
            today=self.today,
            transparency=self.transparency,
            stochastic=self.stochastic,
            seed=self.seed,
        )
        decided = plain_arrow(result)
        if self.only_decisions:
            return decided
        _refuse_twins(table.column_names, decided.column_names)
        return pa.table([*table.columns, *decided.columns], [*table.column_names, *decided.column_names])


def with_dask(
    policy: Decider,
    frame: dask.dataframe.DataFrame,
    *,
    today: date | str | None = None,
    transparency: float | Mapping[str, float] | None = None,
    stochastic: bool = False,
    seed: int = 0,
    only_decisions: bool = False,
) -> dask.dataframe.DataFrame:
    """The frame with a policy's decisions on each row; nothing runs before the result is asked for.

    Every column of the decisions has one dtype, whatever a partition holds. Raises DataError where the frame has a
    column that the result has too, MissingExtraError where Dask is not installed.
    """
    engine = _dask()
    job = _job(policy, today, transparency, stochastic, seed, only_decisions)
    empty = _decide_frame(frame._meta, job)
    if not only_decisions:
        _refuse_twins(frame._meta.columns, empty.columns[len(frame._meta.columns) :])
    found: dask.dataframe.DataFrame = frame.map_partitions(_decide_part, engine.delayed(Shipped(job)), meta=empty)
    return found


def with_spark(
    policy: Decider,
    frame: pyspark.sql.DataFrame,
    *,
    today: date | str | None = None,
    transparency: float | Mapping[str, float] | None = None,
    stochastic: bool = False,
    seed: int = 0,
    only_decisions: bool = False,
) -> pyspark.sql.DataFrame:
    """The frame with a policy's decisions on each row; nothing runs before the result is asked for.

    Raises DataError where the frame has a column that the result has too, MissingExtraError where Spark is not
    installed.
    """
    _require_spark()
    from pyspark import cloudpickle
    from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

    job = _job(policy, today, transparency, stochastic, seed, only_decisions)
    schema = job.decide(to_arrow_schema(frame.schema).empty_table()).schema
    # Spark's own pickling of what it broadcasts knows no functions, and a model may be one.
    shipped = frame.sparkSession.sparkContext.broadcast(cloudpickle.dumps(job))

    def decide(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield from _unpacked(shipped.value).decide(batch).cast(schema).to_batches()

    return frame.mapInArrow(decide, from_arrow_schema(schema))


def _dask() -> Any:
    try:
        import dask
        import dask.dataframe
    except ImportError as error:
        raise MissingExtraError('Dask is not installed: pip install "decisionflow[dask]"') from error
    return dask


def _require_spark() -> None:
    try:
        with warnings.catch_warnings():
            # Spark 4 warns of pandas 3; nothing here goes through the parts that it means.
            warnings.simplefilter("ignore", FutureWarning)
            import pyspark.sql.pandas.types  # noqa: F401
    except ImportError as error:
        raise MissingExtraError('Spark is not installed: pip install "decisionflow[spark]"') from error


def _refuse_twins(own: Iterable[str], decided: Iterable[str]) -> None:
    twins = set(own) & set(decided)
    if twins:
        raise DataError(f'the data has a column "{min(twins)}", which the result has too: ask for only_decisions')


@lru_cache(maxsize=1)
def _unpacked(shipped: bytes) -> Any:
    """What was shipped, unpacked once for each worker."""
    return pickle.loads(shipped)


class Shipped:
    """Something that many tasks need: threads share it, another process unpacks it once for all of its tasks."""

    def __init__(self, thing: Any) -> None:
        self.thing = thing

    @cached_property
    def _packed(self) -> bytes:
        cloudpickle = importlib.import_module("cloudpickle")

        packed: bytes = cloudpickle.dumps(self.thing)
        return packed

    def __reduce__(self) -> tuple[Callable[[bytes], Shipped], tuple[bytes]]:
        return _arrived, (self._packed,)


def _arrived(packed: bytes) -> Shipped:
    return Shipped(_unpacked(packed))


def _answer(work: Shipped, item: Any) -> Any:
    return work.thing(item)


def _job(policy: Decider, today: Any, transparency: Any, stochastic: bool, seed: int, only_decisions: bool) -> Job:
    settings = policy.settings(today, transparency, stochastic, seed)
    return Job(policy, settings.today, settings.transparency, settings.stochastic, settings.seed, only_decisions)


def _decide_part(part: pandas.DataFrame, job: Shipped) -> pandas.DataFrame:
    return _decide_frame(part, job.thing)


def _decide_frame(part: pandas.DataFrame, job: Job) -> pandas.DataFrame:
    """A partition with its decisions; each column has one dtype whatever a partition holds, also none at all."""
    import pandas

    result = job.policy.evaluate(
        part, today=job.today, transparency=job.transparency, stochastic=job.stochastic, seed=job.seed
    )
    decided = plain_arrow(result).to_pandas(types_mapper=_dtype)
    decided.index = part.index
    return decided if job.only_decisions else pandas.concat([part, decided], axis=1)


def _dtype(kind: pa.DataType) -> Any:
    """The dtype of a column in pandas that may lack values; None where NumPy's own has a missing value."""
    import pandas

    if pa.types.is_string(kind):
        usual = pandas.Series(["text"]).dtype
        return usual if isinstance(usual, pandas.StringDtype) else pandas.StringDtype("pyarrow")
    if pa.types.is_integer(kind):
        return pandas.Int64Dtype()
    if pa.types.is_boolean(kind):
        return pandas.BooleanDtype()
    return None if pa.types.is_floating(kind) or pa.types.is_timestamp(kind) else pandas.ArrowDtype(kind)


Item = TypeVar("Item")
Answer = TypeVar("Answer")
Pairs = Iterator[tuple[Item, Answer]]
WINDOW = 16
"""Items that are under way at once: enough for the workers of one machine, and memory does not grow with the data."""


def locally(work: Callable[[Item], Answer], items: Iterable[Item]) -> Pairs[Item, Answer]:
    """Each item with its answer, in order, one after the other in this process."""
    for item in items:
        yield item, work(item)


def over_dask(work: Callable[[Item], Answer], items: Iterable[Item]) -> Pairs[Item, Answer]:
    """Each item with its answer, in order, worked out by Dask's scheduler: its threads, or the cluster of a client.

    Raises MissingExtraError where Dask is not installed.
    """
    engine = _dask()
    shipped = engine.delayed(Shipped(work))
    answer = engine.delayed(_answer)
    for window in _windows(items):
        answers = engine.compute(*[answer(shipped, item) for item in window])
        yield from zip(window, answers, strict=True)


def over_spark(work: Callable[[Item], Answer], items: Iterable[Item]) -> Pairs[Item, Answer]:
    """Each item with its answer, in order, worked out by the workers of the active Spark session, or of a new one.

    Raises MissingExtraError where Spark is not installed.
    """
    _require_spark()
    from pyspark import cloudpickle
    from pyspark.sql import SparkSession

    session = SparkSession.getActiveSession()
    if session is None:
        # Workers on this machine have to be the same Python; Spark takes whichever `python3` comes first.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        quiet = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"}
        session = SparkSession.builder.config(map=quiet).getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
    context = session.sparkContext
    shipped = context.broadcast(cloudpickle.dumps(work))

    def answered(item: bytes) -> bytes:
        answer: bytes = cloudpickle.dumps(_unpacked(shipped.value)(pickle.loads(item)))
        return answer

    for window in _windows(items):
        packed = context.parallelize([cloudpickle.dumps(item) for item in window], len(window))
        answers = [pickle.loads(answer) for answer in packed.map(answered).collect()]
        yield from zip(window, answers, strict=True)


ENGINES: tuple[tuple[str, Callable[..., Any]], ...] = (
    ("local", locally),
    ("dask", over_dask),
    ("spark", over_spark),
)


def _windows(items: Iterable[Item]) -> Iterator[list[Item]]:
    remaining = iter(items)
    while window := list(islice(remaining, WINDOW)):
        yield window
