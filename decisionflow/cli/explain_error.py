"""`decisionflow explain-error`: a failing and a mended example of an error code."""

from __future__ import annotations

import argparse

from decisionflow.check.explanations import EXPLANATIONS as CHECKED
from decisionflow.cli.options import write_answer
from decisionflow.cli.running import DONE, Usage
from decisionflow.diagnostics import did_you_mean
from decisionflow.syntax.explanations import EXPLANATIONS as PARSED


def configure(parser: argparse.ArgumentParser) -> None:
    """Say what the verb takes."""
    parser.add_argument("code", metavar="CODE", help="such as DF0201")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the explanation of a code."""
    known = {explanation.code: explanation for explanation in (*PARSED, *CHECKED)}
    code = options.code.upper()
    if code not in known:
        hint = did_you_mean(code, known)
        raise Usage(f"there is no error {options.code}" + (f"; {hint}" if hint else ""))
    found = known[code]
    parts = (f"{found.code}  {found.title}", "Fails:", _indented(found.failing), "Mended:", _indented(found.mended))
    write_answer("\n\n".join(parts) + "\n", None)
    return DONE


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.strip("\n").splitlines())
