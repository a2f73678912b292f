"""`decisionflow test`: run the tests written in a policy."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from decisionflow.cli.options import add_allowed_paths, add_today, existing, write_answer
from decisionflow.cli.running import DONE, NO


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
    from decisionflow.render.policy_tests import coverage_text, tests_json, tests_text

    failed = False
    for policy in options.policies:
        program, results = run_tests(existing(policy), [Path(folder) for folder in options.allow_path], options.today)
        failed |= any(not result.passed for result in results)
        write_answer(tests_json(results) if options.format == "json" else tests_text(results), None)
        if options.coverage:
            sys.stdout.write(coverage_text(program, results))
    return NO if failed else DONE
