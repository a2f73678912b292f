"""The learners' settings as options of the command line."""

from __future__ import annotations

import argparse
from importlib import import_module
from typing import Any, NamedTuple

from decisionflow.cli.options import pairs
from decisionflow.cli.running import Usage
from decisionflow.learn import LEARNERS

MOST_SHARES = 200


class Setting(NamedTuple):
    """An option, the learner's own name of it, how it is read, and what it says."""

    option: str
    name: str
    kind: Any
    help: str


def _cost(text: str) -> float | str:
    return text if text == "auto" else float(text)


SETTINGS = (
    Setting("--min-transparency", "min_transparency", float, "the least share of rows that rules decide"),
    Setting("--regularization", "regularization", float, "what a rule costs"),
    Setting("--alpha", "alpha", _cost, "companion: what a rule costs, or auto"),
    Setting("--beta", "beta", float, "hybrid-rule-set: what an uncovered row costs"),
    Setting("--paradigm", "paradigm", str, "hybrid-corels: post, pre or pre_no_collaboration"),
    Setting("--specialization", "specialization", float, "hybrid-corels, pre: how much the black box specializes"),
    Setting("--max-rules", "max_rules", int, "the longest list"),
    Setting("--max-conditions", "max_conditions", int, "the most conditions that a rule joins"),
    Setting("--max-candidates", "max_candidates", int, "how many candidate conditions are kept"),
    Setting("--min-support", "min_support", float, "the least share of rows that a candidate covers"),
    Setting("--bins", "n_bins", int, "quantile bins for numbers"),
    Setting("--iterations", "iterations", int, "steps of a local search"),
    Setting("--time-limit", "time_limit", float, "CPU seconds; then the best so far"),
    Setting("--memory-limit", "memory_limit", float, "GiB; then the best so far"),
)


def add_settings(parser: argparse.ArgumentParser) -> None:
    """One option for each setting; what is not given is the learner's own default."""
    group = parser.add_argument_group("settings of the learner (default: its own)")
    for setting in SETTINGS:
        group.add_argument(setting.option, dest=setting.name, type=setting.kind, metavar="X", help=setting.help)
    group.add_argument("--negations", action=argparse.BooleanOptionalAction, default=None, help="try negations too")
    group.add_argument(
        "--thresholds", metavar="COLUMN=A,B", action="append", default=[], help="cut a column here, not at quantiles"
    )


def learner_of(options: argparse.Namespace) -> Any:
    """The unfitted learner that the options describe; raises Usage for a setting that it does not have."""
    _, name, module = next(learner for learner in LEARNERS if learner[0] == options.learner)
    learner = getattr(import_module(module), name)()
    known = learner.get_params(deep=False)
    given = {each.name: getattr(options, each.name) for each in SETTINGS if getattr(options, each.name) is not None}
    for setting in SETTINGS:
        if setting.name in given and setting.name not in known:
            raise Usage(f"{options.learner} takes no {setting.option}")
    if options.negations is not None:
        given["negations"] = options.negations
    return learner.set_params(**given, thresholds=_thresholds(options.thresholds), random_state=options.seed)


def _thresholds(given: list[str]) -> dict[str, list[float]] | None:
    found = {}
    for column, cuts in pairs(given, "--thresholds").items():
        try:
            found[column] = [float(cut) for cut in cuts.split(",")]
        except ValueError as error:
            raise Usage(f"--thresholds {column}={cuts}: write numbers with commas between them") from error
    return found or None


def shares_of(sweep: str | None) -> tuple[float, ...]:
    """The minimum transparencies of `FROM:TO:STEP`, both ends included."""
    if sweep is None:
        return ()
    try:
        low, high, step = (float(part) for part in sweep.split(":"))
    except ValueError as error:
        raise Usage(f"--sweep {sweep}: write FROM:TO:STEP, such as 0.1:0.95:0.05") from error
    if not (0 <= low <= high <= 1 and step > 0 and (high - low) / step < MOST_SHARES):
        raise Usage(f"--sweep {sweep}: give shares from 0 to 1, at most {MOST_SHARES} of them")
    return tuple(round(low + place * step, 9) for place in range(int((high - low) / step + 1e-9) + 1))
