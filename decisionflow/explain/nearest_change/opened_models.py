"""Thresholds on models opened to the models' inputs: half-spaces for linear models, sums of trees for ensembles."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from decisionflow.conditions.expression import Expression, Variable
from decisionflow.conditions.operators import AT_LEAST, GREATER, Comparison
from decisionflow.conditions.values import Failure, Value
from decisionflow.evaluate.bound_model import BoundModel
from decisionflow.evaluate.interpreter import Row
from decisionflow.explain.attributions.linear import linear_attributor
from decisionflow.explain.attributions.scales import agree
from decisionflow.explain.nearest_change.comparing import half_space
from decisionflow.explain.nearest_change.contents import ABSENT, Case, Content, Known, Label
from decisionflow.explain.nearest_change.decoded import Decoded, decoded
from decisionflow.explain.nearest_change.formula import (
    FALSE,
    TRUE,
    Form,
    Formula,
    Threshold,
    all_of,
    any_of,
    negation,
)
from decisionflow.explain.nearest_change.probing import Probe, probe_of
from decisionflow.types import ModelOutput

MOST_COMBINATIONS = 32
PAST = 1e-9
LINKS: Mapping[str, Callable[[float], float]] = {
    "log-odds": lambda share: math.log(share / (1 - share)),
    "raw score": math.log,
    "same": lambda number: number,
}
LINKS_OF: Mapping[str, tuple[str, ...]] = {"probability": tuple(LINKS), "number": ("same", "raw score")}
"""A score is the sum itself; that a number is the exponential of a sum is called a raw score too."""


@dataclass(frozen=True, slots=True)
class Additive:
    """A model whose linked output is a sum: `slopes` of number columns, `shares` of labels, or of trees.

    The constant belongs to the slopes; `link` names the scale of the sum.
    """

    link: str
    slopes: Mapping[str, float] = field(default_factory=dict)
    shares: Mapping[str, Mapping[Value, float]] = field(default_factory=dict)
    constant: float = 0.0
    trees: Decoded | None = None


@dataclass
class OpenedModels:
    """Opens comparisons of models' outputs at a row; `cases` tells what a name comes to in features."""

    row: Row
    bound: Mapping[str, BoundModel]
    cases: Callable[[Expression], list[Case]] = field(default=lambda _: [])
    _known: dict[tuple[str, ModelOutput], Additive | None] = field(default_factory=dict)

    def compare(self, name: str, comparison: Comparison, value: Value) -> Formula | None:
        """Where the model's output compares so with a value; None where the model cannot be opened."""
        output = self.row.program.models[name].output
        if name not in self.bound:
            return None
        if output.kind == "label":
            return self._label(name, comparison, value)
        return self._number(name, output, comparison, float(value))

    def _label(self, name: str, comparison: Comparison, label: Value) -> Formula | None:
        """The label of two that is as likely as the other, or likelier; a tie goes to the first."""
        model = self.bound[name].model
        if len(model.classes or ()) != 2 or "probability" not in model.offers:
            return None
        output = ModelOutput("probability", label)
        wins = GREATER if model.class_index(output) == 1 else AT_LEAST
        found = self._number(name, output, wins, 0.5)
        return found if found is None or comparison.closed else negation(found)

    def _number(self, name: str, output: ModelOutput, comparison: Comparison, number: float) -> Formula | None:
        additive = self._additive(name, output)
        if additive is None:
            return None
        if additive.link == "log-odds" and not 0 < number < 1:
            return TRUE if comparison.holds(0.5, number) else FALSE
        if additive.link == "raw score" and number <= 0:
            return TRUE if comparison.holds(1.0, number) else FALSE
        return self._opened(name, additive, comparison, LINKS[additive.link](number))

    def _opened(self, name: str, additive: Additive, comparison: Comparison, number: float) -> Formula | None:
        """The comparison for each combination of what the inputs come to."""
        inputs = [(column, self._cases(used)) for used, column in self.row.program.models[name].inputs]
        if math.prod(len(cases) for _, cases in inputs) > MOST_COMBINATIONS:
            return None
        found: list[Formula] = []
        for chosen in product(*(cases for _, cases in inputs)):
            contents = {column: case.content for (column, _), case in zip(inputs, chosen, strict=True)}
            part = self._compared(additive, contents, comparison, number)
            if part is None:
                return None
            found.append(all_of((*(case.guard for case in chosen), part)))
        return any_of(found)

    def _cases(self, name: str) -> list[Case]:
        return self.cases(Variable(name, self.row.program.type_of(name), name in self.row.program.features))

    def _compared(
        self, additive: Additive, contents: Mapping[str, Content], comparison: Comparison, number: float
    ) -> Formula | None:
        if additive.trees is not None:
            forest = additive.trees.over(contents)
            if forest is None or forest.features:
                return None if forest is None else Threshold(forest, comparison, number)
            return TRUE if comparison.holds(forest.score({}), number, tolerant=True) else FALSE
        form = Form(constant=additive.constant - number)
        for column, slope in additive.slopes.items():
            content = contents[column]
            if content is ABSENT:
                continue
            if not isinstance(content, Form):
                return None
            form = form.plus(content.scaled(slope))
        for column, named in additive.shares.items():
            content = contents[column]
            if isinstance(content, Known):
                form = form.plus(Form(constant=named[content.value]))
            elif isinstance(content, Label):
                form = form.plus(Form(labels={content.feature: named}))
            elif content is not ABSENT:
                return None
        return half_space(comparison, form, Form(constant=PAST * max(1.0, abs(number))))

    def _additive(self, name: str, output: ModelOutput) -> Additive | None:
        key = name, output
        if key not in self._known:
            self._known[key] = self._opened_model(name, output)
        return self._known[key]

    def _opened_model(self, name: str, output: ModelOutput) -> Additive | None:
        inputs = {column: self.row.value_of(used) for used, column in self.row.program.models[name].inputs}
        if any(isinstance(value, Failure) for value in inputs.values()):
            return None
        program = self.row.program
        domains = {column: getattr(program.node(used), "domain", None) for used, column in program.models[name].inputs}
        bound = self.bound[name]
        probe = probe_of(bound, inputs, domains)
        return _linear(bound, output, probe) or _ensemble(bound, output, probe)


