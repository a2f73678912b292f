"""An overview as Python users hold it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from decisionflow.explain.global_view import Overview as Found

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Overview:
    """What carries a decision over a data set; `found` holds everything, the methods show it."""

    found: Found

    def to_dict(self) -> dict[str, Any]:
        """Everything but the contributions of single rows, which `explain_batch` gives."""
        found = self.found
        return {
            "policy": found.policy,
            "policy_sha256": found.policy_sha256,
            "decision": found.decision,
            "rows": found.rows,
            "statuses": dict(found.statuses),
            "outcomes": dict(found.outcomes),
            "rules": [asdict(load) for load in found.rules],
            "features": [asdict(load) for load in found.loads],
            "segments": {label: [asdict(load) for load in loads] for label, loads in found.by_segment.items()},
            "boundaries": [asdict(load) for load in found.boundaries],
            "settings": dict(found.settings),
        }

    def to_json(self) -> str:
        """The same as text."""
        import json

        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2)

    def plot(self) -> Figure:
        """A beeswarm: the contributions of every row explained."""
        from decisionflow.render.pictures.beeswarm import beeswarm_figure

        return beeswarm_figure(self.found)

    def __str__(self) -> str:
        from decisionflow.render.overview_text import overview_text

        return overview_text(self.found)
