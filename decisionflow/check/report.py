"""The diagnostics of one run, collected."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from decisionflow.diagnostics import Diagnostic


@dataclass
class Report:
    """Mistakes found so far; the one thing that the steps of a check change."""

    found: list[Diagnostic] = field(default_factory=list)

    def add(self, diagnostic: Diagnostic) -> None:
        """Keep a mistake and go on."""
        self.found.append(diagnostic)

    def sorted(self, files: Iterable[str] = ()) -> tuple[Diagnostic, ...]:
        """All of them by place: files in the order given, then others; those without a place first."""
        rank = {name: number for number, name in enumerate(files)}
        return tuple(sorted(self.found, key=lambda item: _place(item, rank)))


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether any of them keeps a policy from loading."""
    return any(diagnostic.severity == "error" for diagnostic in diagnostics)


def _place(diagnostic: Diagnostic, rank: dict[str, int]) -> tuple[int, str, int, str]:
    if diagnostic.span is None:
        return -1, "", 0, diagnostic.code
    source = diagnostic.span.source.name
    return rank.get(source, len(rank)), source, diagnostic.span.start, diagnostic.code
