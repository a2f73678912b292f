"""`decisionflow check`: every diagnostic and lint of some policies."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from decisionflow.check.policy_file import check_policy_file
from decisionflow.cli.options import add_allowed_paths, existing, tell_notes, write_answer
from decisionflow.cli.running import DONE, MODEL, POLICY
from decisionflow.diagnostics import Diagnostic
from decisionflow.errors import ModelError, PolicyError


def configure(parser: argparse.ArgumentParser) -> None:
    """Say what the verb takes."""
    parser.add_argument("policies", metavar="POLICY", nargs="+", help="policy files")
    parser.add_argument("--strict", action="store_true", help="warnings and lints make the exit code 3 too")
    parser.add_argument("--models", action="store_true", help="load the models as well")
    parser.add_argument("--format", choices=("text", "json", "sarif"), default="text")
    add_allowed_paths(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Check each policy; 3 where one is faulty, 5 where a model cannot be loaded."""
    answers = [_checked(existing(policy), options) for policy in options.policies]
    found = [diagnostic for diagnostics, _ in answers for diagnostic in diagnostics]
    failures = [failure for _, failure in answers if failure is not None]
    if options.format == "text":
        for one in found:
            sys.stderr.write(f"{one}\n\n")
    else:
        from decisionflow.render.diagnostics import diagnostics_json, diagnostics_sarif

        write = diagnostics_json if options.format == "json" else diagnostics_sarif
        write_answer(write(found), None)
    for failure in failures:
        sys.stderr.write(f"error: {failure}\n")
    if options.format == "text" and (found or not failures):
        sys.stderr.write(_summary(found, len(options.policies)))
    if any(one.severity == "error" or options.strict for one in found):
        return POLICY
    return MODEL if failures else DONE


def _checked(path: Path, options: argparse.Namespace) -> tuple[list[Diagnostic], ModelError | None]:
    """Everything there is to say about one policy, and why a model of it cannot be loaded where that was asked for."""
    from decisionflow.check.lints.lint import lint_program

    source = check_policy_file(path, [Path(folder) for folder in options.allow_path])
    found = list(source.diagnostics)
    if source.program is None:
        return found, None
    found += lint_program(source.program)
    if not options.models:
        return found, None
    try:
        _load_models(path, options)
    except PolicyError as error:
        found += [one for one in error.diagnostics if one not in found]
    except ModelError as error:
        return found, error
    return found, None


def _load_models(path: Path, options: argparse.Namespace) -> None:
    from decisionflow.api.loading import load_policy

    tell_notes(load_policy(path, allow_paths=options.allow_path))


def _summary(found: list[Diagnostic], policies: int) -> str:
    errors = sum(one.severity == "error" for one in found)
    warnings = len(found) - errors
    if not found:
        return f"{policies} {'policy' if policies == 1 else 'policies'} checked: nothing to report\n"
    return f"{errors} error{'' if errors == 1 else 's'}, {warnings} warning{'' if warnings == 1 else 's'}\n"
