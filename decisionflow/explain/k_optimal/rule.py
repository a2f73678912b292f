"""A local rule, and which of two is better."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

from decisionflow.explain.k_optimal.search import TIE


@dataclass(frozen=True, slots=True)
class KOptimalRule:
    """If every column has its label, then the class, with what the rows mined say about it.

    conditions: column -> label, in the order of the columns
    target: the class that the rule concludes
    measures: coverage, support, confidence, lift and leverage, as in `measures.value`
    p_value: the largest of the rule's Fisher tests against the rules with one condition less
    covered, hits: rows that satisfy the conditions, and those of them in the class
    """

    conditions: dict[Hashable, Any]
    target: Any
    measures: dict[str, float]
    p_value: float
    covered: int
    hits: int

    @property
    def text(self) -> str:
        """The conditions in words: `age = young and priors = many`."""
        return " and ".join(condition_text(column, label) for column, label in self.conditions.items())


def condition_text(column: Hashable, label: object) -> str:
    """One condition in words: `age = young`."""
    return f"{column} = {label}"


def best_first(rules: Iterable[KOptimalRule], measure: str) -> list[KOptimalRule]:
    """Order by the measure, then fewer conditions, then text, then the class's text.

    Values within 1e-12 of the best of their group are equal, so that a chain of nearly equal values is not one group.
    """
    ordered: list[tuple[int, int, str, str, KOptimalRule]] = []
    group, best_of_group = 0, float("inf")
    for rule in sorted(rules, key=lambda rule: -rule.measures[measure]):
        if best_of_group - rule.measures[measure] > TIE:
            group, best_of_group = group + 1, rule.measures[measure]
        ordered.append((group, len(rule.conditions), rule.text, str(rule.target), rule))
    return [rule for *_, rule in sorted(ordered, key=lambda entry: entry[:4])]
