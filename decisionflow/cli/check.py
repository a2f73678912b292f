"""`decisionflow check`: every diagnostic and lint of some policies."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from decisionflow.check.policy_file import check_policy_file
from decisionflow.cli.options import add_allowed_paths, existing, write_answer
from decisionflow.cli.running import DONE, POLICY
from decisionflow.diagnostics import Diagnostic


def configure(parser: argparse.ArgumentParser) -> None:
    """Say what the verb takes."""
    parser.add_argument("policies", metavar="POLICY", nargs="+", help="policy files")
    parser.add_argument("--strict", action="store_true", help="warnings and lints make the exit code 3 too")
    parser.add_argument("--models", action="store_true", help="load the models as well")
    parser.add_argument("--format", choices=("text", "json", "sarif"), default="text")
    add_allowed_paths(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Check each policy; 3 where one is faulty."""
    found = [diagnostic for policy in options.policies for diagnostic in diagnostics(existing(policy), options)]
    faulty = any(one.severity == "error" or options.strict for one in found)
    if options.format == "text":
        for one in found:
            sys.stderr.write(f"{one}\n\n")
        sys.stderr.write(_summary(found, len(options.policies)))
    else:
        from decisionflow.render.diagnostics import diagnostics_json, diagnostics_sarif

        write = diagnostics_json if options.format == "json" else diagnostics_sarif
        write_answer(write(found), None)
    return POLICY if faulty else DONE


def diagnostics(path: Path, options: argparse.Namespace) -> list[Diagnostic]:
    """Everything there is to say about one policy."""
    from decisionflow.check.lints.lint import lint_program

    allowed = [Path(folder) for folder in options.allow_path]
    source = check_policy_file(path, allowed)
    found = list(source.diagnostics)
    if source.program is not None:
        found += lint_program(source.program)
    if options.models and source.program is not None:
        _load_models(path, options)
    return found


def _load_models(path: Path, options: argparse.Namespace) -> None:
    """Raises ModelError for the first model that cannot be loaded."""
    from decisionflow.api.loading import load_policy

    load_policy(path, allow_paths=options.allow_path)


def _summary(found: list[Diagnostic], policies: int) -> str:
    errors = sum(one.severity == "error" for one in found)
    warnings = len(found) - errors
    if not found:
        return f"{policies} {'policy' if policies == 1 else 'policies'} checked: nothing to report\n"
    return f"{errors} error{'' if errors == 1 else 's'}, {warnings} warning{'' if warnings == 1 else 's'}\n"
