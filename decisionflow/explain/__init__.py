"""Outcome -> explanation; one file per method. What is exported is imported at first use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from decisionflow.explain.k_optimal import KOptimalRule, k_optimal_rules

__all__ = ["KOptimalRule", "k_optimal_rules"]

_HOMES = {
    "KOptimalRule": "decisionflow.explain.k_optimal",
    "k_optimal_rules": "decisionflow.explain.k_optimal",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
