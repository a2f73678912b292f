"""What local rules conclude: the decision of a row, or the class of a model's output there."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from decisionflow.conditions.expression import Variable
from decisionflow.errors import DataError
from decisionflow.evaluate.answer import DECIDED, INVALID
from decisionflow.evaluate.collecting import scalars
from decisionflow.evaluate.evaluator import evaluate
from decisionflow.evaluate.outcome import STATUSES
from decisionflow.explain.completion import Background, complete
from decisionflow.explain.contract import Plain, plain
from decisionflow.explain.cut_points import Cut, bins_between, choose_cuts
from decisionflow.explain.decision_function import needed_background
from decisionflow.explain.explainers import Asked
from decisionflow.explain.items import interval_words
from decisionflow.explain.model_explained import model_named
from decisionflow.explain.policy_cuts import policy_atoms, thresholds
from decisionflow.program.declarations import ModelDeclaration
from decisionflow.tables.scalars import to_scalar
from decisionflow.tables.table import KNOWN, Table
from decisionflow.types import Vocabulary

MOST_CLASSES = 12
Classes = NDArray[np.object_]


@dataclass(frozen=True, slots=True)
class Classifier:
    """The class of each row of a table of features, None where it has none, and the class of the row explained.

    A record or a list is a class by its text; `values` says which value has which text, as JSON writes it.
    """

    features: tuple[str, ...]
    classes: Callable[[Table], Classes]
    own: Any
    values: Mapping[str, Plain] = field(default_factory=dict)

    def shown(self, label: Any) -> Plain:
        """A class as an answer has it."""
        return self.values.get(label, plain(label)) if isinstance(label, str) else plain(label)


def classifier(asked: Asked) -> Classifier:
    """The decision as a classifier, or the model that `of` names.

    Raises DataError where the row explained has no class.
    """
    background = needed_background(asked)
    if not background.program.features_of([asked.question.decision]):
        raise DataError(f"`{asked.question.decision}` depends on no feature, so there are no rules about it")
    if asked.options.of is None:
        return _decision(asked, background)
    if "=" in asked.options.of:
        raise DataError(f"rules about a model conclude all of its classes; name none of them in {asked.options.of}")
    node, _ = model_named(asked, background.program)
    return _model(asked, background, node)


def _decision(asked: Asked, background: Background) -> Classifier:
    """The outcome of each decided row; undecided rows and conflicts are classes of that name.

    Of a decision with many outcomes, such as an amount, all others than the row's are one class.
    """
    program, outcome = background.program, asked.explanation.outcome
    decision = program.decisions[asked.question.decision]
    if outcome.status == "invalid":
        raise DataError(f"row {asked.explanation.row} is invalid for `{decision.name}`: {outcome.problem}")
    values: dict[str, Plain] = {}
    own = _label(outcome.value, values) if outcome.status == "decided" else outcome.status

    def classes(table: Table) -> Classes:
        answer = evaluate(program, background.models, table, background.settings, (decision.name,)).answers[
            decision.name
        ]
        found = np.empty(table.rows, dtype=object)
        found[:] = [None if code == INVALID else STATUSES[code] for code in answer.status]
        decided = np.flatnonzero(answer.status == DECIDED)
        for row, value in zip(decided, scalars(answer.values, decision.held, decided), strict=True):
            found[row] = _label(value, values)
        return found

    features = program.features_of([decision.name])
    if isinstance(decision.held, Vocabulary) or len(set(classes(background.table))) <= MOST_CLASSES:
        return Classifier(features, classes, own, values)
    return Classifier(features, lambda table: _own_or_not(classes(table), own), own, values)


def _own_or_not(found: Classes, own: Any) -> Classes:
    other = f"not {own}"
    found[:] = [one if one is None or one == own else other for one in found]
    return found


def _model(asked: Asked, background: Background, node: ModelDeclaration) -> Classifier:
    """The label that a model predicts, or which side of the policy's own thresholds its number is on."""
    program, variable = background.program, Variable(node.name, node.type)

    def outputs(table: Table) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        column = complete(program, background.models, table, background.settings, [variable])[variable]
        return column.values, column.state() == KNOWN

    value = asked.row.value_of(node.name)
    shown = _names(asked, background, node)

    def classes(table: Table) -> Classes:
        values, known = outputs(table)
        found = np.empty(table.rows, dtype=object)
        for row in np.flatnonzero(known):
            found[row] = shown(to_scalar(values[row], node.type))
        return found

    return Classifier(program.features_of([node.name]), classes, shown(value))


def _names(asked: Asked, background: Background, node: ModelDeclaration) -> Callable[[Any], Any]:
    if isinstance(node.type, Vocabulary):
        return lambda value: value
    cuts = thresholds(asked.row, policy_atoms(background.program, asked.question.decision), asked.smace.opened).get(
        node.name, set()
    )
    if not cuts and node.output.kind == "probability":
        cuts = {Cut(0.5)}
    sample = background.sample(Variable(node.name, node.type))
    chosen = choose_cuts(float(asked.row.value_of(node.name)), cuts, sample) or tuple(sorted(cuts))
    intervals = {f"{node.name} {interval_words(interval)}": interval for interval in bins_between(chosen)}
    return lambda value: next(words for words, interval in intervals.items() if interval.contains(float(value)))


def _label(value: Any, values: dict[str, Plain]) -> Any:
    """A value as the label of a class; a record or a list by its text, which `values` then has."""
    known = plain(value)
    if not isinstance(known, dict | list):
        return known
    text = json.dumps(known, ensure_ascii=False)
    values[text] = known
    return text
