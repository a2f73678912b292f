"""What a lint looks at: one decision with its conditions as boxes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from decisionflow.check.boxes import Box, OutOfReach
from decisionflow.check.meeting import meeting_boxes
from decisionflow.check.spaces import Conditions, Facts
from decisionflow.check.witnesses import Claim, Witness, find_witness, written
from decisionflow.diagnostics import Diagnostic
from decisionflow.evaluate.interpreter import Row
from decisionflow.program.declarations import CompanionList, Decision, Rule, RuleList


@dataclass(frozen=True)
class Linted:
    """A decision, and where its rules hold."""

    facts: Facts
    decision: Decision

    @cached_property
    def conditions(self) -> Conditions:
        return Conditions(self.facts, self.decision)

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules that have conditions."""
        body = self.decision.body
        return body.rules if isinstance(body, RuleList | CompanionList) else ()

    @property
    def hit_policy(self) -> str:
        """How the rules are chosen between; empty where there are none."""
        body = self.decision.body
        if isinstance(body, RuleList):
            return body.hit_policy
        return "first" if isinstance(body, CompanionList) else ""

    @cached_property
    def boxes(self) -> tuple[list[Box] | None, ...]:
        """Where each rule is true, None where that is out of reach."""
        return tuple(self._boxes(rule) for rule in self.rules)

    @cached_property
    def meeting(self) -> tuple[tuple[int, ...], ...] | None:
        """For each rule, the earlier ones that may hold together with it; None where that is out of reach."""
        return meeting_boxes(self.conditions.space, self.boxes)

    def _boxes(self, rule: Rule) -> list[Box] | None:
        try:
            return self.conditions.where(rule.condition)
        except OutOfReach:
            return None

    def witness(self, box: Box, claim: Claim) -> Witness | None:
        """A row of the box for which the claim has been evaluated to be true."""
        return find_witness(self.conditions, self.decision, box, claim)

    def decided(self, row: Row) -> str:
        """What a row comes to, for the end of a message."""
        outcome = row.decide(self.decision.name)
        if outcome.status != "decided":
            rules = f" ({' and '.join(f'`{name}`' for name in outcome.rules)})" if outcome.rules else ""
            return f"{outcome.status}{rules}"
        by = f" by `{outcome.rule}`" if outcome.rule else ""
        return f"{written(outcome.value)}{by}"


Lint = Callable[[Linted], Iterator[Diagnostic]]


def example(linted: Linted, witness: Witness | None) -> str:
    """The row that shows it, as the end of a message; empty where there is none."""
    if witness is None:
        return ""
    given = f"with {witness}" if witness.given else "whatever is given"
    return f"; {given}, the decision is {linted.decided(witness.row)}"
