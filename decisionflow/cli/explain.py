"""`decisionflow explain`: why one row got its decision."""

from __future__ import annotations

import argparse
import sys
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal, cast

from decisionflow.cli.options import (
    add_dialect,
    add_policy,
    add_run,
    loaded,
    require_own_file,
    transparencies,
    whole_file,
    write_answer,
)
from decisionflow.cli.running import DATA, DONE, Usage

if TYPE_CHECKING:
    from decisionflow.api.explanation import Explanation
    from decisionflow.api.policy import Policy

FORMATS = ("text", "json", "html", "png", "svg")
OVERVIEWS = ("text", "json", "png", "svg")
TABLES = ("csv", "jsonl", "parquet", "feather", "xlsx")
MEASURES = ("coverage", "support", "confidence", "lift", "leverage")
METHODS = "smace (always), shap, shapley, lime, rules, anchor, change, certificate; may be given several times"


def configure(parser: argparse.ArgumentParser) -> None:
    """Say what the verb takes."""
    add_policy(parser)
    parser.add_argument(
        "data", metavar="DATA", help="the data: CSV, JSON lines, Parquet, Feather, XLSX; - is standard input"
    )
    chosen = parser.add_mutually_exclusive_group(required=True)
    chosen.add_argument("--row", type=int, metavar="N", help="the row, counted from 0")
    chosen.add_argument("--overview", action="store_true", help="what carries the decision over all rows")
    chosen.add_argument("--all", action="store_true", help="the contributions of every row, as a table (see --format)")
    parser.add_argument("--by", metavar="FEATURE", help="--overview: contributions by the values of this feature")
    parser.add_argument("--decision", metavar="NAME", help="the decision (default: the first declared)")
    parser.add_argument("--method", metavar="M", action="append", default=[], help=METHODS)
    parser.add_argument("--of", metavar="MODEL", help="shap, lime, rules: explain this model (MODEL=LABEL: its class)")
    parser.add_argument("--measure", choices=MEASURES, default="leverage", help="rules: what makes one good")
    parser.add_argument("--k", type=int, default=10, metavar="K", help="rules: how many of each kind")
    parser.add_argument("--weight", metavar="NAME=W", action="append", default=[], help="change: what a feature costs")
    parser.add_argument("--max-features", type=int, metavar="K", help="change: at most so many features")
    parser.add_argument("--answers", type=int, default=1, metavar="N", help="change: how many different answers")
    parser.add_argument(
        "--time-limit", type=float, default=30.0, metavar="S", help="change: seconds to look for them (default 30)"
    )
    parser.add_argument("--why-not", metavar="VALUE", help="the outcome that was expected instead")
    parser.add_argument("--rule", metavar="NAME", help="the rule to explain")
    parser.add_argument(
        "--background", metavar="FILE", help="the rows to compare with (default: the policy's, else DATA)"
    )
    parser.add_argument("--scale", choices=("domain", "robust"), default="domain")
    parser.add_argument("--categories", choices=("shares", "uniform"), default="shares")
    parser.add_argument(
        "--format", choices=(*FORMATS, *TABLES), help="default: by OUT's ending, else text; with --all, csv"
    )
    parser.add_argument("--plot", choices=("bars", "waterfall", "map"), default="bars", help="png, svg: what is drawn")
    parser.add_argument("--features", metavar="X,Y", help="map: the two features (default: those that matter most)")
    parser.add_argument("-o", "--output", metavar="OUT")
    parser.add_argument("--allow-invalid", action="store_true", help="exit with 0 where the decision is invalid too")
    add_run(parser)
    add_dialect(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Explain the row, or all; 4 where a decision is invalid."""
    _require_sound_numbers(options)
    taken = {"the policy": options.policy, "the data": None if options.data == "-" else options.data}
    require_own_file("-o", options.output, taken)
    policy = loaded(options)
    if options.all:
        return _all(policy, options)
    if options.overview:
        return _overview(policy, options)
    if options.format in TABLES:
        raise Usage(f"--format {options.format} is for --all; one row is shown as {', '.join(FORMATS)}")
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
        weights=weights(options.weight),
        max_features=options.max_features,
        answers=options.answers,
        time_limit=options.time_limit,
    )
    _show(explanation, _format(options), options)
    invalid = explanation.found.outcome.status == "invalid"
    return DATA if invalid and not options.allow_invalid else DONE


def _overview(policy: Policy, options: argparse.Namespace) -> int:
    """Rules, features and boundaries over the data: as text, as JSON, or as a beeswarm."""
    form = _format(options)
    if form not in OVERVIEWS or set(options.method) - {"smace"}:
        raise Usage(f"--overview says what SMACE says, as {', '.join(OVERVIEWS)}")
    if options.rule is not None or options.why_not is not None:
        raise Usage("--overview looks at each row's own rule; --rule and --why-not ask about one row: --row N")
    found = policy.overview(
        whole_file(options.data, options),
        by=options.by,
        decision=options.decision,
        background=whole_file(options.background, options) if options.background else None,
        seed=options.seed,
        today=options.today,
        scale=options.scale,
        categories=options.categories,
    )
    if form in ("png", "svg"):
        from decisionflow.render.pictures.drawing import picture_bytes

        write_answer(picture_bytes(found.plot(), cast(Literal["png", "svg"], form)), options.output)
    else:
        write_answer(found.to_json() + "\n" if form == "json" else str(found), options.output)
    return DONE


def _all(policy: Policy, options: argparse.Namespace) -> int:
    """The contributions of every row, a line each."""
    import pyarrow

    from decisionflow.tables.files.formats import FORMAT_OF_ENDING
    from decisionflow.tables.writing.write_table import write_table

    if set(options.method) - {"smace"}:
        raise Usage("--all gives the contributions of SMACE; other methods explain one row: --row N")
    ending = PurePath(options.output or "").suffix.lower()
    form = options.format or FORMAT_OF_ENDING.get(ending, "csv")
    if form not in (*TABLES, "json"):
        raise Usage(f"--format {form} draws one row; with --all give one of {', '.join(TABLES)}")
    frame = policy.explain_batch(
        whole_file(options.data, options),
        decision=options.decision,
        rule=options.rule,
        why_not=options.why_not,
        background=whole_file(options.background, options) if options.background else None,
        seed=options.seed,
        today=options.today,
        transparency=transparencies(options.transparency) or None,
        scale=options.scale,
        categories=options.categories,
    )
    table = pyarrow.Table.from_pandas(frame, preserve_index=False)
    with write_table(options.output or "-", "jsonl" if form == "json" else form, table.schema) as writer:
        writer.write(table)
    invalid = bool((frame.iloc[:, 3] == "invalid").any())
    return DATA if invalid and not options.allow_invalid else DONE


def _require_sound_numbers(options: argparse.Namespace) -> None:
    """Raise Usage for numbers that cannot be meant."""
    counts = (("--k", options.k), ("--max-features", options.max_features), ("--answers", options.answers))
    for option, given in counts:
        if given is not None and given < 1:
            raise Usage(f"{option} {given}: at least 1 is asked for")
    if not options.time_limit > 0:
        raise Usage(f"--time-limit {options.time_limit:g}: write a number of seconds above 0")


def weights(given: list[str]) -> dict[str, float]:
    """`NAME=W`, several times, as a mapping; raises Usage for anything else."""
    found = {}
    for each in given:
        name, _, weight = each.partition("=")
        try:
            found[name] = float(weight)
        except ValueError as error:
            raise Usage(f"--weight {each}: write it as NAME=W, W a number, as in --weight income=2") from error
    return found


def _format(options: argparse.Namespace) -> str:
    """The format asked for, else the one that the output's ending names, else text."""
    if options.format:
        return str(options.format)
    ending = PurePath(options.output or "").suffix.lower().lstrip(".")
    if ending and ending not in ("txt", *FORMATS):
        raise Usage(f"{options.output}: no format has this ending; say --format {'|'.join(FORMATS)}")
    return ending if ending in FORMATS else "text"


def _show(explanation: Explanation, form: str, options: argparse.Namespace) -> None:
    output = options.output
    if form == "json":
        write_answer(explanation.to_json() + "\n", output)
    elif form == "html":
        write_answer(explanation.to_html(), output)
    elif form in ("png", "svg"):
        from decisionflow.render.pictures.drawing import picture_bytes

        picture = explanation.plot(options.plot, options.features.split(",") if options.features else None)
        write_answer(picture_bytes(picture, cast(Literal["png", "svg"], form)), output)
    elif output is None and sys.stdout.isatty():
        from rich.console import Console

        from decisionflow.render.explanation_text import print_explanation

        print_explanation(explanation.found, Console(highlight=False))
    else:
        write_answer(str(explanation), output)
