"""The methods that `--method` knows, each with what it adds to an explanation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any

from decisionflow.diagnostics import did_you_mean
from decisionflow.errors import DataError, UnknownNameError
from decisionflow.evaluate.bound_model import BoundModel
from decisionflow.evaluate.interpreter import Row
from decisionflow.explain.customer_reasons import with_customer_reasons
from decisionflow.explain.explanation import Explanation
from decisionflow.explain.nearest_change.options import ChangeOptions
from decisionflow.explain.smace import Question, Smace
from decisionflow.program.declarations import CompanionList


@dataclass(frozen=True, slots=True)
class MethodOptions:
    """What some methods are told: the model to explain in place of the decision, the measure and number of rules.

    `change` is for the nearest change.
    """

    of: str | None = None
    measure: str = "leverage"
    k: int = 10
    change: ChangeOptions = field(default_factory=ChangeOptions)


@dataclass(frozen=True, slots=True)
class Asked:
    """The row, the question about it, and SMACE's answer, which every other method stands beside."""

    smace: Smace
    row: Row
    question: Question
    explanation: Explanation
    options: MethodOptions = MethodOptions()
    models: Mapping[str, BoundModel] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Explainer:
    """A method: its name for `--method`, the key that it adds to the contract, and the function that gives its part.

    The function lies in `explain/MODULE.py` and takes an Asked; what it returns is a value of the JSON contract.
    """

    name: str
    key: str
    module: str
    function: str

    def part(self, asked: Asked) -> Any:
        """What the method says."""
        answer: Callable[[Asked], Any] = getattr(import_module(f"decisionflow.explain.{self.module}"), self.function)
        return answer(asked)


SMACE = "smace"
EXPLAINERS: tuple[Explainer, ...] = (
    Explainer("shap", "shap", "shap_values", "shap_part"),
    Explainer("shapley", "shapley", "shapley_values", "shapley_part"),
    Explainer("lime", "lime", "lime_weights", "lime_part"),
    Explainer("rules", "local_rules", "local_rules", "local_rules_part"),
    Explainer("anchor", "anchor", "anchor", "anchor_part"),
    Explainer("change", "nearest_change", "nearest_change.part", "change_part"),
    Explainer("certificate", "certificate", "certificate", "certificate_part"),
)

NEED_NO_BACKGROUND = frozenset({"change", "certificate"})
"""Methods that answer also where SMACE, which nobody asked for, cannot."""

COMPANION = Explainer("companion", "companion", "companion_choice", "companion_part")
"""Stands beside every explanation of a companion rule list, without being asked for."""


def explain(
    smace: Smace,
    row: Row,
    number: int,
    question: Question,
    methods: Sequence[str],
    options: MethodOptions = MethodOptions(),
    models: Mapping[str, BoundModel] | None = None,
) -> Explanation:
    """SMACE's explanation of a row with the parts of the other methods asked for, which may ask the policy's models.

    Raises UnknownNameError for a method that there is not.
    """
    known = {explainer.name: explainer for explainer in EXPLAINERS}
    for method in methods:
        if method not in (SMACE, *known):
            hint = did_you_mean(method, (SMACE, *known))
            raise UnknownNameError(
                f"there is no method `{method}`: {', '.join((SMACE, *known))}" + (f"; {hint}" if hint else "")
            )
    found = _explained(smace, row, number, question, methods)
    asked = Asked(smace, row, question, found, options, models or {})
    wanted = [known[method] for method in dict.fromkeys(methods) if method in known]
    if isinstance(smace.program.decisions[question.decision].body, CompanionList):
        wanted.insert(0, COMPANION)
    parts = {explainer.key: explainer.part(asked) for explainer in wanted}
    return replace(found, added=parts) if parts else found


def _explained(smace: Smace, row: Row, number: int, question: Question, methods: Sequence[str]) -> Explanation:
    """SMACE's explanation; without contributions where it has none and only methods are asked for that can do so."""
    try:
        return with_customer_reasons(smace.explain(row, number, question), smace, row, question)
    except UnknownNameError:
        raise
    except DataError as reason:
        if not methods or not NEED_NO_BACKGROUND.issuperset(methods):
            raise
        return smace.without_contributions(row, number, question, str(reason))
