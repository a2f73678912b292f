"""Contributions as a bar chart in SVG, for a page."""

from __future__ import annotations

from collections.abc import Sequence

from decisionflow.render.html_elements import element, plain

WIDTH, LABELS, ROW, BAR = 760, 250, 26, 16
WIDEST_LABEL = 34
ROOM = 70
"""What a number beside a bar needs."""


def bar_chart(identity: str, title: str, bars: Sequence[tuple[str, float]]) -> str:
    """A bar for each name and amount: to the right and filled above zero, to the left and striped below.

    The description says every number, for readers who do not see the bars.
    """
    height = ROW * len(bars) + 8
    low, high = min(0.0, *(amount for _, amount in bars)), max(0.0, *(amount for _, amount in bars))
    scale = (WIDTH - LABELS - 2 * ROOM) / ((high - low) or 1.0)
    zero = LABELS + ROOM - low * scale
    said = "; ".join(f"{name} {amount:+.3f}" for name, amount in bars)
    parts = [
        element("title", plain(title), id=f"{identity}-title"),
        element("desc", plain(said), id=f"{identity}-said"),
        _stripes(),
        *(_bar(place, name, amount, zero, scale) for place, (name, amount) in enumerate(bars)),
        element("line", x1=f"{zero:.1f}", x2=f"{zero:.1f}", y1=0, y2=height, class_="axis"),
    ]
    box = {"viewBox": f"0 0 {WIDTH} {height}", "role": "img"}
    return element("svg", *parts, **box, aria_labelledby=f"{identity}-title", aria_describedby=f"{identity}-said")


def _bar(place: int, name: str, amount: float, zero: float, scale: float) -> str:
    top, length = 4 + place * ROW, abs(amount) * scale
    start = zero if amount > 0 else zero - length
    middle = top + BAR / 2 + 4.5
    side, end = ("start", start + length + 6) if amount > 0 else ("end", start - 6)
    label = name if len(name) <= WIDEST_LABEL else name[: WIDEST_LABEL - 1] + "…"
    kind = "for" if amount > 0 else "against"
    return (
        element("text", plain(label), x=LABELS - 8, y=f"{middle:.1f}", text_anchor="end")
        + element("rect", x=f"{start:.1f}", y=top, width=f"{length:.1f}", height=BAR, class_=kind)
        + element("text", f"{amount:+.3f}", x=f"{end:.1f}", y=f"{middle:.1f}", text_anchor=side)
    )


def _stripes() -> str:
    line = element("line", x1=0, y1=0, x2=0, y2=6, class_="stripe")
    pattern = {"id": "against", "width": 6, "height": 6}
    turned = element("pattern", line, **pattern, patternUnits="userSpaceOnUse", patternTransform="rotate(45)")
    return element("defs", turned)
