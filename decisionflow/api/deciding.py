"""What a run is given, and records decided one at a time."""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from decisionflow.diagnostics import did_you_mean
from decisionflow.errors import DataError, UnknownNameError
from decisionflow.evaluate.row_answer import RowAnswer
from decisionflow.evaluate.row_function import RowFunctions
from decisionflow.evaluate.settings import Settings
from decisionflow.program.declarations import CompanionList
from decisionflow.program.program import Program

if TYPE_CHECKING:
    from decisionflow.api.policy import Policy


def row_function(
    policy: Policy, decision: str, today: datetime.date | str | None, validate: bool
) -> Callable[[Mapping[str, Any]], RowAnswer]:
    """A function from one record to what a decision says about it; see `Policy.row_function`."""
    functions, given = RowFunctions(policy.program, (decision,)), None if today is None else run_date(today)
    functions.prepare(validate)
    changing = functions.reads_today and given is None

    def decide(record: Mapping[str, Any]) -> RowAnswer:
        day = run_date(None) if changing else given
        answers = functions.answers(record, day, validate)
        if answers is not None:
            return answers[decision]
        found = policy.decide(record, day, None, False, 0, validate, "row")[decision]
        return RowAnswer(found.value, found.rule, found.status, found.reasons)

    return decide


def settings_of(
    program: Program,
    today: datetime.date | str | None,
    transparency: float | Mapping[str, float] | None,
    stochastic: bool,
    seed: int,
    on_model_error: str,
) -> Settings:
    """The settings of a run; raises DataError for a date, a decision or a word that is none."""
    check_word(on_model_error)
    cut = _transparency(program, transparency)
    return Settings(run_date(today), cut, stochastic, seed, on_model_error)  # type: ignore[arg-type]


def check_word(on_model_error: str) -> None:
    """Raise DataError for a word that does not say what a failing model stops."""
    if on_model_error not in ("row", "stop"):
        raise DataError(f"on_model_error is `row` or `stop`, not `{on_model_error}`")


def _transparency(program: Program, given: float | Mapping[str, float] | None) -> Mapping[str, float]:
    companions = [name for name, node in program.decisions.items() if isinstance(node.body, CompanionList)]
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        return dict.fromkeys(companions, _share(given))
    for name in given:
        if name not in companions:
            hint = did_you_mean(name, companions)
            raise UnknownNameError(f"`{name}` is no companion decision of this policy" + (f"; {hint}" if hint else ""))
    return {name: _share(share) for name, share in given.items()}


def _share(given: object) -> float:
    try:
        return float(given)  # type: ignore[arg-type]
    except (TypeError, ValueError) as error:
        raise DataError(f"a transparency is a share from 0 to 1, not `{given}`") from error


def local_date(moment: float) -> datetime.date:
    """The machine's local date at a moment in seconds since 1970."""
    return datetime.datetime.fromtimestamp(moment).astimezone().date()


def run_date(given: datetime.date | str | None) -> datetime.date:
    """The date of a run, the machine's local one where none is given; raises DataError for what is no date."""
    if given is None:
        return local_date(time.time())
    if isinstance(given, datetime.date) and given == given:  # noqa: PLR0124 -- NaT differs from itself
        return given.date() if isinstance(given, datetime.datetime) else given
    try:
        return datetime.date.fromisoformat(given)  # type: ignore[arg-type]
    except (TypeError, ValueError) as error:
        raise DataError(f"`{given}` is no date; write it like 2026-11-29") from error
