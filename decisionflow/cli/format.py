"""`decisionflow format`: canonical text; comments survive."""

from __future__ import annotations

import argparse
import sys

from decisionflow.check.files import read_tree
from decisionflow.cli.options import existing, write_answer
from decisionflow.cli.running import DONE, NO
from decisionflow.syntax.format import format_text


def configure(parser: argparse.ArgumentParser) -> None:
    """Say what the verb takes."""
    parser.add_argument("policies", metavar="POLICY", nargs="+", help="policy files, rewritten in place")
    parser.add_argument("--check", action="store_true", help="change nothing; exit with 1 where a file would change")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Format each policy; those with syntax errors are left as they are."""
    changed = []
    for name in options.policies:
        path = existing(name)
        tree = read_tree(path, name)
        text = format_text(tree)
        if text != tree.source.text:
            changed.append(name)
            if not options.check:
                write_answer(text, name)
    for name in changed:
        sys.stderr.write(f"{'would change' if options.check else 'formatted'} {name}\n")
    return NO if options.check and changed else DONE
