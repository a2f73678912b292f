"""`decisionflow evaluate`: decisions for a file of any size."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import PurePath
from typing import TYPE_CHECKING, get_args

from decisionflow.cli.options import (
    add_dialect,
    add_policy,
    add_run,
    dialect,
    existing,
    loaded,
    require_own_file,
    transparencies,
)
from decisionflow.cli.running import DATA, DONE, MODEL, Usage

if TYPE_CHECKING:
    from rich.progress import TextColumn

    from decisionflow.api.streaming import Summary
    from decisionflow.tables.files.formats import Format
    from decisionflow.tables.files.open_data import DataFile


def configure(parser: argparse.ArgumentParser) -> None:
    """Say what the verb takes."""
    add_policy(parser)
    parser.add_argument("data", metavar="DATA", help="CSV, JSON lines, Parquet, Feather or XLSX; - is standard input")
    parser.add_argument("-o", "--output", metavar="OUT", default="-", help="default: standard output")
    parser.add_argument(
        "--format", metavar="F", help="csv, jsonl, parquet, feather, xlsx; default: by OUT, else as DATA"
    )
    parser.add_argument("--only-decisions", action="store_true", help="leave out the input's own columns")
    parser.add_argument("--rejects", metavar="FILE", help="write the rows that cannot be read to a CSV file")
    parser.add_argument(
        "--stochastic", action="store_true", help="give a cut companion list its broken share by chance"
    )
    parser.add_argument("--allow-invalid", action="store_true", help="exit with 0 where decisions are invalid too")
    parser.add_argument(
        "--on-model-error",
        choices=("row", "stop"),
        default="row",
        help="a failing model spoils its row, or stops the run",
    )
    parser.add_argument("--engine", choices=("local", "dask", "spark"), default="local")
    add_run(parser)
    add_dialect(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Decide every row; 4 where rows are invalid or could not be read, 5 where a model failed."""
    from decisionflow.api.streaming import Output, evaluate_file
    from decisionflow.distribute import ENGINES
    from decisionflow.tables.files.open_data import open_data

    _require_own_files(options)
    policy = loaded(options)
    if options.data != "-":
        existing(options.data)
    file = open_data(options.data, dialect(options))
    settings = policy.settings(
        options.today,
        transparencies(options.transparency) or None,
        options.stochastic,
        options.seed,
        options.on_model_error,
    )
    output = Output(
        options.output, _format(options, file), not options.only_decisions, dialect(options), options.rejects
    )
    with _progress(file) as progress:
        summary = evaluate_file(policy, file, settings, output, progress, engine=dict(ENGINES)[options.engine])
    return _concluded(summary, options)


def _require_own_files(options: argparse.Namespace) -> None:
    """The output does not replace the policy, and rejects replace neither that nor the output nor the data."""
    data = None if options.data == "-" else options.data
    require_own_file("-o", options.output, {"the policy": options.policy})
    taken = {"the output": options.output, "the data": data, "the policy": options.policy}
    require_own_file("--rejects", options.rejects, taken)


def _format(options: argparse.Namespace, file: DataFile) -> Format:
    from decisionflow.tables.files.formats import FORMAT_OF_ENDING, Format

    if options.format is not None:
        if options.format not in get_args(Format):
            raise Usage(f"--format {options.format}: give {', '.join(get_args(Format))}")
        found: Format = options.format
        return found
    ending = PurePath(options.output).suffix.lower()
    return FORMAT_OF_ENDING.get(ending, file.format)


@contextmanager
def _progress(file: DataFile) -> Iterator[Callable[[int], None]]:
    """A bar on standard error, with rows a second and the time left, when that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn("deciding"),
        BarColumn(),
        MofNCompleteColumn(),
        _speed_column(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    with bar:
        task = bar.add_task("rows", total=file.rows)
        yield lambda rows: bar.update(task, completed=rows, total=expected_rows(file, rows))


def expected_rows(file: DataFile, done: int) -> int | None:
    """How many rows a file has, by the share that has been read where nothing else says so."""
    share = getattr(file, "share", None)
    return round(done / share) if file.rows is None and share else file.rows


def _speed_column() -> TextColumn:
    """Rows a second; nothing before the first chunk is done."""
    from rich.progress import Task, TextColumn
    from rich.text import Text

    class Speed(TextColumn):
        def render(self, task: Task) -> Text:
            return Text(f"{task.speed:,.0f} rows/s" if task.speed else "")

    return Speed("")


def _concluded(summary: Summary, options: argparse.Namespace) -> int:
    for call in summary.slow:
        sys.stderr.write(f"slow: {call}, took {call.seconds:.1f} s\n")
    notes = [
        f"{count} of {summary.rows} rows {what}"
        for count, what in (
            (summary.invalid, "have an invalid decision; `problem` says why"),
            (summary.rejected, "could not be read"),
            (summary.model_failures, "made a model fail"),
        )
        if count
    ]
    if notes:
        sys.stderr.write("\n".join(notes) + "\n")
    if options.allow_invalid or not notes:
        return DONE
    return MODEL if summary.model_failures else DATA
