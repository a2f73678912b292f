"""A signed number as a bar of characters."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.text import Text

BAR = 20


def bar(amount: float, largest: float) -> Text:
    """As long as the number's share of the largest; filled and green above zero, hatched and red below."""
    from rich.text import Text

    length = max(1, round(BAR * abs(amount) / largest)) if largest else 1
    return Text(("█" if amount > 0 else "▒") * length, style="green" if amount > 0 else "red")
