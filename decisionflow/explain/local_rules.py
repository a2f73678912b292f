"""k-optimal local rules of a decision or a model (LoRMIkA: Rajapaksha, Bergmeir, Buntine, 2020, Algorithms 1 to 3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from decisionflow.conditions.expression import Variable
from decisionflow.errors import DataError
from decisionflow.explain.completion import Background
from decisionflow.explain.contract import Part, Plain, plain
from decisionflow.explain.cut_points import Cut, choose_cuts, shortened
from decisionflow.explain.decision_function import needed_background
from decisionflow.explain.explainers import Asked
from decisionflow.explain.items import Items, items
from decisionflow.explain.k_optimal import MEASURES, KOptimalRule, Mining, rules_by_kind
from decisionflow.explain.local_classes import Classifier, classifier
from decisionflow.explain.neighbourhood import Neighbourhood, Numeric, neighbourhood
from decisionflow.explain.policy_cuts import Cuts, policy_atoms, thresholds, tree_splits, whole_cut
from decisionflow.explain.row_frames import COUNTED, RowFrames, is_numeric, row_frames, sound_rows
from decisionflow.program.declarations import Feature
from decisionflow.syntax.restore import condition_text
from decisionflow.tables.frame import model_frame
from decisionflow.tables.scalars import to_scalar


class RuleChange(Part):
    """What a hypothetical rule changes of one feature."""

    feature: str
    from_: Plain
    to: Plain


class LocalRulePart(Part):
    """If `conditions`, which a policy can read, then mostly `class`, in the neighbourhood of the row.

    `ranked_by` names the one of its `measures` that the rules of its kind were chosen and ordered by.

    A hypothetical rule is not true of the row: it is applied to it with the least change of each feature, and `flips`
    says whether the decision (or the model's class) is then another one; `becomes` is that one. `permitted` is false
    where the policy says that a changed feature may not change so.
    """

    kind: str
    conditions: str
    class_: Plain
    measures: dict[str, float]
    ranked_by: str
    p_value: float
    flips: bool | None
    covered: int
    hits: int
    becomes: Plain = None
    permitted: bool | None = None
    changes: tuple[RuleChange, ...] = ()


def local_rules_part(asked: Asked) -> list[dict[str, Any]]:
    """The k best rules of each kind by the measure asked for, best first within a kind.

    Sensitive features take part in the neighbourhood but not in the conditions, which would show their values.
    """
    k, measure = asked.options.k, asked.options.measure
    if not (isinstance(k, int | np.integer) and k >= 1):
        raise DataError(f"k, the number of rules of each kind, is a whole number of at least 1, not {k!r}")
    if measure not in MEASURES:
        raise DataError(f"measure is one of {', '.join(MEASURES)}, not {measure!r}")
    local = LocalRules(asked, needed_background(asked), classifier(asked))
    found = rules_by_kind(local.labels, local.classes, local.row_labels, local.classifier.own, local.mining)
    parts = [local.part(kind, rule) for kind, rules in found.items() for rule in rules]
    return [_renamed(part.model_dump(mode="json")) for part in parts]


def _renamed(part: dict[str, Any]) -> dict[str, Any]:
    """`class` and `from` are words of Python, so the models carry an underscore that the contract does not."""
    part["changes"] = [{key.rstrip("_"): value for key, value in change.items()} for change in part["changes"]]
    return {key.rstrip("_"): value for key, value in part.items()}


@dataclass
class LocalRules:
    """The neighbourhood of a row with the classes of its rows, cut into labels."""

    asked: Asked
    background: Background
    classifier: Classifier

    @cached_property
    def frames(self) -> RowFrames:
        return row_frames(self.background.program, self.classifier.features)

    @cached_property
    def row(self) -> dict[str, Any]:
        return self.frames.row(self.asked.row.values)

    @cached_property
    def near(self) -> Neighbourhood:
        """Algorithms 2 and 3; the rows generated stay within domains, whole numbers and vocabularies."""
        rows = sound_rows(self.frames, self.background.table.columns)
        classes = self.classifier.classes(self.frames.table(rows))
        return neighbourhood(rows, classes, self.row, self.frames.kinds(), seed=self.asked.smace.seed)

    @cached_property
    def classes(self) -> Any:
        return pd.Series(self.classifier.classes(self.frames.table(self.near.rows)), dtype=object)

    @property
    def mining(self) -> Mining:
        return Mining(self.asked.options.measure, self.asked.options.k)

    @cached_property
    def readable(self) -> dict[str, Feature]:
        """The features that conditions may speak of."""
        return {name: feature for name, feature in self.frames.features.items() if not feature.sensitive}

    @cached_property
    def items(self) -> Items:
        """The labels of each column: between the policy's cuts near the row, else three quantile bins."""
        known = self._policy_cuts()
        cuts = {name: self._cuts(name, known) for name, one in self.readable.items() if is_numeric(one)}
        whole = [name for name in cuts if self.readable[name].type in COUNTED]
        return items(cuts, whole)

    def _cuts(self, name: str, known: Cuts) -> tuple[Cut, ...]:
        values, own = self._numbers(name), known.get(name, set())
        chosen = choose_cuts(_number(self.row[name]), own, values)
        return tuple(cut if cut in own else shortened(cut, values) for cut in chosen)

    @cached_property
    def labels(self) -> pd.DataFrame:
        return self.items.labels(self.near.rows[list(self.readable)])

    @cached_property
    def row_labels(self) -> dict[Any, Any]:
        return self.items.row_labels({name: self.row[name] for name in self.readable})

    def part(self, kind: str, rule: KOptimalRule) -> LocalRulePart:
        """A mined rule in the contract's words; a hypothetical one tried out."""
        program = self.background.program
        variables = {name: Variable(name, feature.type, True) for name, feature in self.readable.items()}
        text = condition_text(self.items.condition(rule.conditions, variables), (*program.order, *program.parameters))
        part = LocalRulePart(
            kind=kind,
            conditions=text,
            class_=self.classifier.shown(rule.target),
            measures=rule.measures,
            ranked_by=self.asked.options.measure,
            p_value=rule.p_value,
            flips=None,
            covered=rule.covered,
            hits=rule.hits,
        )
        return part.model_copy(update=self._tried(rule)) if kind.startswith("hypothetically") else part

    def _tried(self, rule: KOptimalRule) -> dict[str, Any]:
        """What becomes of the row when the rule's conditions are made true of it."""
        changed = self._applied(rule.conditions)
        frame = pd.DataFrame({name: pd.Series([value], dtype=self._dtype(name)) for name, value in changed.items()})
        becomes = self.classifier.classes(self.frames.table(frame))[0]
        moved = [name for name in self.readable if changed[name] != self.row[name]]
        return {
            "flips": becomes is not None and becomes != self.classifier.own,
            "becomes": self.classifier.shown(becomes),
            "permitted": all(_permitted(self.readable[name], self.row[name], changed[name]) for name in moved),
            "changes": tuple(self._change(name, changed[name]) for name in moved),
        }

    def _applied(self, conditions: Mapping[Any, Any]) -> dict[str, Any]:
        """The row with the least change that makes the conditions true, within the domains."""
        steps = {str(name): self._step(str(name), label) for name, label in conditions.items()}
        changed = self.items.applied(self.row, conditions, steps)
        kinds = self.frames.kinds()
        for name in map(str, conditions):
            kind = kinds[name]
            if isinstance(kind, Numeric) and changed[name] != self.row[name]:
                changed[name] = float(np.clip(changed[name], kind.low, kind.high))
        return changed

    def _step(self, name: str, label: Any) -> float:
        """How far an excluded end is passed: the declared step, else one unit of the last decimal of the ends."""
        declared = self.readable[name].change.step
        if declared is not None or name not in self.items.intervals:
            return 1.0 if declared is None else float(declared)
        interval = self.items.intervals[name][label]
        places = [_decimals(end) for end in (interval.low, interval.high) if np.isfinite(end)]
        return float(10.0 ** -max(places, default=0))

    def _change(self, name: str, value: Any) -> RuleChange:
        feature = self.readable[name]
        shown = to_scalar(value, feature.type) if is_numeric(feature) else value
        return RuleChange(feature=name, from_=plain(self.asked.row.values[name]), to=plain(shown))

    def _dtype(self, name: str) -> Any:
        feature = self.frames.features[name]
        return "Int64" if feature.type in COUNTED else "float64" if is_numeric(feature) else object

    def _numbers(self, name: str) -> Any:
        return self.near.rows[name].to_numpy(dtype=np.float64, na_value=np.nan)

    def _policy_cuts(self) -> Cuts:
        """The thresholds of the policy's conditions, and the splits of the trees of the models behind the decision."""
        program, asked = self.background.program, self.asked
        atoms = policy_atoms(program, asked.question.decision) if asked.options.of is None else ()
        found = thresholds(asked.row, atoms, asked.smace.opened)
        target = asked.question.decision if asked.options.of is None else asked.options.of
        for name, node in program.models.items():
            if name == target or name in program.ancestors(target):
                inputs = {column: used for used, column in node.inputs if used in self.readable}
                for column, cuts in tree_splits(self.background.models[name].model, self._inputs(name)).items():
                    if column in inputs and is_numeric(self.readable[inputs[column]]):
                        known = found.setdefault(inputs[column], set())
                        known.update(self._whole(inputs[column], cut) for cut in cuts)
        return found

    def _whole(self, name: str, cut: Cut) -> Cut:
        return whole_cut(cut) if self.readable[name].type in COUNTED else cut

    def _inputs(self, model: str) -> pd.DataFrame:
        """The background as the model reads it."""
        node = self.background.program.models[model]
        kinds = {column: self.background.program.type_of(used) for used, column in node.inputs}
        columns = {column: self.background.column(Variable(used, kinds[column])) for used, column in node.inputs}
        return model_frame(columns, kinds)


def _number(value: Any) -> float:
    return float("nan") if value is None else float(value)


def _decimals(number: float) -> int:
    """How many decimals a number is written with."""
    return max(0, -int(Decimal(repr(number)).normalize().as_tuple().exponent))


def _permitted(feature: Feature, before: Any, after: Any) -> bool:
    """Whether the policy lets the feature change so."""
    change = feature.change
    if change.immutable:
        return False
    if before is None or not is_numeric(feature):
        return True
    return change.may_increase if after > before else change.may_decrease
