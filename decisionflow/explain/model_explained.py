"""SHAP and LIME of one model at the row, named by `of`: what attributions of a model say, in the contract's words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from decisionflow.conditions.values import Failure
from decisionflow.diagnostics import did_you_mean
from decisionflow.errors import DataError, UnknownNameError
from decisionflow.explain.attributions import Attribution
from decisionflow.explain.decision_function import needed_background
from decisionflow.explain.node_attribution import Attributions, tested_output
from decisionflow.models.columns import label_text
from decisionflow.program.declarations import ModelDeclaration
from decisionflow.program.program import Program
from decisionflow.types import ModelOutput

if TYPE_CHECKING:
    from decisionflow.explain.explainers import Asked


def model_attribution(asked: Asked, method: str | None = None) -> Attribution:
    """The attribution of the model that `of` names, by the best method for it or the one named.

    Raises UnknownNameError for a model or class that there is not, DataError where the model cannot be run for the row.
    """
    background = needed_background(asked)
    node, output = model_named(asked, background.program)
    value = asked.row.value_of(node.name)
    if isinstance(value, Failure):
        raise DataError(f"model `{node.name}` has no output for row {asked.explanation.row}: {value.reason}")
    attributions = asked.smace.attributions or Attributions(background, asked.smace.seed)
    return attributions.of_output(asked.row, node, output, method)


def model_named(asked: Asked, program: Program) -> tuple[ModelDeclaration, ModelOutput]:
    """The model and the output that `of` means: `MODEL`, or `MODEL=LABEL` for one of its classes."""
    name, _, label = (part.strip() for part in str(asked.options.of).partition("="))
    if name not in program.models:
        hint = did_you_mean(name, program.models)
        raise UnknownNameError(f"the policy has no model `{name}`" + (f"; {hint}" if hint else ""))
    node = program.models[name]
    if not label:
        return node, tested_output(node, asked.row.value_of(name), None)
    classes = needed_background(asked).models[name].model.classes or ()
    found = next((each for each in classes if label_text(each) == label), None)
    if found is None:
        known = ", ".join(str(each) for each in classes) or "none that it tells"
        raise UnknownNameError(f"model `{name}` has no class `{label}`; its classes are {known}")
    return node, ModelOutput(node.output.kind, found)
