"""`decisionflow explain`: why one row got its decision."""

from __future__ import annotations

import argparse
import sys
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal, cast

from decisionflow.cli.options import add_dialect, add_policy, add_run, loaded, transparencies, whole_file, write_answer
from decisionflow.cli.running import DATA, DONE, Usage

if TYPE_CHECKING:
    from decisionflow.api.explanation import Explanation

FORMATS = ("text", "json", "png", "svg")
MEASURES = ("coverage", "support", "confidence", "lift", "leverage")
METHODS = "smace (always), shap, shapley, lime, rules, anchor; may be given several times"


def configure(parser: argparse.ArgumentParser) -> None:
    """Say what the verb takes."""
    add_policy(parser)
    parser.add_argument(
        "data", metavar="DATA", help="the data: CSV, JSON lines, Parquet, Feather, XLSX; - is standard input"
    )
    parser.add_argument("--row", type=int, required=True, metavar="N", help="the row, counted from 0")
    parser.add_argument("--decision", metavar="NAME", help="the decision (default: the first declared)")
    parser.add_argument("--method", metavar="M", action="append", default=[], help=METHODS)
    parser.add_argument("--of", metavar="MODEL", help="shap, lime, rules: explain this model (MODEL=LABEL: its class)")
    parser.add_argument("--measure", choices=MEASURES, default="leverage", help="rules: what makes one good")
    parser.add_argument("--k", type=int, default=10, metavar="K", help="rules: how many of each kind")
    parser.add_argument("--why-not", metavar="VALUE", help="the outcome that was expected instead")
    parser.add_argument("--rule", metavar="NAME", help="the rule to explain")
    parser.add_argument(
        "--background", metavar="FILE", help="the rows to compare with (default: the policy's, else DATA)"
    )
    parser.add_argument("--scale", choices=("domain", "robust"), default="domain")
    parser.add_argument("--categories", choices=("shares", "uniform"), default="shares")
    parser.add_argument("--format", choices=FORMATS, help="default: by the ending of OUT, else text")
    parser.add_argument("-o", "--output", metavar="OUT")
    parser.add_argument("--allow-invalid", action="store_true", help="exit with 0 where the decision is invalid too")
    add_run(parser)
    add_dialect(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Explain the row; 4 where its decision is invalid."""
    policy = loaded(options)
    explanation = policy.explain(
        whole_file(options.data, options),
        row=options.row,
        decision=options.decision,
        method=options.method or "smace",
        rule=options.rule,
        why_not=options.why_not,
        background=whole_file(options.background, options) if options.background else None,
        seed=options.seed,
        today=options.today,
        transparency=transparencies(options.transparency) or None,
        scale=options.scale,
        categories=options.categories,
        of=options.of,
        measure=options.measure,
        k=options.k,
    )
    _show(explanation, _format(options), options.output)
    invalid = explanation.found.outcome.status == "invalid"
    return DATA if invalid and not options.allow_invalid else DONE


def _format(options: argparse.Namespace) -> str:
    """The format asked for, else the one that the output's ending names, else text."""
    if options.format:
        return str(options.format)
    ending = PurePath(options.output or "").suffix.lower().lstrip(".")
    if ending and ending not in ("txt", *FORMATS):
        raise Usage(f"{options.output}: no format has this ending; say --format {'|'.join(FORMATS)}")
    return ending if ending in FORMATS else "text"


def _show(explanation: Explanation, form: str, output: str | None) -> None:
    from decisionflow.render.explanation_picture import explanation_picture

    if form == "json":
        write_answer(explanation.to_json() + "\n", output)
    elif form in ("png", "svg"):
        picture = explanation_picture(explanation.found, cast(Literal["png", "svg"], form))
        write_answer(picture, output)
    elif output is None and sys.stdout.isatty():
        from rich.console import Console

        from decisionflow.render.explanation_text import print_explanation

        print_explanation(explanation.found, Console(highlight=False))
    else:
        write_answer(str(explanation), output)
