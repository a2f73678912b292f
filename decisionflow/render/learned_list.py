"""A learned list and what it is worth, as text and JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from decisionflow.learn.classifier import HybridClassifier
from decisionflow.learn.policy_words import label_word
from decisionflow.learn.report import LearningReport
from decisionflow.learn.sweep import SweepPoint, sweep_frame

CERTIFICATE = ("objective_", "lower_bound_", "gap_", "certified_", "status_", "stopped_by_")


def learned_text(report: LearningReport, front: Sequence[SweepPoint] = ()) -> str:
    """Rules, trade-off on held-out rows, certificate, and the front of a sweep."""
    if not front:
        return report.to_text()
    table = sweep_frame(front).to_string(index=False, float_format=lambda share: f"{share:.4f}", na_rep="-")
    return f"{report.to_text()}\n\nOne list for each minimum transparency, on the same held-out rows:\n\n{table}"


def learned_json(report: LearningReport, learner: HybridClassifier, front: Sequence[SweepPoint] = ()) -> str:
    """The same as one JSON object; what is not known is null."""
    rules = report.rules.assign(label=[label_word(label) for label in report.rules["label"]])
    certificate = {name[:-1]: getattr(learner, name, None) for name in CERTIFICATE}
    found = {
        "title": report.title,
        "rules": rules.to_dict("records"),
        "held_out_rows": report.rows,
        "trade_off": report.trade_off.to_frame().to_dict("records"),
        "autac": {"area": float(report.trade_off.autac), "transparency": report.trade_off.autac.transparency},
        "certificate": certificate,
        "sweep": sweep_frame(front).to_dict("records"),
    }
    return json.dumps(_plain(found), indent=2, ensure_ascii=False, allow_nan=False)


def _plain(value: Any) -> Any:
    """JSON's own kinds; NaN and infinity are null."""
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    plain = value.item() if hasattr(value, "item") else value
    return None if isinstance(plain, float) and not math.isfinite(plain) else plain
