"""Options that several verbs share."""

from __future__ import annotations

import argparse
import datetime
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from decisionflow.cli.running import Usage
from decisionflow.errors import DataError

if TYPE_CHECKING:
    from decisionflow.api.policy import Policy
    from decisionflow.tables.files.chunk import Chunk
    from decisionflow.tables.files.dialect import Dialect


def add_policy(parser: argparse.ArgumentParser) -> None:
    """The policy, and where its files may lie."""
    parser.add_argument("policy", metavar="POLICY", help="the policy file")
    add_allowed_paths(parser)


def require_own_file(option: str, path: str | None, taken: Mapping[str, str | None]) -> None:
    """Raise Usage where what is written would replace a file that is taken, by what it is: `the policy`, `the data`."""
    for what, other in taken.items():
        if path is not None and other is not None and Path(path).resolve() == Path(other).resolve():
            raise Usage(f"{option} {path} is {what} too: give it a file of its own")


def add_allowed_paths(parser: argparse.ArgumentParser) -> None:
    """Folders beside the policy's own that it may read."""
    parser.add_argument(
        "--allow-path", metavar="DIR", action="append", default=[], help="a further folder that the policy may read"
    )


def add_run(parser: argparse.ArgumentParser) -> None:
    """What a run is given beside policy and data."""
    parser.add_argument("--set", metavar="P=V", action="append", default=[], help="set a parameter anew")
    parser.add_argument("--model", metavar="NAME=URI", action="append", default=[], help="bind a model to another file")
    parser.add_argument("--transparency", metavar="NAME=T", action="append", default=[], help="cut a companion list")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="for what is drawn by chance (default 0)")
    add_today(parser)


def add_today(parser: argparse.ArgumentParser) -> None:
    """The date that the policy calls `today`."""
    parser.add_argument("--today", metavar="DATE", type=_day, help="the date of the run (default: the machine's)")


def _day(given: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(given)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"`{given}` is no date; write it like 2026-11-29") from error


def add_dialect(parser: argparse.ArgumentParser) -> None:
    """How a CSV file is written."""
    parser.add_argument("--delimiter", metavar="C", help="what separates the cells (default: comma)")
    parser.add_argument("--decimal", metavar="C", help="the decimal mark (default: point)")
    parser.add_argument("--thousands", metavar="C", help="what groups digits (default: nothing)")
    parser.add_argument("--encoding", metavar="NAME", help="the file's encoding (default: UTF-8)")


def dialect(options: argparse.Namespace) -> Dialect:
    """The dialect that the options name."""
    from decisionflow.tables.files.dialect import Dialect

    try:
        return Dialect(options.delimiter, options.decimal, options.thousands, options.encoding)
    except DataError as error:
        raise Usage(str(error)) from error


def whole_file(path: str, options: argparse.Namespace) -> Chunk:
    """Every row of a data file; `-` is standard input."""
    from decisionflow.tables.files.open_data import every_row, open_data

    if path != "-":
        existing(path)
    return every_row(open_data(path, dialect(options)))


def existing(path: str) -> Path:
    """A file that is there; raises Usage where it is not."""
    found = Path(path)
    if not found.exists():
        raise Usage(f"there is no file {path}")
    if found.is_dir():
        raise Usage(f"{path} is a folder; name a file in it")
    return found


def pairs(given: Iterable[str], option: str) -> dict[str, str]:
    """`NAME=VALUE` options by name."""
    found = {}
    for item in given:
        name, equals, value = item.partition("=")
        if not equals or not name:
            raise Usage(f"{option} {item}: write {option} NAME=VALUE")
        found[name.strip()] = value.strip()
    return found


def transparencies(given: Iterable[str]) -> dict[str, float]:
    """`--transparency NAME=T` options by name."""
    found = {}
    for name, value in pairs(given, "--transparency").items():
        try:
            found[name] = float(value)
        except ValueError as error:
            raise Usage(f"--transparency {name}={value}: write a share from 0 to 1") from error
        if not 0 <= found[name] <= 1:
            raise Usage(f"--transparency {name}={value}: write a share from 0 to 1")
    return found


def loaded(options: argparse.Namespace) -> Any:
    """The policy that the options name, with its models and parameters; what is to be known of a model is told."""
    from decisionflow.api.loading import load_policy

    policy = load_policy(
        existing(options.policy),
        pairs(options.model, "--model"),
        pairs(options.set, "--set"),
        allow_paths=options.allow_path,
    )
    tell_notes(policy)
    return policy


def tell_notes(policy: Policy) -> None:
    """Write what loading noted about each model, such as that another version of its library saved it."""
    for name, model in policy.bound.items():
        for note in model.notes:
            sys.stderr.write(f"note: model {name}: {note}\n")


def write_answer(text: str | bytes, output: str | None) -> None:
    """The answer to a file, beside it first and then renamed, or to standard output."""
    from decisionflow.tables.writing.destination import destination

    with destination(output or "-") as stream:
        stream.write(text.encode("utf-8") if isinstance(text, str) else text)
