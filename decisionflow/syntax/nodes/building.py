"""What every action needs while a tree is built: the source, the limits, where mistakes go."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from decisionflow.diagnostics import Diagnostic
from decisionflow.source import Source, Span
from decisionflow.syntax.limits import Limits
from decisionflow.syntax.tokens import Token
from decisionflow.syntax.tree import Name, Text

Make = Callable[["Building", list[Any], Span], Any]
"""Makes a node from its parts and its place."""


@dataclass(slots=True)
class Building:
    """A tree in the making.

    `broken` holds the characters at which the parser met a mistake, `strange` those that have no meaning.
    """

    source: Source
    limits: Limits
    diagnostics: list[Diagnostic] = field(default_factory=list)
    broken: list[int] = field(default_factory=list)
    strange: tuple[int, ...] = ()

    def report(self, diagnostic: Diagnostic) -> None:
        """Collect a mistake, up to the limit."""
        if len(self.diagnostics) < self.limits.syntax_errors:
            self.diagnostics.append(diagnostic)

    def span(self, token: Token) -> Span:
        return Span(self.source, token.start, token.end)

    def name(self, token: Token) -> Name:
        """The name that a word spells, in backquotes or not."""
        return Name(spelled(token), token.text[0] == "`", self.span(token))

    def text(self, token: Token) -> Text:
        return Text(spelled(token), self.span(token))


def spelled(token: Token) -> str:
    """What a word or a text says, its quotes taken off, NFC."""
    text, quote = token.text, token.text[0]
    if quote in '"`' and len(text) > 1:
        text = text[1:-1].replace(quote * 2, quote)
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def described(token: Token | None) -> str:
    """The text of an optional description."""
    return "" if token is None else spelled(token)
