"""What all pictures share: colours, words, and how a figure becomes bytes."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Literal

from decisionflow.explain.explanation import Explanation, FeaturePart
from decisionflow.render.wording import value_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PictureFormat = Literal["png", "svg"]
SUPPORTS, OPPOSES, QUIET = "#2b6cb0", "#c05621", "#444444"
MOST_FEATURES = 20


def picture_bytes(figure: Figure, form: PictureFormat) -> bytes:
    """The picture as a file holds it, without the date or the names of tools."""
    from matplotlib import rc_context

    page = BytesIO()
    with rc_context({"svg.hashsalt": "decisionflow", "svg.fonttype": "none"}):
        metadata = {"Date": None} if form == "svg" else {"Software": None}
        figure.savefig(page, format=form, dpi=150, bbox_inches="tight", metadata=metadata)
    return page.getvalue()


def bare(axes: Axes) -> None:
    """Axes without a frame, but for the line below."""
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)


def feature_label(part: FeaturePart) -> str:
    """A feature and its value."""
    return f"{part.feature} = {value_text(part.value)}"


def answer_title(explanation: Explanation) -> str:
    """The row and what was decided about it."""
    outcome = explanation.outcome
    answer = value_text(outcome.value) if outcome.status == "decided" else outcome.status
    by = f" by {outcome.rule}" if outcome.rule else ""
    return f"{explanation.policy}, row {explanation.row}: {explanation.decision} = {answer}{by}"
