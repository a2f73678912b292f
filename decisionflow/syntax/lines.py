"""Lines of canonical text, each of which knows the characters of the source that it says anew."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from decisionflow.frozen import frozen
from decisionflow.source import Span

WIDEST = 120
"""Characters of a line beyond which it is broken, where it can be."""

WIDEST_NAME = 28
"""The longest name that others are aligned with."""


@frozen
class Line:
    """A line of text; `begins` with the first of an element's lines, `gap` where a blank line stands before it."""

    text: str
    indent: int
    span: Span
    begins: bool = True
    gap: bool = False

    def __str__(self) -> str:
        return " " * self.indent + self.text


def width(text: str) -> int:
    """How wide a text is shown; combining marks take no room, wide letters two."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )


def padded(text: str, to: int) -> str:
    return text + " " * (to - width(text))


def common_width(names: Iterable[str]) -> int:
    """How far names are padded to stand in one column; the longest ones stand out."""
    return max((width(name) for name in names if width(name) <= WIDEST_NAME), default=0)


def filled(items: Sequence[str], room: int) -> list[str]:
    """Items, commas between them, broken into lines of at most so many characters."""
    lines = [""]
    for place, item in enumerate(items):
        piece = item + ("," if place < len(items) - 1 else "")
        if lines[-1] and width(lines[-1]) + 1 + width(piece) > room:
            lines.append(piece)
        else:
            lines[-1] = f"{lines[-1]} {piece}" if lines[-1] else piece
    return lines


def broken(first: str, items: Sequence[str], indent: int, span: Span) -> list[Line]:
    """`first` and a list of items after it, aligned under the first of them where they need more lines."""
    start = width(first) + 1
    lines = filled(items, WIDEST - indent - start)
    return [
        Line(f"{first} {line}", indent, span) if place == 0 else Line(line, indent + start, span, begins=False)
        for place, line in enumerate(lines)
    ]
