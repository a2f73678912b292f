"""`decisionflow graph`: the decision graph."""

from __future__ import annotations

import argparse

from decisionflow.check.policy_file import check_policy_file
from decisionflow.cli.options import add_policy, existing, require_own_file, write_answer
from decisionflow.cli.running import DONE
from decisionflow.errors import PolicyError
from decisionflow.render.graph import graph_mermaid, graph_svg, graph_text

FORMATS = {"text": graph_text, "mermaid": graph_mermaid, "svg": graph_svg}


def configure(parser: argparse.ArgumentParser) -> None:
    """Say what the verb takes."""
    add_policy(parser)
    parser.add_argument("--format", choices=tuple(FORMATS), default="text")
    parser.add_argument("-o", "--output", metavar="OUT")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Draw the graph; models are not loaded."""
    require_own_file("-o", options.output, {"the policy": options.policy})
    source = check_policy_file(existing(options.policy), options.allow_path)
    if source.program is None:
        raise PolicyError([found for found in source.diagnostics if found.severity == "error"])
    write_answer(FORMATS[options.format](source.program), options.output)
    return DONE