def _linear(bound: BoundModel, output: ModelOutput, probe: Probe) -> Additive | None:
    """A model that is linear in every number and additive in every label, on a link of its output."""
    found = linear_attributor(bound.model, output, probe.frame)
    if found is None:
        return None
    moved = found.preprocessing.matrix(probe.frame) * found.coefficients
    parts = found.preprocessing.summed(moved)
    constant = found.base - float(found.means @ found.coefficients)
    slopes: dict[str, float] = {}
    shares: dict[str, dict[Value, float]] = {}
    for at, column in enumerate(found.preprocessing.columns):
        rows, share = probe.at(column), parts[:, at]
        if len(rows) == 1:
            constant += float(share[0])
        elif isinstance(probe.values[column][0], str | bool):
            shares[column] = {probe.values[column][row]: float(share[row]) for row in rows}
        else:
            line = _line(probe.numbers(column), share[rows])
            if line is None:
                return None
            slopes[column] = line[0]
            constant += line[1]
    link = found.output if found.output in LINKS and output.kind != "score" else "same"
    return Additive(link, slopes, shares, constant)


def _line(places: NDArray[np.float64], shares: NDArray[np.float64]) -> tuple[float, float] | None:
    """Slope and height of the line through all points; None where they are on none."""
    first, last = int(places.argmin()), int(places.argmax())
    slope = float((shares[last] - shares[first]) / (places[last] - places[first]))
    height = float(shares[first] - slope * places[first])
    return (slope, height) if agree(slope * places + height, shares) else None


def _ensemble(bound: BoundModel, output: ModelOutput, probe: Probe) -> Additive | None:
    trees = decoded(bound, output, probe)
    if trees is None:
        return None
    found: NDArray[Any] = np.asarray(bound.model.column(probe.frame, output), dtype=np.float64)
    for link in LINKS_OF.get(output.kind, ("same",)):
        offset = _offset(link, found, trees)
        if offset is not None:
            return Additive(link, trees=trees.shifted(offset))
    return None


def _offset(link: str, found: NDArray[np.float64], trees: Decoded) -> float | None:
    """What the linked output has beyond the sum of the trees, where that is the same on every row."""
    try:
        linked = np.array([LINKS[link](float(each)) for each in found])
    except (ValueError, ZeroDivisionError):
        return None
    beyond = linked - trees.sums
    return float(beyond.mean()) if agree(beyond, np.full_like(beyond, beyond[0]), trees.tolerance) else None
