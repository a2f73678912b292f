"""Data and a black box -> a companion rule list; one file per method."""

from __future__ import annotations

from importlib import import_module
from typing import Any

LEARNERS = (
    ("companion", "CompanionRuleListClassifier", "decisionflow.learn.companion"),
    ("bayesian", "BayesianRuleListClassifier", "decisionflow.learn.bayesian"),
    ("hybrid-rule-set", "HybridRuleSetClassifier", "decisionflow.learn.hybrid_rule_set"),
)
"""Verb of `decisionflow learn`, class and module of every learner."""

_EXPORTS = {
    "HybridClassifier": "decisionflow.learn.classifier",
    **{name: module for _, name, module in LEARNERS},
}

__all__ = [
    "LEARNERS",
    "BayesianRuleListClassifier",
    "CompanionRuleListClassifier",
    "HybridClassifier",
    "HybridRuleSetClassifier",
]


def __getattr__(name: str) -> Any:
    if name not in _EXPORTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_EXPORTS[name]), name)


def __dir__() -> list[str]:
    return __all__
