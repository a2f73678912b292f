"""The k best local rules of a table of labels, found exactly (LoRMIkA's mining step)."""

from decisionflow.explain.k_optimal.measures import MEASURES
from decisionflow.explain.k_optimal.rule import KOptimalRule
from decisionflow.explain.k_optimal.rules import k_optimal_rules

__all__ = ["MEASURES", "KOptimalRule", "k_optimal_rules"]
