"""The diagnostics of one run, collected."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from decisionflow.check.excerpts import excerpt
from decisionflow.diagnostics import Diagnostic, Note

UNKNOWN = ("DF0201", "DF0206")
MOST_OTHERS = 3


@dataclass
class Report:
    """Mistakes found so far; the one thing that the steps of a check change."""

    found: list[Diagnostic] = field(default_factory=list)

    def add(self, diagnostic: Diagnostic) -> None:
        """Keep a mistake and go on."""
        self.found.append(diagnostic)

    def sorted(self, files: Iterable[str] = ()) -> tuple[Diagnostic, ...]:
        """All of them by place: files in the order given, then others; those without a place first.

        A word that is unknown in several places is one mistake: the first place tells of the others.
        """
        rank = {name: number for number, name in enumerate(files)}
        return tuple(_joined(sorted(self.found, key=lambda item: _place(item, rank))))


def _joined(found: Iterable[Diagnostic]) -> Iterable[Diagnostic]:
    groups: dict[tuple[str, ...], list[Diagnostic]] = {}
    for number, item in enumerate(found):
        key = (item.code, item.message, item.help) if item.code in UNKNOWN else (str(number),)
        groups.setdefault(key, []).append(item)
    return [_with_others(first, others) for first, *others in groups.values()]


def _with_others(first: Diagnostic, others: list[Diagnostic]) -> Diagnostic:
    spans = [other.span for other in others if other.span is not None and other.span != first.span]
    more = f", and in {len(spans) - MOST_OTHERS} more places" if len(spans) > MOST_OTHERS else ""
    notes = [Note(span, f"`{excerpt(span)}` stands here too") for span in spans[:MOST_OTHERS]]
    if more:
        notes[-1] = Note(notes[-1].span, notes[-1].text + more)
    return replace(first, notes=first.notes + tuple(notes))


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether any of them keeps a policy from loading."""
    return any(diagnostic.severity == "error" for diagnostic in diagnostics)


def _place(diagnostic: Diagnostic, rank: dict[str, int]) -> tuple[int, str, tuple[int, int], str]:
    if diagnostic.span is None:
        return -1, "", (0, 0), diagnostic.code
    source = diagnostic.span.source
    line, column = source.position(diagnostic.span.start)
    return rank.get(source.name, len(rank)), source.name, (line, column), diagnostic.code
