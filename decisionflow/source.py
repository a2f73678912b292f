"""Places in a text."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property

from decisionflow.frozen import frozen


@dataclass(frozen=True)
class Source:
    """A text with the name that a reader knows it by."""

    name: str
    text: str = field(repr=False)

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(index + 1 for index, letter in enumerate(self.text) if letter == "\n")]

    @property
    def file(self) -> str:
        """The path of the file that holds the text."""
        return self.name

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of a character, both counted from one."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def place(self, offset: int) -> str:
        """`file:line:column` of a character, as editors read it."""
        line, column = self.position(offset)
        return f"{self.name}:{line}:{column}"

    def line(self, number: int) -> str:
        """The text of a line, its end left out."""
        start = self._starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : len(self.text) if end < 0 else end].rstrip("\r")


@frozen
class Span:
    """Characters `start` up to, not including, `end` of a source."""

    source: Source = field(repr=False)
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    @property
    def line(self) -> int:
        return self.source.position(self.start)[0]

    @property
    def place(self) -> str:
        """`file:line:column`, as editors read it."""
        return self.source.place(self.start)

    def to(self, other: Span) -> Span:
        """From the start of this span to the end of the other."""
        return Span(self.source, self.start, max(self.end, other.end))
