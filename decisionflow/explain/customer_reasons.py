"""What the customer is told of an adverse outcome: codes of the rules taken, then of the features that led to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from decisionflow.evaluate.interpreter import Row
from decisionflow.evaluate.masked import tells
from decisionflow.explain.adverse_path import Root, is_adverse, roots, rules_taken
from decisionflow.explain.aggregation import aggregate, directed
from decisionflow.explain.attributions import Attribution
from decisionflow.explain.explanation import CustomerReason, Explanation
from decisionflow.explain.reason_effect import Effect, effect_of
from decisionflow.explain.smace import Question, Smace

MOST_REASONS = 4
"""Where the decision does not say: what a notice of adverse action usually holds."""

NOTHING = 1e-12
"""A push that is no greater is none; pushes that are no further apart are equal."""


def with_customer_reasons(explanation: Explanation, smace: Smace, row: Row, question: Question) -> Explanation:
    """The explanation with the customer's reasons, and in its settings how they were found; only where it is adverse.

    First the codes of the rules taken, then those that the policy's `reasons` give for the features that led to the
    outcome, the strongest push first, ties by order of declaration. Reasons of one code are one, the first of them.
    """
    decision = smace.program.decisions[question.decision]
    if not is_adverse(decision, explanation.outcome):
        return explanation
    led = roots(smace, row, explanation, question) if smace.program.reasons else ()
    known = explanation.attributions if explanation.target_rule in explanation.outcome.rules else {}
    pushes = Pushes(smace, row, led, known)
    taken = rules_taken(smace.program, row, decision)
    told = [CustomerReason(rule.reason.code, rule.reason.text, "rule") for rule in taken if rule.reason is not None]
    merged: dict[str, CustomerReason] = {}
    for reason in (*told, *pushes.reasons()):
        merged.setdefault(reason.code, reason)
    most = decision.most_reasons or MOST_REASONS
    settings = {**explanation.settings, "customer_reasons": {"at_most": most, **pushes.record()}}
    return replace(explanation, customer_reasons=tuple(merged.values())[:most], settings=settings)


@dataclass
class Pushes:
    """How strongly each feature pushed a row towards its adverse outcome, through each root.

    A root's part is shared among the features behind it by their signed attributions (SMACE, Eq. 1 and 2, with the
    direction that Eq. 2 leaves out); a feature's push is its sum over the roots, positive towards the outcome.
    """

    smace: Smace
    row: Row
    roots: tuple[Root, ...]
    known: Mapping[str, Attribution] = field(default_factory=dict)

    @cached_property
    def attributions(self) -> dict[str, Attribution]:
        """Of every root that is no feature, and of every internal variable behind one that has a share in it."""
        program, found = self.smace.program, dict[str, Attribution]()
        waiting = {root.name: root for root in self.roots if root.name not in program.features}
        while waiting:
            name, root = waiting.popitem()
            found[name] = self.known.get(name) or self._attribution(root)
            for used, phi in found[name].phi.items():
                if phi and used not in program.features and used not in found and used not in waiting:
                    waiting[used] = Root.behind(used, program)
        return found

    def _attribution(self, root: Root) -> Attribution:
        return self.smace.attributions_for(root.name).of(self.row, root.variable, root.allowed)

    @cached_property
    def parts(self) -> dict[str, dict[str, float]]:
        """For each feature, in order of declaration, the push through each root."""
        program, found = self.smace.program, dict[str, dict[str, float]]()
        for root in self.roots:
            own = {root.name: root.weight} if root.name in program.features else {}
            through = {} if own else {root.name: root.weight * root.side}
            for part in aggregate(program, own, through, lambda name, top: directed(self.attributions[name].phi, top)):
                found.setdefault(part.feature, {})[root.name] = part.total
        return {name: found[name] for name in program.features if name in found}

    def reasons(self) -> Iterator[CustomerReason]:
        """The policy's reasons for the features that pushed, the strongest first."""
        table = {(one.feature, one.effect): one.reason for one in self.smace.program.reasons}
        named = {feature for feature, _ in table}
        strengths = {name: sum(parts.values()) for name, parts in self.parts.items() if name in named}
        ranked = sorted(strengths, key=lambda name: -round(strengths[name] / NOTHING) * NOTHING)
        for name in ranked:
            effect = self._effect(name) if strengths[name] > NOTHING else None
            reason = table.get((name, effect)) if effect is not None else None
            if reason is not None:
                yield CustomerReason(reason.code, reason.text, "contribution", name)

    def record(self) -> Mapping[str, Any]:
        """How the pushes were found: through which roots, by which attribution over which rows, from which mean."""
        background = self.smace.background
        through = [self._recorded(root) for root in self.roots]
        sha256 = None if background is None else background.sha256
        rows = 0 if background is None else background.rows
        return {"method": "smace, signed", "through": through, "background_sha256": sha256, "background_rows": rows}

    def _recorded(self, root: Root) -> dict[str, Any]:
        found = self.attributions.get(root.name)
        weight = None if tells(self.smace.program, root.variable) else root.weight
        if found is None:
            return {"variable": root.name, "weight": weight, "attribution": None}
        return {
            "variable": root.name,
            "weight": weight,
            "attribution": found.method,
            "exact": found.exact,
            "output": found.output,
            "baseline": found.base,
        }

    def _effect(self, feature: str) -> Effect | None:
        """By the root through which the feature pushed most."""
        parts = self.parts[feature]
        root = max(self.roots, key=lambda one: parts.get(one.name, 0.0))
        return effect_of(self.smace.program.features[feature], root, self.row, self.smace.background)
