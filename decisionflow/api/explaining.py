"""From a question about a row to its explanation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, get_args

from decisionflow.api.explanation import Explanation
from decisionflow.api.outcome_asked import outcome_asked
from decisionflow.api.overview import Overview
from decisionflow.diagnostics import did_you_mean
from decisionflow.errors import DataError, UnknownNameError
from decisionflow.evaluate.rows import row_of
from decisionflow.evaluate.settings import Settings
from decisionflow.explain.completion import Background
from decisionflow.explain.distances import CategoryChoice, ScaleChoice
from decisionflow.explain.explainers import Asked, MethodOptions
from decisionflow.explain.explainers import explain as explain_row
from decisionflow.explain.global_view import overview as over_rows
from decisionflow.explain.smace import Question, Smace
from decisionflow.explain.smace_batch import contribution_frame, explain_rows
from decisionflow.tables.table import Table

if TYPE_CHECKING:
    import pandas

    from decisionflow.api.policy import Policy


def explain(
    policy: Policy,
    data: Any,
    *,
    row: int,
    decision: str | None,
    method: str | Sequence[str],
    rule: str | None,
    why_not: Any,
    background: Any,
    settings: Settings,
    scale: str,
    categories: str,
    options: MethodOptions,
) -> Explanation:
    """See `Policy.explain`."""
    table = policy.read(data)
    _require_row(row, table)
    question = asked_question(policy, decision, rule, why_not, scale, categories)
    smace = explainer_for(policy, background, table, settings)
    models = policy.models_for(policy.decisions)
    asked = row_of(policy.program, models, table, row, settings)
    methods = [method] if isinstance(method, str) else list(method)
    found = explain_row(smace, asked, row, question, methods, options, models)
    return Explanation(found, Asked(smace, asked, question, found, options))


def explain_batch(
    policy: Policy,
    data: Any,
    *,
    rows: Iterable[int] | None,
    decision: str | None,
    rule: str | None,
    why_not: Any,
    background: Any,
    settings: Settings,
    scale: str,
    categories: str,
) -> pandas.DataFrame:
    """See `Policy.explain_batch`."""
    table = policy.read(data)
    chosen = range(table.rows) if rows is None else [int(row) for row in rows]
    for row in chosen:
        _require_row(row, table)
    question = asked_question(policy, decision, rule, why_not, scale, categories)
    smace = explainer_for(policy, background, table, settings)
    models = policy.models_for(policy.decisions)
    asked = policy.program.decisions[question.decision]
    found = explain_rows(smace, models, table, chosen, settings, question, reasons=bool(asked.adverse))
    return contribution_frame(found, asked, policy.program.features_of([asked.name]))


def overview(
    policy: Policy,
    data: Any,
    by: str | None,
    decision: str | None,
    background: Any,
    settings: Settings,
    sample: int | None,
    scale: str,
    categories: str,
) -> Overview:
    """See `Policy.overview`."""
    table = policy.read(data)
    question = asked_question(policy, decision, None, None, scale, categories)
    smace = explainer_for(policy, background, table, settings)
    models = policy.models_for(policy.decisions)
    if by is not None and by not in policy.features:
        hint = did_you_mean(by, policy.features)
        raise UnknownNameError(f"there is no feature `{by}` to group rows by" + (f"; {hint}" if hint else ""))
    groups = None if by is None else policy.read(data, decisions=[by])
    return Overview(over_rows(smace, models, table, settings, question, sample, by, groups))


def asked_question(
    policy: Policy, decision: str | None, rule: str | None, why_not: Any, scale: str, categories: str
) -> Question:
    """The question as it was typed, checked."""
    name = policy.decision_named(decision)
    return Question(
        name,
        rule,
        None if why_not is None else outcome_asked(policy.decisions[name], why_not),
        _choice("scale", scale, get_args(ScaleChoice)),
        _choice("categories", categories, get_args(CategoryChoice)),
    )


def _require_row(row: int, table: Table) -> None:
    if not 0 <= row < table.rows:
        raise UnknownNameError(f"there is no row {row}: the data has {table.rows} rows, counted from 0")


def explainer_for(policy: Policy, background: Any, table: Table, settings: Settings) -> Smace:
    """The explainer over the background given, else the policy's own (kept with the policy), else the data's rows."""
    models = policy.models_for(policy.decisions)
    if background is not None:
        given = Background(policy.program, models, policy.read(background), settings)
        return Smace(policy.program, given, settings.seed)
    if policy.program.background is not None:
        key = (settings.today, settings.seed, tuple(sorted(settings.transparency.items())))
        if key not in policy.explainers:
            own = Background(policy.program, models, policy.background_table, settings)
            policy.explainers[key] = Smace(policy.program, own, settings.seed)
        return policy.explainers[key]
    rows = Background(policy.program, models, table, settings) if table.rows > 1 else None
    return Smace(policy.program, rows, settings.seed)


def _choice(name: str, given: str, known: tuple[Any, ...]) -> Any:
    if given not in known:
        raise DataError(f"{name} is `{given}`; it can be {' or '.join(known)}")
    return given
