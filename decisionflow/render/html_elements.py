"""Pieces of HTML whose every text is escaped: names, labels, values and texts of policies and data are untrusted."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from html import escape

TURNS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that turn the direction of what follows them."""


def plain(text: object) -> str:
    """A text as it may stand anywhere in a page; what cannot be seen, or would turn its neighbours round, is `�`."""
    return escape("".join("\N{REPLACEMENT CHARACTER}" if _is_hidden(letter) else letter for letter in str(text)))


def shown(text: object) -> str:
    """A text of a policy or of data: its writing direction is its own."""
    return f"<bdi>{plain(text)}</bdi>" if str(text) else ""


def element(name: str, *children: str, **attributes: object) -> str:
    """An element with children that are HTML already; `_` ends names that are Python's, and stands for `-` within."""
    pairs = ((key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items() if value is not None)
    written = "".join(f' {key}="{plain(value)}"' for key, value in pairs)
    return f"<{name}{written}>{''.join(children)}</{name}>"


def section(identity: str, title: str, *children: str) -> str:
    """A landmark with its heading."""
    heading = element("h2", plain(title), id=identity)
    return element("section", heading, *children, aria_labelledby=identity)


def table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[int] = ()) -> str:
    """A table whose first column heads its rows; cells are HTML, those of the columns `numbers` stand to the right."""
    kinds = dict.fromkeys(numbers, "number")
    top = [element("th", plain(head), scope="col", class_=kinds.get(place)) for place, head in enumerate(heads)]
    body = [
        element("tr", element("th", row[0], scope="row"), *_cells(row[1:], kinds)) if row[0] else _continued(row, kinds)
        for row in rows
    ]
    inner = element("table", element("caption", plain(caption)), element("thead", element("tr", *top)))
    inner = inner.removesuffix("</table>") + element("tbody", *body) + "</table>"
    return element("div", inner, class_="wide", tabindex=0, role="region", aria_label=caption)


def terms(pairs: Mapping[str, str]) -> str:
    """Terms and what they are; the values are HTML."""
    return element("dl", *(element("dt", plain(term)) + element("dd", value) for term, value in pairs.items()))


def listed(items: Iterable[str], name: str = "ul") -> str:
    """A list of items that are HTML."""
    return element(name, *(element("li", item) for item in items))


def _cells(cells: Sequence[str], kinds: Mapping[int, str]) -> list[str]:
    return [element("td", cell, class_=kinds.get(place)) for place, cell in enumerate(cells, 1)]


def _continued(row: Sequence[str], kinds: Mapping[int, str]) -> str:
    """A row that goes on under the same head."""
    return element("tr", element("td"), *_cells(row[1:], kinds))


def _is_hidden(letter: str) -> bool:
    return letter in TURNS or (unicodedata.category(letter) in ("Cc", "Cs") and letter not in "\n\t")
