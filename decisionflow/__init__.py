"""Decisions that people can read, run and question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from decisionflow.version import __version__

if TYPE_CHECKING:
    from decisionflow.api.explanation import Explanation
    from decisionflow.api.loading import load_policy, parse_policy
    from decisionflow.api.policy import Policy
    from decisionflow.errors import (
        DataError,
        DecisionFlowError,
        InfeasibleError,
        ModelError,
        PolicyError,
        UntrustedModelError,
    )

_PLACES = {
    "load_policy": "decisionflow.api.loading",
    "parse_policy": "decisionflow.api.loading",
    "Policy": "decisionflow.api.policy",
    "Explanation": "decisionflow.api.explanation",
    "DecisionFlowError": "decisionflow.errors",
    "PolicyError": "decisionflow.errors",
    "DataError": "decisionflow.errors",
    "ModelError": "decisionflow.errors",
    "UntrustedModelError": "decisionflow.errors",
    "InfeasibleError": "decisionflow.errors",
}
_PACKAGES = ("learn", "explain", "distribute")

__all__ = [
    "DataError",
    "DecisionFlowError",
    "Explanation",
    "InfeasibleError",
    "ModelError",
    "Policy",
    "PolicyError",
    "UntrustedModelError",
    "__version__",
    "load_policy",
    "parse_policy",
]


def __getattr__(name: str) -> Any:
    """Load what is asked for at its first use, so that importing the package is fast."""
    import importlib

    if name in _PLACES:
        return getattr(importlib.import_module(_PLACES[name]), name)
    if name in _PACKAGES:
        return importlib.import_module(f"decisionflow.{name}")
    raise AttributeError(f"module 'decisionflow' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted([*__all__, *_PACKAGES])
