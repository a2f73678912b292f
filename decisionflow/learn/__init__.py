"""Data and a black box -> a companion rule list; one file per method."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from decisionflow.learn.bayesian import BayesianRuleListClassifier
    from decisionflow.learn.classifier import HybridClassifier
    from decisionflow.learn.companion import CompanionRuleListClassifier
    from decisionflow.learn.corels import CORELSClassifier
    from decisionflow.learn.hybrid_corels import HybridCORELSClassifier
    from decisionflow.learn.hybrid_rule_set import HybridRuleSetClassifier

LEARNERS = (
    ("companion", "CompanionRuleListClassifier", "decisionflow.learn.companion"),
    ("hybrid-corels", "HybridCORELSClassifier", "decisionflow.learn.hybrid_corels"),
    ("hybrid-rule-set", "HybridRuleSetClassifier", "decisionflow.learn.hybrid_rule_set"),
    ("corels", "CORELSClassifier", "decisionflow.learn.corels"),
    ("bayesian", "BayesianRuleListClassifier", "decisionflow.learn.bayesian"),
)
"""Verb of `decisionflow learn`, class and module of every learner."""

_EXPORTS = {
    "HybridClassifier": "decisionflow.learn.classifier",
    **{name: module for _, name, module in LEARNERS},
}

__all__ = [
    "LEARNERS",
    "BayesianRuleListClassifier",
    "CORELSClassifier",
    "CompanionRuleListClassifier",
    "HybridCORELSClassifier",
    "HybridClassifier",
    "HybridRuleSetClassifier",
]


def __getattr__(name: str) -> Any:
    if name not in _EXPORTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_EXPORTS[name]), name)


def __dir__() -> list[str]:
    return __all__
