"""Choose the verb, run it, and turn every error into a message and an exit code."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

from decisionflow.cli.interruption import Ended, ended_by_signals
from decisionflow.errors import (
    DataError,
    DecisionFlowError,
    InfeasibleError,
    MissingExtraError,
    ModelError,
    PolicyError,
    UnknownNameError,
    UnwritableError,
)
from decisionflow.version import __version__

Verbs = Sequence[tuple[str, str, str]]
DONE, NO, USAGE, POLICY, DATA, MODEL = range(6)
UNEXPECTED = 70


SET_ANEW = frozenset({"DF0212", "DF0421"})
"""What is wrong with a parameter that the command sets, and not with the policy."""


class Usage(DecisionFlowError):
    """The command was not typed as it is meant."""


def run(arguments: list[str], verbs: Verbs) -> int:
    """Run the verb that the arguments name."""
    parser = _parser(arguments, verbs)
    try:
        options = parser.parse_args(arguments)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else USAGE
    try:
        with ended_by_signals():
            return int(options.run(options))
    except BrokenPipeError:
        return _closed_pipe()
    except Ended as end:
        sys.stderr.write(" ".join((f"ended by {end.name}", *getattr(end, "__notes__", ()))) + "\n")
        return end.code
    except Exception as error:
        if options.debug:
            raise
        return _report(error)


def _parser(arguments: list[str], verbs: Verbs) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="decisionflow", description="Decisions that people can read, run and question."
    )
    parser.add_argument("--version", action="version", version=f"decisionflow {__version__}")
    # Without a `prog`, argparse lays out a usage line for it, and loads more than the verb `check` does.
    subparsers = parser.add_subparsers(metavar="VERB", required=True, title="verbs", prog="decisionflow")
    asked = next((argument for argument in arguments if not argument.startswith("-")), None)
    for verb, module, summary in verbs:
        subparser = subparsers.add_parser(verb, help=summary, description=summary[0].upper() + summary[1:] + ".")
        subparser.add_argument("--debug", action="store_true", help="show the traceback of an error")
        if verb == asked:
            importlib.import_module(module).configure(subparser)
    return parser


def _report(error: Exception) -> int:
    code = exit_code(error)
    if isinstance(error, PolicyError | InfeasibleError):
        sys.stderr.write(f"{error}\n")
    elif code == UNEXPECTED:
        sys.stderr.write(
            f"error: {type(error).__name__}: {error}\nThis is a fault of decisionflow; --debug shows where.\n"
        )
    else:
        sys.stderr.write(f"error: {error}\n")
    return code


def exit_code(error: Exception) -> int:
    """The code that tells a script what went wrong."""
    if isinstance(error, PolicyError) and SET_ANEW.issuperset(each.code for each in error.diagnostics):
        return USAGE
    kinds: tuple[tuple[type[Exception], int], ...] = (
        (Usage, USAGE),
        (UnknownNameError, USAGE),
        (UnwritableError, USAGE),
        (MissingExtraError, USAGE),
        (PolicyError, POLICY),
        (DataError, DATA),
        (ModelError, MODEL),
        (FileNotFoundError, USAGE),
        (IsADirectoryError, USAGE),
        (OSError, DATA),
        (DecisionFlowError, NO),
    )
    return next((code for kind, code in kinds if isinstance(error, kind)), UNEXPECTED)


def _closed_pipe() -> int:
    """The reader has gone: nothing more to say, and nothing left for the interpreter to flush into the closed pipe."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return DONE
