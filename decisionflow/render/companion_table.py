"""A companion rule list's two answers in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from decisionflow.render.attribution_table import attribution_table
from decisionflow.render.wording import margin_text, value_text

if TYPE_CHECKING:
    from rich.console import RenderableType


def companion_table(part: Mapping[str, Any]) -> Iterator[RenderableType]:
    """Rule and black box side by side; for an uncovered row the nearest rule; then what moved the black box."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    yield Text("Two answers to choose from" if part["rule"] else "No rule applies", style="bold")
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for head in ("", "answer", "accuracy on such rows", "given"):
        table.add_column(head, justify="right" if head == "accuracy on such rows" else "left")
    rule, black_box = part["rule"], part["black_box"]
    if rule:
        table.add_row(*_cells(f"rule {rule['rule']}", rule, part["answered_by"] == rule["rule"]))
    table.add_row(*_cells(f"black box {black_box['name']}", black_box, part["answered_by"] == black_box["name"]))
    yield table
    if part["failed_rules"] and rule:
        yield Text("  Earlier rules that did not apply: " + ", ".join(part["failed_rules"]), style="dim")
    if part["nearest_rule"]:
        yield Text(_nearest(part["nearest_rule"]))
    for name, attribution in black_box["attributions"].items():
        yield from attribution_table(f"What moved {name}:", attribution)


def _cells(name: str, answer: Mapping[str, Any], given: bool) -> list[RenderableType]:
    from rich.text import Text

    accuracy = "" if answer["accuracy"] is None else f"{answer['accuracy']:.1%}"
    shown = value_text(answer["value"]) if not answer.get("problem") else answer["problem"]
    return [Text(name), Text(shown), accuracy, "✓" if given else ""]


def _nearest(nearest: Mapping[str, Any]) -> str:
    margins = nearest["margins"].items()
    parts = [name if margin is None else f"{name} by {margin_text(margin)}" for name, margin in margins]
    words = [f"  The nearest rule is {nearest['rule']} ({value_text(nearest['value'])})"]
    words.append(f"distance {nearest['distance']:.4g}")
    if parts:
        words.append("missed on " + " and ".join(parts))
    if nearest["unknown"]:
        words.append("unknown on " + " and ".join(nearest["unknown"]))
    return ", ".join(words)
