"""Local rules in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from decisionflow.render.wording import value_text

if TYPE_CHECKING:
    from rich.console import RenderableType

TITLES = {
    "supporting": "Local patterns that are true here and agree",
    "contradicting": "Local patterns that are true here and disagree",
    "hypothetically supporting": "Local patterns that are not true here and would agree",
    "hypothetically contradicting": "Local patterns that are not true here and would disagree",
}
MOST_RULES = 5


def local_rules_table(rules: Sequence[Mapping[str, Any]]) -> Iterator[RenderableType]:
    """A table for each kind of rule, the best first by the measure that stands in its third column."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    if not rules:
        yield Text("No local rule is productive and significant around this row.", style="dim")
    for kind, group in groupby(rules, lambda rule: str(rule["kind"])):
        found = list(group)
        yield Text(TITLES[kind], style="bold")
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        table.add_column("conditions")
        table.add_column("then")
        for head in (str(found[0]["ranked_by"]), "covers", "holds in", "p"):
            table.add_column(head, justify="right")
        table.add_column("tried on this row")
        for rule in found[:MOST_RULES]:
            table.add_row(*_cells(rule))
        yield table
        if len(found) > MOST_RULES:
            yield Text(f"  and {len(found) - MOST_RULES} more", style="dim")


def _cells(rule: Mapping[str, Any]) -> list[RenderableType]:
    from rich.text import Text

    return [
        Text(rule["conditions"]),
        Text(value_text(rule["class"])),
        f"{rule['measures'][rule['ranked_by']]:.3g}",
        f"{rule['measures']['coverage']:.1%}",
        f"{rule['hits'] / rule['covered']:.1%}",
        f"{rule['p_value']:.2g}",
        Text(_tried(rule)),
    ]


def _tried(rule: Mapping[str, Any]) -> str:
    if rule["flips"] is None:
        return ""
    moved = ", ".join(f"{change['feature']} to {value_text(change['to'])}" for change in rule["changes"])
    becomes = f"becomes {value_text(rule['becomes'])}" if rule["flips"] else "changes nothing"
    return f"{moved}: {becomes}" + ("" if rule["permitted"] else ", but may not change so")
