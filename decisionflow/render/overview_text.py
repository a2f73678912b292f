"""An overview in the terminal: rules, features, segments and boundaries as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import StringIO
from typing import TYPE_CHECKING

from decisionflow.explain.global_view import FeatureLoad, Overview
from decisionflow.render.bars import bar

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table
    from rich.text import Text

MOST_FEATURES = 12


def overview_text(overview: Overview, width: int = 100) -> str:
    """The overview as plain text."""
    from rich.console import Console

    page = StringIO()
    print_overview(overview, Console(file=page, width=width, highlight=False, color_system=None))
    return page.getvalue()


def print_overview(overview: Overview, console: Console) -> None:
    """Write the overview to a console, in colour where it has any."""
    for part in _parts(overview):
        console.print(part)


def _parts(overview: Overview) -> Iterator[RenderableType]:
    from rich.text import Text

    yield Text(f"{overview.policy}, {overview.rows} rows: {overview.decision}", style="bold")
    counted = [*overview.outcomes.items(), *((name, n) for name, n in overview.statuses.items() if name != "decided")]
    yield Text("  " + ", ".join(f"{name} {count} ({_share(count, overview.rows)})" for name, count in counted))
    yield _rules(overview)
    yield _features(f"What mattered, over {len(overview.contributions)} rows", overview.loads)
    for label, loads in overview.by_segment.items():
        yield _features(f"Where {overview.settings['by']} is {label}", loads)
    if overview.boundaries:
        yield _boundaries(overview)


def _rules(overview: Overview) -> RenderableType:
    table = _table("Rules", ("rule", "reached", "fired", "of all rows"), 1)
    for load in overview.rules:
        table.add_row(_text(load.rule), str(load.reached), str(load.fired), _share(load.fired, overview.rows))
    return table


def _features(title: str, loads: Sequence[FeatureLoad]) -> RenderableType:
    table = _table(title, ("feature", "mean size", "mean", "rows with one", ""), 1)
    largest = loads[0].mean_size if loads else 1.0
    for load in loads[:MOST_FEATURES]:
        size = bar(load.mean_size, largest)
        table.add_row(_text(load.feature), f"{load.mean_size:.3f}", f"{load.mean:+.3f}", f"{load.share:.1%}", size)
    return table


def _boundaries(overview: Overview) -> RenderableType:
    near = f"within {overview.settings['near']:.0%} of the scale"
    table = _table("Rows near each boundary", ("rule", "condition", "known", near), 2)
    for load in overview.boundaries:
        table.add_row(_text(load.rule), _text(load.condition), str(load.rows), f"{load.near:.1%}")
    return table


def _table(title: str, heads: Sequence[str], left: int) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, title=_text(title), title_justify="left", title_style="bold", pad_edge=False)
    for place, head in enumerate(heads):
        table.add_column(head, justify="left" if place < left or not head else "right")
    return table


def _text(words: str) -> Text:
    from rich.text import Text

    return Text(words)


def _share(count: int, rows: int) -> str:
    return f"{count / rows:.1%}" if rows else "–"
