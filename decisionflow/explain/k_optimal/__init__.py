"""The k best local rules of a table of labels, found exactly (LoRMIkA's mining step), and their four kinds."""

from decisionflow.explain.k_optimal.kinds import KINDS, rules_by_kind
from decisionflow.explain.k_optimal.measures import MEASURES
from decisionflow.explain.k_optimal.rule import KOptimalRule
from decisionflow.explain.k_optimal.rules import Mining, k_optimal_rules, mine

__all__ = ["KINDS", "MEASURES", "KOptimalRule", "Mining", "k_optimal_rules", "mine", "rules_by_kind"]
