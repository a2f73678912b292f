"""`decisionflow format`: canonical text; comments survive."""

from __future__ import annotations

import argparse
import sys

from decisionflow.check.files import read_tree
from decisionflow.cli.options import existing, write_answer
from decisionflow.cli.running import DONE, NO, POLICY
from decisionflow.errors import PolicyError
from decisionflow.syntax.format import format_text


def configure(parser: argparse.ArgumentParser) -> None:
    """Say what the verb takes."""
    parser.add_argument("policies", metavar="POLICY", nargs="+", help="policy files, rewritten in place")
    parser.add_argument("--check", action="store_true", help="change nothing; exit with 1 where a file would change")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Format each policy; those with syntax errors are left as they are, and make the exit code 3."""
    changed, faults = [], []
    for path in [existing(name) for name in options.policies]:
        try:
            tree = read_tree(path, str(path))
        except PolicyError as error:
            faults.append(error)
            continue
        text = format_text(tree)
        if text != tree.source.text:
            changed.append(path)
            if not options.check:
                write_answer(text, str(path))
    for path in changed:
        sys.stderr.write(f"{'would change' if options.check else 'formatted'} {path}\n")
    for fault in faults:
        sys.stderr.write(f"{fault}\n")
    if faults:
        return POLICY
    return NO if options.check and changed else DONE
