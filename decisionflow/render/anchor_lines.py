"""An anchor in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from decisionflow.render.wording import value_text

if TYPE_CHECKING:
    from rich.console import RenderableType


def anchor_lines(part: Mapping[str, Any]) -> Iterator[RenderableType]:
    """What is enough for the outcome, how surely, and for how many rows."""
    from rich.text import Text

    enough = "What is enough for" if part["certain"] else "Nothing found is surely enough for; nearest to"
    yield Text(f"{enough} {value_text(part['outcome'])}:", style="bold")
    for condition in part["conditions"] or ["nothing at all: nearly every row gets it"]:
        yield Text(f"  {condition}")
    low, high = part["bound"]
    sure = "counted" if part["exact"] else f"between {low:.1%} and {high:.1%} by {part['rows']} rows drawn"
    yield Text(
        f"  {part['precision']:.1%} of the rows changed so get the same outcome ({sure}); "
        f"{part['coverage']:.1%} of the {part['background_rows']} background rows are so",
        style="dim",
    )
