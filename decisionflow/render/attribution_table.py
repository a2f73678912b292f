"""SHAP, LIME and Shapley values in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from decisionflow.render.bars import bar
from decisionflow.render.wording import value_text

if TYPE_CHECKING:
    from rich.console import RenderableType

MOST_FEATURES = 12


def attribution_table(name: str, part: Mapping[str, Any]) -> Iterator[RenderableType]:
    """A bar for each feature, and how the numbers came about."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    about = f"of model {part['of']}" if part["of"] else f"of the decision being {value_text(part['outcome'])}"
    yield Text(f"{name} {about}: {part['base']:.4g} on average, {part['value']:.4g} here", style="bold")
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    intervals = part["intervals"] or {}
    for head in ("feature", "contribution", "", *(["95 % interval"] if intervals else [])):
        table.add_column(head, justify="right" if head == "contribution" else "left")
    ranked = sorted(part["phi"].items(), key=lambda item: -abs(item[1]))
    shown = [item for item in ranked if item[1]][:MOST_FEATURES]
    for feature, phi in shown:
        ends = [f"{low:+.4f} to {high:+.4f}" for low, high in [intervals[feature]]] if intervals else []
        table.add_row(Text(feature), f"{phi:+.4f}", bar(phi, abs(shown[0][1])), *ends)
    yield table
    rest = sum(1 for _, phi in ranked if phi) - len(shown)
    if rest > 0:
        yield Text(f"  and {rest} more, each smaller", style="dim")
    yield Text(_made(part), style="dim")


def _made(part: Mapping[str, Any]) -> str:
    words = [f"{part['attribution']} on {part['output']}", "exact" if part["exact"] else "estimated"]
    if part["standard_error"] is not None:
        words.append(f"standard error {part['standard_error']:.2g}")
    words.append(f"{part['background_rows']} of {part['rows_given']} background rows")
    if part["seed"] is not None:
        words.append(f"seed {part['seed']}")
    if part["undecided_share"]:
        words.append(f"{part['undecided_share']:.1%} of the rows tried were not decided and count as 0")
    if part["fidelity"] is not None:
        words.append(f"the local model explains {part['fidelity']:.0%} of the variance")
    if "stability" in part:
        stable = part["stability"]
        words.append(f"top {stable['top']} features agree to {stable['agreement']:.0%} over {stable['runs']} runs")
    return ", ".join(words)
