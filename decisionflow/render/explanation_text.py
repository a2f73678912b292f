"""An explanation in the terminal: the answer, the path to it, and a bar for each feature's contribution."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from io import StringIO
from itertools import groupby
from typing import TYPE_CHECKING, Any

from decisionflow.explain.explanation import Condition, Explanation, FeaturePart
from decisionflow.render.anchor_lines import anchor_lines
from decisionflow.render.attribution_table import attribution_table
from decisionflow.render.bars import bar
from decisionflow.render.companion_table import companion_table
from decisionflow.render.local_rules_table import local_rules_table
from decisionflow.render.nearest_change_text import certificate_text, nearest_change_text
from decisionflow.render.wording import margin_text, value_text

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

METHODS: dict[str, Callable[[Any], Iterator[RenderableType]]] = {
    "companion": companion_table,
    "shap": partial(attribution_table, "SHAP"),
    "shapley": partial(attribution_table, "Shapley values"),
    "lime": partial(attribution_table, "LIME"),
    "local_rules": local_rules_table,
    "anchor": anchor_lines,
    "nearest_change": nearest_change_text,
    "certificate": certificate_text,
}
"""What draws the part of each further method."""

MOST_FEATURES = 12
MOST_ALIKE = 4
MARKS = {"true": "✓", "false": "✗", "unknown": "?", "error": "!", "not evaluated": "·"}
STYLES = {"true": "green", "false": "red", "unknown": "yellow", "error": "bold red", "not evaluated": "dim"}


def explanation_text(explanation: Explanation, width: int = 100) -> str:
    """The explanation as plain text."""
    from rich.console import Console

    page = StringIO()
    print_explanation(explanation, Console(file=page, width=width, highlight=False, color_system=None))
    return page.getvalue()


def print_explanation(explanation: Explanation, console: Console) -> None:
    """Write the explanation to a console, in colour where it has any."""
    for part in _parts(explanation):
        console.print(part)


def _parts(explanation: Explanation) -> Iterator[RenderableType]:
    yield from _answer(explanation)
    if explanation.conditions:
        yield _path(explanation)
    if explanation.target_rule is not None:
        yield from _contributions(explanation)
    yield from _notes(explanation)
    for key, draw in METHODS.items():
        if key in explanation.added:
            yield from draw(explanation.added[key])


def _answer(explanation: Explanation) -> Iterator[RenderableType]:
    from rich.text import Text

    outcome = explanation.outcome
    answer = value_text(outcome.value) if outcome.status == "decided" else outcome.status
    by = f"   by {outcome.rule}" if outcome.rule else ""
    yield Text.assemble(
        (f"{explanation.policy}, row {explanation.row}: ", ""), (f"{explanation.decision} = {answer}", "bold"), by
    )
    for reason in outcome.reasons:
        yield Text(f"  {reason.code}  {reason.text}")
    if outcome.problem:
        yield Text(f"  {outcome.problem}", style="red")
    if explanation.customer_reasons:
        yield Text("The customer is told", style="bold")
    for place, told in enumerate(explanation.customer_reasons, 1):
        origin = f"  (from {told.feature})" if told.feature is not None else ""
        yield Text.assemble(f"  {place}. {told.code}  {told.text}", (origin, "dim"))


def _path(explanation: Explanation) -> RenderableType:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, title="Rules met", title_justify="left", title_style="bold", pad_edge=False)
    for head in ("rule", "", "condition", "value", "distance to the boundary"):
        table.add_column(head, justify="right" if head in ("value", "distance to the boundary") else "left")
    before = ""
    for found, alike in _shortened(explanation.conditions):
        mark = Text(MARKS[found.truth], style=STYLES[found.truth])
        rule = Text("" if found.rule == before else found.rule)
        if alike:
            table.add_row("", mark, Text(f"and {alike} more, each {found.truth}", style="dim"), "", "")
        else:
            table.add_row(rule, mark, Text(found.text), Text(_value(found)), margin_text(found.margin))
        before = found.rule
    return table


def _shortened(conditions: tuple[Condition, ...]) -> Iterator[tuple[Condition, int]]:
    """The conditions with 0; in place of a long run that says the same, its third with how many are left.

    Only conditions without a distance are left out: whether thirty values are there is one thing to say.
    """
    for _, run in groupby(conditions, lambda found: (found.rule, found.truth, found.margin is None)):
        alike = list(run)
        shown = 2 if alike[0].margin is None and len(alike) > MOST_ALIKE else len(alike)
        yield from ((found, 0) for found in alike[:shown])
        if shown < len(alike):
            yield alike[shown], len(alike) - shown


def _value(found: Condition) -> str:
    if found.truth == "not evaluated":
        return "not evaluated"
    return found.because or value_text(found.value)


def _contributions(explanation: Explanation) -> Iterator[RenderableType]:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    shown = [part for part in explanation.largest_first() if part.total][:MOST_FEATURES]
    fired = explanation.target_rule in explanation.outcome.rules
    asked = "What holds the rule" if fired else "What speaks for (+) and against (−) the rule"
    title = f"{asked} {explanation.target_rule}"
    table = Table(box=box.SIMPLE_HEAD, title=Text(title), title_justify="left", title_style="bold", pad_edge=False)
    for head in ("feature", "value", "total", "", "own", "through"):
        table.add_column(head, justify="right" if head in ("value", "total", "own") else "left")
    largest = max((abs(part.total) for part in shown), default=1.0)
    for part in shown:
        table.add_row(*_cells(part, largest))
    yield table
    rest = sum(1 for part in explanation.contributions if part.total) - len(shown)
    if rest > 0:
        yield Text(f"  and {rest} more, each smaller", style="dim")


def _cells(part: FeaturePart, largest: float) -> list[RenderableType]:
    from rich.text import Text

    via = ", ".join(f"{name} {amount:+.3f}" for name, amount in part.via.items() if amount)
    own = f"{part.direct:+.3f}" if part.direct else ""
    return [
        Text(part.feature),
        Text(value_text(part.value)),
        f"{part.total:+.3f}",
        bar(part.total, largest),
        own,
        Text(via),
    ]


def _notes(explanation: Explanation) -> Iterator[RenderableType]:
    from rich.text import Text

    if explanation.never_holds:
        names = ", ".join(explanation.never_holds)
        yield Text(f"Rule {explanation.target_rule} can never hold: its conditions on {names} contradict each other.")
    if explanation.unknown:
        yield Text("Unknown, so without a contribution: " + ", ".join(explanation.unknown))
    for name, found in explanation.attributions.items():
        kind = "exact" if found.exact else f"estimated, standard error {found.standard_error or 0:.2g}"
        value = value_text(explanation.model_values.get(name))
        yield Text(
            f"{name} = {value}: attribution {found.method} on {found.output}, {kind}, "
            f"over {found.background_rows} rows",
            style="dim",
        )
        if found.intervals is not None:
            ends = (f"{used} {low:+.3g} to {high:+.3g}" for used, (low, high) in found.intervals.items())
            yield Text("  95 % intervals: " + ", ".join(ends), style="dim")
