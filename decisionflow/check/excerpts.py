"""Parts of a policy's text, short enough to stand inside a message."""

from __future__ import annotations

from decisionflow.source import Span

LONGEST = 60


def excerpt(span: Span | None, otherwise: str = "") -> str:
    """The text of a place on one line, its end left out where it is long; `otherwise` where there is no place."""
    if span is None:
        return otherwise
    text = " ".join(span.text[: 20 * LONGEST].split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"
