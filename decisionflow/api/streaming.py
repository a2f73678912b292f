"""Decide a file of any size: chunk by chunk, in order, in constant memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import IO, TYPE_CHECKING, Any

import pyarrow as pa

from decisionflow.distribute import locally
from decisionflow.evaluate.plain_arrow import plain_schema
from decisionflow.evaluate.settings import Settings
from decisionflow.tables.files.chunk import Chunk, Reject
from decisionflow.tables.files.dialect import DEFAULT_DIALECT, Dialect
from decisionflow.tables.files.formats import Format
from decisionflow.tables.files.open_data import DataFile
from decisionflow.tables.writing.rejects import REJECT_SCHEMA, reject_table
from decisionflow.tables.writing.write_table import TableWriter, write_table

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
    """What a run came to, in rows: decided or not, those with an invalid decision, those that could not be read."""

    rows: int = 0
    invalid: int = 0
    rejected: int = 0
    model_failures: int = 0


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
    summary, own = Summary(), file.own_schema() if output.own_columns else None
    with ExitStack() as open_files:
        writer: TableWriter | None = None
        rejects = open_files.enter_context(_rejects(output))
        for chunk, found in engine(_Work(policy, settings), file.chunks()):
            if writer is None:
                schema = plain_schema(found.decided.schema)
                writer = open_files.enter_context(
                    write_table(output.path, output.format, schema, own, output.dialect, standard_output)
                )
            writer.write(_with_lines(found.decided, chunk), chunk)
            rejects(chunk.rejects)
            summary = _added(summary, chunk, found)
            progress(summary.rows)
    return summary


@dataclass(frozen=True, slots=True)
class _Found:
    """What a chunk came to: the decisions, the rows with an invalid one, the times that a model failed."""

    decided: pa.Table
    invalid: int
    model_failures: int


@dataclass(frozen=True)
class _Work:
    """Decides a chunk wherever it is sent."""

    policy: Policy
    settings: Settings

    def __call__(self, chunk: Chunk) -> _Found:
        result = self.policy.evaluator.evaluate(self.policy.read(chunk), self.settings)
        return _Found(result.to_arrow(), result.invalid_rows, result.model_failures)


@contextmanager
def _rejects(output: Output) -> Iterator[Callable[[tuple[Reject, ...]], None]]:
    if output.rejects is None:
        yield lambda _: None
        return
    with write_table(output.rejects, "csv", REJECT_SCHEMA) as writer:
        yield lambda found: writer.write(reject_table(found))


def _with_lines(decided: pa.Table, chunk: Chunk) -> pa.Table:
    """Problems name the line of the file where it has lines."""
    if chunk.lines is None:
        return decided
    texts = [_with_line(chunk, *item) for item in enumerate(decided["problem"].to_pylist())]
    place = decided.schema.get_field_index("problem")
    return decided.set_column(place, "problem", pa.array(texts, pa.string()))


def _with_line(chunk: Chunk, place: int, problem: str | None) -> str | None:
    return f"line {chunk.line_of(place)}: {problem}" if problem else problem


def _added(summary: Summary, chunk: Chunk, found: _Found) -> Summary:
    return replace(
        summary,
        rows=summary.rows + chunk.rows,
        invalid=summary.invalid + found.invalid,
        rejected=summary.rejected + len(chunk.rejects),
        model_failures=summary.model_failures + found.model_failures,
    )
