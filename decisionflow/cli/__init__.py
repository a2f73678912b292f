"""The command line: one file per verb, loaded when it is typed."""

from __future__ import annotations

import sys
from collections.abc import Sequence

VERBS = (
    ("check", "decisionflow.cli.check", "every mistake and lint of a policy"),
    ("evaluate", "decisionflow.cli.evaluate", "decisions for a file of any size"),
    ("explain", "decisionflow.cli.explain", "why one row got its decision"),
    ("test", "decisionflow.cli.test", "run the tests written in a policy and beside it"),
    ("format", "decisionflow.cli.format", "write a policy in its canonical form"),
    ("graph", "decisionflow.cli.graph", "the decision graph as text, Mermaid or SVG"),
    ("learn", "decisionflow.cli.learn", "a companion rule list as a policy file, from data and a black box"),
    ("explain-error", "decisionflow.cli.explain_error", "a failing and a mended example of an error code"),
)


INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit code is 0 done, 1 no, 2 usage, 3 policy, 4 data, 5 model, 130 ended by Ctrl-C."""
    try:
        from decisionflow.cli.running import run

        return run(sys.argv[1:] if arguments is None else list(arguments), VERBS)
    except KeyboardInterrupt as end:
        sys.stderr.write(" ".join(("interrupted", *getattr(end, "__notes__", ()))) + "\n")
        return INTERRUPTED
