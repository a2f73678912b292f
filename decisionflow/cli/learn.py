"""`decisionflow learn`: a companion rule list as a policy file, from data and a black box."""

from __future__ import annotations

import argparse
import datetime
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from decisionflow.cli.learning_settings import add_settings, learner_of, shares_of
from decisionflow.cli.options import add_dialect, dialect, existing, write_answer
from decisionflow.cli.running import DONE, NO, Usage
from decisionflow.learn import LEARNERS

if TYPE_CHECKING:
    from decisionflow.learn.learning_run import Learned, Order
    from decisionflow.learn.search_progress import ProgressListener, SearchProgress

PICTURES = (".png", ".svg", ".html")


def configure(parser: argparse.ArgumentParser) -> None:
    """Say what the verb takes."""
    parser.add_argument("learner", metavar="LEARNER", choices=[verb for verb, _, _ in LEARNERS], help=_learners())
    parser.add_argument("data", metavar="DATA", help="CSV, JSON lines, Parquet, Feather or XLSX; - is standard input")
    parser.add_argument("-o", "--output", metavar="POLICY", required=True, help="the policy file to write")
    parser.add_argument("--target", metavar="COLUMN", required=True, help="the column to predict, of two labels")
    given = parser.add_mutually_exclusive_group()
    given.add_argument("--black-box", metavar="MODEL", help="a model file (default: fit and save a random forest)")
    given.add_argument(
        "--black-box-predictions", metavar="COLUMN", help="the column that holds the black box's answers"
    )
    parser.add_argument("--exclude", metavar="COLUMN", action="append", default=[], help="do not look at this column")
    parser.add_argument("--held-out", type=float, default=0.25, metavar="SHARE", help="rows kept to measure (0.25)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of split, forest and search (default 0)")
    parser.add_argument("--sweep", metavar="FROM:TO:STEP", help="learn for each minimum transparency as well")
    parser.add_argument("--report", metavar="OUT", help="draw the trade-off curve: .png, .svg or .html")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="of what is printed")
    parser.add_argument("--title", metavar="TEXT", help="the policy's title")
    parser.add_argument("--decision", metavar="NAME", help="the decision's name (default: the policy's)")
    parser.add_argument("--data-date", metavar="DATE", help="the date of the data (default: the file's)")
    add_settings(parser)
    add_dialect(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Learn, write the policy and what belongs to it, and print what it is worth; 1 where there is no list."""
    from decisionflow.learn.bayesian import MissingExtraError
    from decisionflow.learn.learning_errors import SettingError
    from decisionflow.learn.learning_run import learn

    order = _order(options)
    picture = _picture_ending(options.report)
    try:
        with _progress(options.learner) as listener:
            learned = learn(order, listener)
        if not learned.is_found:
            sys.stderr.write(_nothing_found(learned))
            return NO
        _write(learned, order, options, picture)
    except (SettingError, MissingExtraError) as error:
        raise Usage(str(error)) from error
    return DONE


def _learners() -> str:
    return ", ".join(verb for verb, _, _ in LEARNERS)


def _order(options: argparse.Namespace) -> Order:
    from decisionflow.learn.learning_run import Order
    from decisionflow.tables.files.open_data import open_data

    if not 0 < options.held_out < 1:
        raise Usage(f"--held-out {options.held_out}: give a share between 0 and 1, such as 0.25")
    output = Path(options.output)
    if not output.parent.is_dir() or output.is_dir() or options.output == "-":
        raise Usage(f"-o {options.output}: name a policy file in a folder that exists")
    if options.data != "-":
        existing(options.data)
    learner, shares = learner_of(options), shares_of(options.sweep)
    if shares and "min_transparency" not in learner.get_params(deep=False):
        raise Usage(f"{options.learner} takes no --sweep: it has no minimum transparency; its list ends where it ends")
    return Order(
        learner=learner,
        file=open_data(options.data, dialect(options)),
        target=options.target,
        output=output,
        black_box=options.black_box,
        answers=options.black_box_predictions,
        excluded=tuple(options.exclude),
        held_out=options.held_out,
        seed=options.seed,
        shares=shares,
        title=options.title,
        decision=options.decision,
        date=_date(options),
    )


def _date(options: argparse.Namespace) -> datetime.date:
    if options.data_date is not None:
        try:
            return datetime.date.fromisoformat(options.data_date)
        except ValueError as error:
            raise Usage(f"--data-date {options.data_date}: write it like 2026-11-29") from error
    if options.data == "-":
        return datetime.datetime.now(tz=datetime.UTC).date()
    return datetime.datetime.fromtimestamp(Path(options.data).stat().st_mtime, tz=datetime.UTC).date()


def _picture_ending(report: str | None) -> str | None:
    if report is None:
        return None
    ending = Path(report).suffix.lower()
    if ending not in PICTURES or not Path(report).parent.is_dir():
        raise Usage(f"--report {report}: name a {', '.join(PICTURES)} file in a folder that exists")
    return ending[1:]


@contextmanager
def _progress(learner: str) -> Iterator[ProgressListener | None]:
    """A line on standard error with the best objective, the bound and the gap, when that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status(f"{learner}: reading and mining") as status:
        yield lambda moment: status.update(_progress_line(learner, moment))


def _progress_line(learner: str, moment: SearchProgress) -> str:
    parts = [f"{learner}: best objective {moment.objective:.6f}"]
    if moment.bound is not None and moment.gap is not None:
        parts.append(f"bound {moment.bound:.6f}, gap {moment.gap:.6f}")
    if moment.done is not None:
        parts.append(f"{moment.done:.0%} done")
    return ", ".join((*parts, f"{moment.cpu_seconds:.0f} CPU s; Ctrl-C keeps the best so far"))


def _nothing_found(learned: Learned) -> str:
    return (
        f"no list found: the search stopped ({learned.stopped_by}) before one that covers enough rows was found or "
        "ruled out, and nothing was written; raise --time-limit, --memory-limit or --max-rules, or lower "
        "--min-transparency\n"
    )


def _write(learned: Learned, order: Order, options: argparse.Namespace, picture: Any) -> None:
    """The model first, then the policy that names it."""
    if learned.forest is not None:
        model = order.output.parent / learned.forest.uri
        model.parent.mkdir(exist_ok=True)
        write_answer(learned.forest.data, str(model))
    write_answer(learned.policy, str(order.output))
    if picture is not None:
        from decisionflow.render.trade_off_picture import trade_off_picture

        write_answer(trade_off_picture(learned.report, picture, learned.front), options.report)
    for note in learned.notes:
        sys.stderr.write(f"note: {note}\n")
    write_answer(_answer(learned, options), None)


def _answer(learned: Learned, options: argparse.Namespace) -> str:
    from decisionflow.render.learned_list import learned_json, learned_text

    if options.format == "json":
        return learned_json(learned.report, learned.learner, learned.front) + "\n"
    return learned_text(learned.report, learned.front) + "\n"
