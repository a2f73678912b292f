"""The best attribution that a model allows: exact where there is a closed form, else enumerated, else estimated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from decisionflow.errors import DataError, ModelError
from decisionflow.explain.attributions.attribution import Attribution, Attributor, Function, Scale
from decisionflow.explain.attributions.blending import blend
from decisionflow.explain.attributions.enumeration import MOST_PLAYERS, effective_columns, enumeration_shapley
from decisionflow.explain.attributions.kernel import kernel_shapley
from decisionflow.explain.attributions.linear import linear_attributor
from decisionflow.explain.attributions.permutation import permutation_shapley
from decisionflow.explain.attributions.scales import PLAIN
from decisionflow.explain.attributions.sums import sum_attributor
from decisionflow.explain.attributions.surrogate import Domains, lime_surrogate
from decisionflow.explain.attributions.trees import tree_attributor
from decisionflow.models.columns import label_text
from decisionflow.models.model import Model
from decisionflow.types import ModelOutput

METHODS = (
    "linear",
    "tree-shap-interventional",
    "sum",
    "enumeration",
    "permutation",
    "kernel-shap",
    "lime",
)
"""What may be asked for by name, best first; `conjunction` belongs to rules, which are no models."""


def attribute_model(
    model: Model,
    output: ModelOutput,
    row: pd.DataFrame,
    background: pd.DataFrame,
    seed: int = 0,
    method: str | None = None,
    standard_error: float | None = None,
    domains: Domains | None = None,
) -> Attribution:
    """The best attribution of the model's output at one row (1, d); see `prepare_attribution`, which it uses once."""
    prepared = prepare_attribution(model, output, background, seed, method, standard_error, domains)
    return prepared.attribute(row)[0]


def prepare_attribution(
    model: Model,
    output: ModelOutput,
    background: pd.DataFrame,
    seed: int = 0,
    method: str | None = None,
    standard_error: float | None = None,
    domains: Domains | None = None,
) -> Attributor:
    """What the attributions of any row have in common; same call, same answer.

    `output` of kind `label` names the label tested, and the probability of that label is attributed (the score, or 1
    where the label is predicted and 0 elsewhere, for a model without probabilities). `background` (n, d) is used whole
    by the exact methods. `method` asks for one of `METHODS`; `standard_error` and `domains` are for estimates. Raises
    DataError without a background, ModelError where the method asked for does not fit the model.
    """
    if len(background) == 0:
        raise DataError(f"no background rows to attribute model {model.name} with; give a background")
    output = tested_output(model, output)
    columns = list(model.inputs) if model.inputs is not None else [str(each) for each in background.columns]
    background = model.table(background)[columns].reset_index(drop=True)
    if method in (None, "linear", "tree-shap-interventional", "sum"):
        for name, prepare in CLOSED_FORMS:
            prepared = prepare(model, output, background) if method in (None, name) else None
            if prepared is not None:
                return prepared
        if method is not None:
            raise ModelError(f"model {model.name} has no attribution by {method} for {output}; leave the method out")
    return Sampled(model, output, columns, background, seed, method, standard_error, domains)


CLOSED_FORMS: tuple[tuple[str, Callable[[Model, ModelOutput, pd.DataFrame], Attributor | None]], ...] = (
    ("linear", linear_attributor),
    ("tree-shap-interventional", tree_attributor),
    ("sum", sum_attributor),
)


def tested_output(model: Model, output: ModelOutput) -> ModelOutput:
    """What stands for a predicted label: its probability, else its score, else the output as it is."""
    if output.kind != "label" or output.label is None:
        return output
    known = [each for each in model.classes or () if label_text(each) == label_text(output.label)]
    for kind in ("probability", "score"):
        if known and kind in model.functions:
            return ModelOutput(kind, known[0])
    return output


@dataclass(frozen=True, slots=True)
class Sampled:
    """Attributions by running the model on rows blended from the row explained and the background."""

    model: Model
    output: ModelOutput
    columns: list[str]
    background: pd.DataFrame
    seed: int
    method: str | None
    standard_error: float | None
    domains: Domains | None

    def attribute(self, rows: pd.DataFrame) -> list[Attribution]:
        """The attribution of each row, in order."""
        table = self.model.table(rows)[self.columns]
        return [self._one(table.iloc[[place]].reset_index(drop=True)) for place in range(len(table))]

    def _one(self, row: pd.DataFrame) -> Attribution:
        method = self.method
        if method is None:
            players = effective_columns(blend(row, self.background))
            method = "enumeration" if len(players) <= MOST_PLAYERS else "permutation"
        return BY_RUNNING[method](self, row, self._function())

    def _function(self) -> Function:
        if self.output.kind != "label":
            return lambda table: self.model.column(table, self.output)
        tested, plain = label_text(self.output.label), ModelOutput("label")
        return lambda table: np.asarray(self.model.column(table, plain) == tested, dtype=np.float64)

    def attribution(self, method: str, base: float, phi: NDArray[np.float64], value: float, **more: Any) -> Attribution:
        """The answer of one method, completed by what all have in common."""
        scale: Scale = PLAIN[self.output.kind]
        rows = len(self.background)
        settings = {"exact": False, "background_rows": rows, "seed": self.seed, **more}
        return Attribution(
            method=method,
            output=scale,
            base=base,
            phi=dict(zip(self.columns, phi.tolist(), strict=True)),
            value=value,
            rows_given=rows,
            **settings,
        )


def _enumeration(asked: Sampled, row: pd.DataFrame, function: Function) -> Attribution:
    try:
        base, phi, value = enumeration_shapley(function, row, asked.background)
    except ValueError as error:
        raise ModelError(f"model {asked.model.name} cannot be attributed by enumeration: {error}") from error
    return asked.attribution("enumeration", base, phi, value, exact=True, seed=None)


def _permutation(asked: Sampled, row: pd.DataFrame, function: Function) -> Attribution:
    found = permutation_shapley(function, row, asked.background, asked.seed, asked.standard_error)
    return asked.attribution(
        "permutation",
        found.base,
        found.phi,
        found.value,
        background_rows=found.background_rows,
        standard_error=found.standard_error,
        intervals=found.intervals(asked.columns),
    )


def _kernel(asked: Sampled, row: pd.DataFrame, function: Function) -> Attribution:
    base, phi, value, rows = kernel_shapley(function, row, asked.background, asked.seed)
    return asked.attribution("kernel-shap", base, phi, value, background_rows=rows)


def _lime(asked: Sampled, row: pd.DataFrame, function: Function) -> Attribution:
    try:
        found = lime_surrogate(function, row, asked.background, asked.seed, asked.domains)
    except ValueError as error:
        raise ModelError(f"model {asked.model.name} cannot be attributed by lime: {error}") from error
    return asked.attribution("lime", found.base, found.phi, found.value, fidelity=found.fidelity)


BY_RUNNING: dict[str, Callable[[Sampled, pd.DataFrame, Function], Attribution]] = {
    "enumeration": _enumeration,
    "permutation": _permutation,
    "kernel-shap": _kernel,
    "lime": _lime,
}
