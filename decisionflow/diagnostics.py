"""Messages about a policy: values that know where they are and how to draw themselves."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Literal

from decisionflow.frozen import frozen
from decisionflow.source import Span

Severity = Literal["error", "warning"]
WIDEST_LINE = 160


@frozen
class Note:
    """A second place that matters to a message."""

    span: Span
    text: str


@frozen
class Diagnostic:
    """One mistake, or one lint: a stable code, a place, what is wrong, what to try."""

    code: str
    span: Span | None
    message: str
    help: str = ""
    notes: tuple[Note, ...] = ()
    severity: Severity = "error"

    def __str__(self) -> str:
        lines = [f"{self.severity}[{self.code}]: {self.message}"]
        if self.span is not None:
            lines += _excerpt(self.span)
        for note in self.notes:
            lines += [f"note: {note.text}", *_excerpt(note.span)]
        if self.help:
            lines.append(f"help: {self.help}")
        return "\n".join(lines)


@frozen
class Explanation:
    """What `explain-error` shows of a code: what it is about, a failing example, and the same one mended."""

    code: str
    title: str
    failing: str
    mended: str


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate that a reader most likely meant, if any is near enough; case counts last."""
    import difflib

    by_folded = {candidate.casefold(): candidate for candidate in candidates}
    found = difflib.get_close_matches(name.casefold(), by_folded, n=1, cutoff=0.6)
    return by_folded[found[0]] if found else None


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    """`did you mean …?`, or an empty text where nothing is near."""
    found = nearest(name, candidates)
    return f"did you mean `{found}`?" if found is not None else ""


def _excerpt(span: Span) -> list[str]:
    line, column = span.source.position(span.start)
    text = span.source.line(line)
    length = max(1, min(span.end, span.start + len(text) - column + 1) - span.start)
    skipped = max(0, column - 1 - WIDEST_LINE // 2) if len(text) > WIDEST_LINE else 0
    shown = text[skipped : skipped + WIDEST_LINE]
    before, marked = text[skipped : column - 1], text[column - 1 : column - 1 + length]
    carets = "^" * max(1, min(_width(marked), WIDEST_LINE - _width(before)))
    gutter = " " * len(str(line))
    lead = "…" if skipped else ""
    tail = "…" if skipped + WIDEST_LINE < len(text) else ""
    indent = "".join("\t" if letter == "\t" else " " * _width(letter) for letter in lead + before)
    return [
        f"{gutter}--> {span.place}",
        f"{gutter} |",
        f"{line} | {lead}{_visible(shown)}{tail}",
        f"{gutter} | {indent}{carets}",
    ]


def _visible(text: str) -> str:
    return "".join(
        letter if letter == "\t" or unicodedata.category(letter)[0] != "C" else "\N{REPLACEMENT CHARACTER}"
        for letter in text
    )


def _width(text: str) -> int:
    """Columns that a terminal gives the text: wide letters take two, combining marks none."""
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )
