"""The nearest change in the terminal: what to change, what is decided then, and how sure it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from decisionflow.render.wording import range_text, value_text

if TYPE_CHECKING:
    from rich.console import RenderableType

SURE = {
    "optimal": "nothing cheaper does",
    "found": "found by search; nothing below {bound:.4g} does",
    "impossible": "no change of the permitted features does",
    "not found": "no change was found, and none is proved impossible",
}


def nearest_change_text(part: Mapping[str, Any]) -> Iterator[RenderableType]:
    """The proposals, cheapest first, or why there is none."""
    from rich.text import Text

    wanted = "another outcome" if part["to"] is None else value_text(part["to"])
    sure = SURE[part["status"]].format(bound=part["bound"] or 0.0)
    yield Text(f"Nearest change to {wanted}: {sure}", style="bold")
    if part["because"]:
        names = ", ".join(part["because"])
        yield Text(f"  {names} would have to change, and may not or has no value")
    if "at_most" in part:
        yield Text(f"  more than {part['at_most']} of the features would have to change at once")
    if part["decided"] is not None:
        yield from _proposals([part, *part["others"]])


def _proposals(proposals: list[Mapping[str, Any]]) -> Iterator[RenderableType]:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for head in ("feature", "from", "to", "cost", "then"):
        table.add_column(head, justify="left" if head in ("feature", "then") else "right")
    for proposal in proposals:
        decided = proposal["decided"]
        cost, then = f"{proposal['cost']:.4g}", f"{value_text(decided['value'])} by {decided['rule']}"
        for change in proposal["changes"] or [{"feature": "nothing", "from": None, "to": None}]:
            values = (Text(value_text(change[side])) for side in ("from", "to"))
            table.add_row(Text(change["feature"]), *values, cost, Text(then))
            cost, then = "", ""
        table.add_section()
    yield table


def certificate_text(part: Mapping[str, Any]) -> Iterator[RenderableType]:
    """The box in which the decision stays, and how far each feature can go alone."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    yield Text(f"Stays {value_text(part['value'])}, proved, while", style="bold")
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for head in ("feature", "all of these hold", "or it alone changes within"):
        table.add_column(head)
    for feature, inside in part["box"].items():
        table.add_row(Text(feature), Text(range_text(inside)), Text(range_text(part["alone"][feature])))
    yield table
    if part["held"]:
        yield Text("  kept as they are, for what they go into cannot be opened: " + ", ".join(part["held"]))
