"""How a value is shown to a reader; a sensitive one only as far as its feature allows."""

from __future__ import annotations

import unicodedata
from datetime import date, datetime
from typing import Any

from decisionflow.program.declarations import Feature

MASK = "***"
WIDEST_VALUE = 80


def mask(feature: Feature, text: str) -> str:
    """The text as it may be shown: of a sensitive feature three stars and the last `kept` characters.

    A text that has no more than `kept` characters shows none of them, and the stars do not tell its length.
    """
    if not feature.sensitive:
        return text
    return MASK + (text[-feature.kept :] if 0 < feature.kept < len(text) else "")


def shown(feature: Feature, cell: Any) -> str:
    """A cell as messages show it: texts in quotes, numbers by their shortest decimal, sensitive values masked."""
    if isinstance(cell, str):
        return f'"{mask(feature, _printable(cell))}"'
    return mask(feature, _printable(plain_text(cell)))


def plain_text(cell: Any) -> str:
    """A value without quotes, as a policy or a CSV file would write it."""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return number_text(cell)
    if isinstance(cell, datetime):
        return cell.isoformat().replace("+00:00", "Z")
    try:
        return cell.isoformat() if isinstance(cell, date) else str(cell)
    except Exception:  # whatever the object's own code raises: it is a bad value, not an error
        return f"a {type(cell).__name__}"


def number_text(value: float) -> str:
    """The shortest decimal that reads as the same number, without a needless `.0`."""
    return repr(float(value) + 0.0).removesuffix(".0")


def _printable(text: str) -> str:
    short = text if len(text) <= WIDEST_VALUE else text[: WIDEST_VALUE - 1] + "…"
    return "".join(
        letter if unicodedata.category(letter)[0] != "C" else "\N{REPLACEMENT CHARACTER}" for letter in short
    )
