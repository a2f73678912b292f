"""`decisionflow explain-error`: a failing and a mended example of an error code."""

from __future__ import annotations

import argparse

from decisionflow.check.explanations import EXPLANATIONS
from decisionflow.cli.options import write_answer
from decisionflow.cli.running import DONE, Usage
from decisionflow.diagnostics import did_you_mean


def configure(parser: argparse.ArgumentParser) -> None:
    """Say what the verb takes."""
    parser.add_argument("code", metavar="CODE", help="such as DF0201")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the explanation of a code."""
    known = {explanation.code: explanation for explanation in EXPLANATIONS}
    code = options.code.upper()
    if code not in known:
        hint = did_you_mean(code, known)
        raise Usage(f"there is no error {options.code}" + (f"; {hint}" if hint else ""))
    found = known[code]
    write_answer(
        f"{found.code}  {found.title}\n\nFails:\n\n{_indented(found.failing)}\n\nMended:\n\n{_indented(found.mended)}\n",
        None,
    )
    return DONE


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.strip("\n").splitlines())
