"""`decisionflow test`: run the tests written in a policy and beside it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from decisionflow.cli.options import add_allowed_paths, add_today, existing, write_answer
from decisionflow.cli.running import DONE, NO, POLICY
from decisionflow.errors import PolicyError

if TYPE_CHECKING:
    from decisionflow.render.policy_tests import Run


def configure(parser: argparse.ArgumentParser) -> None:
    """Say what the verb takes."""
    parser.add_argument("policies", metavar="POLICY", nargs="+", help="policy files")
    parser.add_argument("--coverage", action="store_true", help="which rules no test makes fire")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    add_today(parser)
    add_allowed_paths(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the tests of each policy; 1 where one fails. A model is loaded only where a test does not give its output."""
    from decisionflow.api.testing import run_tests
    from decisionflow.render.policy_tests import tests_json

    runs: list[Run] = []
    faults: list[PolicyError] = []
    for path in [existing(policy) for policy in options.policies]:
        try:
            found = run_tests(path, [Path(folder) for folder in options.allow_path], options.today)
            runs.append((str(path), *found))
        except PolicyError as error:
            faults.append(error)
    write_answer(tests_json(runs, options.coverage) if options.format == "json" else _text(runs, options), None)
    for fault in faults:
        sys.stderr.write(f"{fault}\n")
    if faults:
        return POLICY
    return NO if any(not result.passed for _, _, results in runs for result in results) else DONE


def _text(runs: Sequence[Run], options: argparse.Namespace) -> str:
    """What the tests of each policy came to, under its name where there are several."""
    from decisionflow.render.policy_tests import coverage_text, tests_text

    pieces = []
    for policy, program, results in runs:
        pieces += [f"{policy}:\n"] if len(options.policies) > 1 else []
        pieces += [tests_text(results), coverage_text(program, results) if options.coverage else ""]
    return "".join(pieces)
