"""Decide a file of any size: chunk by chunk, in order, in constant memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import IO, TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from decisionflow.distribute import locally
from decisionflow.evaluate.model_calls import ModelCall
from decisionflow.evaluate.plain_arrow import plain_schema
from decisionflow.evaluate.settings import Settings
from decisionflow.tables.files.chunk import Chunk, Reject
from decisionflow.tables.files.dialect import DEFAULT_DIALECT, Dialect
from decisionflow.tables.files.formats import Format
from decisionflow.tables.files.open_data import DataFile
from decisionflow.tables.writing.behind import behind
from decisionflow.tables.writing.rejects import REJECT_SCHEMA, reject_table
from decisionflow.tables.writing.write_table import write_table

if TYPE_CHECKING:
    from decisionflow.api.policy import Policy


Engine = Callable[[Callable[[Chunk], Any], Iterable[Chunk]], Iterator[tuple[Chunk, Any]]]


@dataclass(frozen=True, slots=True)
class Output:
    """Where decisions go: a path (`-` is standard output), a format, with or without the input's own columns."""

    path: str
    format: Format
    own_columns: bool = True
    dialect: Dialect = DEFAULT_DIALECT
    rejects: str | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run came to, in rows: decided or not, those with an invalid decision, those that could not be read.

    `slow` holds the slowest call of each model that has slow ones.
    """

    rows: int = 0
    invalid: int = 0
    rejected: int = 0
    model_failures: int = 0
    slow: tuple[ModelCall, ...] = ()


def evaluate_file(
    policy: Policy,
    file: DataFile,
    settings: Settings,
    output: Output,
    progress: Callable[[int], None] = lambda _: None,
    standard_output: IO[bytes] | None = None,
    engine: Engine = locally,
) -> Summary:
    """Write a line for each row of the file, in order; `progress` is told how many rows are done.

    Nothing is left of the output where this fails: a file appears only when it is complete. `engine` says where chunks
    are decided.
    """
    summary, own = Summary(), _own_schema(file, output)
    with ExitStack() as open_files:
        write: Callable[[pa.Table, Chunk], None] | None = None
        rejects = open_files.enter_context(_rejects(output))
        for chunk, found in engine(_Work(policy, settings), file.chunks()):
            if write is None:
                write = open_files.enter_context(_rows(output, found.decided.schema, own, standard_output))
            write(found.decided, chunk)
            rejects(chunk.rejects)
            summary = _added(summary, chunk, found)
            progress(summary.rows)
    return summary


def _own_schema(file: DataFile, output: Output) -> pa.Schema | None:
    """The input's own columns; from JSON lines to JSON lines they are passed on without reading the file for them."""
    if not output.own_columns:
        return None
    return pa.schema([]) if file.format == output.format == "jsonl" else file.own_schema()


@contextmanager
def _rows(
    output: Output, decided: pa.Schema, own: pa.Schema | None, standard_output: IO[bytes] | None
) -> Iterator[Callable[[pa.Table, Chunk], None]]:
    """What writes the decisions about a chunk beside its own columns."""
    schema = plain_schema(decided)
    with (
        write_table(output.path, output.format, schema, own, output.dialect, standard_output) as writer,
        behind(lambda decided, chunk: writer.write(_with_lines(decided, chunk), chunk)) as write,
    ):
        yield write


@dataclass(frozen=True, slots=True)
class _Found:
    """What a chunk came to: the decisions, the rows with an invalid one, the times that a model failed, slow calls."""

    decided: pa.Table
    invalid: int
    model_failures: int
    slow: tuple[ModelCall, ...]


@dataclass(frozen=True)
class _Work:
    """Decides a chunk wherever it is sent."""

    policy: Policy
    settings: Settings

    def __call__(self, chunk: Chunk) -> _Found:
        result = self.policy.evaluator.evaluate(self.policy.read(chunk), self.settings)
        return _Found(result.to_arrow(), result.invalid_rows, result.model_failures, result.slow_calls)


@contextmanager
def _rejects(output: Output) -> Iterator[Callable[[tuple[Reject, ...]], None]]:
    if output.rejects is None:
        yield lambda _: None
        return
    with write_table(output.rejects, "csv", REJECT_SCHEMA) as writer:
        yield lambda found: writer.write(reject_table(found))


def _with_lines(decided: pa.Table, chunk: Chunk) -> pa.Table:
    """Problems name the line of the file where it has lines."""
    problems = decided["problem"]
    if chunk.lines is None or not pc.any(pc.not_equal(problems, "")).as_py():
        return decided
    texts = [problem and f"line {chunk.line_of(row)}: {problem}" for row, problem in enumerate(problems.to_pylist())]
    place = decided.schema.get_field_index("problem")
    return decided.set_column(place, "problem", pa.array(texts, pa.string()))


def _added(summary: Summary, chunk: Chunk, found: _Found) -> Summary:
    return replace(
        summary,
        rows=summary.rows + chunk.rows,
        invalid=summary.invalid + found.invalid,
        rejected=summary.rejected + len(chunk.rejects),
        model_failures=summary.model_failures + found.model_failures,
        slow=_slowest((*summary.slow, *found.slow)),
    )


def _slowest(calls: tuple[ModelCall, ...]) -> tuple[ModelCall, ...]:
    """Of each model the call that took longest."""
    slowest = {call.model: call for call in sorted(calls, key=lambda call: call.seconds)}
    return tuple(slowest.values())
