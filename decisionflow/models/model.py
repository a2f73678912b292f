"""A model: a column computed from columns."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from decisionflow.errors import ModelError
from decisionflow.models import messages
from decisionflow.models.columns import labels_of, numbers_of, one_column, trained
from decisionflow.types import ModelOutput

if TYPE_CHECKING:
    import pandas as pd

Kind = Literal["probability", "score", "label", "number"]
Label = str | int | float | bool
Values = NDArray[Any]
OVERSHOOT = 1e-12
SINGLE_OVERSHOOT = 1e-6


@dataclass(frozen=True, slots=True)
class Scored:
    """A column of length n, and the positions that have no value (there it holds NaN or None), each with its error."""

    values: Values
    failures: Mapping[int, ModelError]


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """What the evaluator and the explainers know of a model.

    `functions` gives, for each kind of output that the model offers, a function from a table with the columns `inputs`
    (in that order, or as given where the model has no stored names) to what its library returns: probability (n, k)
    beside `classes`, or (n,) for the last class; score likewise; label and number (n,). `classes` are the labels as the
    library has them. `missing_inputs` names the inputs that may be missing; None stands for all. `categories` holds
    the training vocabulary of native categorical inputs: a value outside it is never scored. `subject` is the object
    behind it, which attributions may look into, and `notes` what a user has to know of it: that another
    version of its library saved it.
    """

    name: str
    functions: Mapping[Kind, Callable[[pd.DataFrame], Any]]
    inputs: tuple[str, ...] | None = None
    width: int | None = None
    classes: tuple[Label, ...] | None = None
    missing_inputs: frozenset[str] | None = frozenset()
    categories: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    subject: object = None
    notes: tuple[str, ...] = ()

    @property
    def offers(self) -> tuple[Kind, ...]:
        """The kinds of output, in the order in which messages list them."""
        return tuple(kind for kind in ("probability", "label", "score", "number") if kind in self.functions)

    @property
    def takes_missing(self) -> bool:
        """Whether every input may be missing."""
        if self.missing_inputs is None:
            return True
        return bool(self.inputs) and self.missing_inputs.issuperset(self.inputs or ())

    def takes_missing_in(self, column: str) -> bool:
        """Whether this input may be missing: an imputer may stand before some inputs only."""
        return self.missing_inputs is None or column in self.missing_inputs

    def named(self, name: str) -> Model:
        """The same model under the name that the policy gives it."""
        return replace(self, name=name)

    def require(self, output: ModelOutput) -> None:
        """Raise ModelError unless the model offers this output, for this class."""
        if output.kind not in self.functions:
            raise ModelError(messages.not_offered(self.name, output.kind, self.offers))
        if output.kind in ("probability", "score") and self.classes is not None:
            self.class_index(output)

    def class_index(self, output: ModelOutput) -> int:
        """Place of the output's label in `classes`; raises ModelError with the classes where there is none."""
        classes = self.classes or ()
        if output.label is None:
            raise ModelError(messages.no_label(self.name, output.kind, classes))
        for place, each in enumerate(classes):
            if same_label(each, output.label):
                return place
        raise ModelError(messages.unknown_class(self.name, output.label, classes))

    def column(self, frame: pd.DataFrame, output: ModelOutput) -> Values:
        """The output for each row (n,): float64, or labels as text (dtype object) for the kind `label`.

        `frame` has named columns; further ones are left out. A single-precision output is widened to the shortest
        decimal that prints the same. Raises ModelError when the model fails, or for the first row without a value.
        """
        scored = self._score(frame, output, isolate=False)
        for error in scored.failures.values():
            raise error
        return scored.values

    def score(self, frame: pd.DataFrame, output: ModelOutput) -> Scored:
        """As `column`, but a row that makes the model fail, or gets no proper value, costs no other row its value.

        The model sees each row once; only when a whole block fails is it halved until the failing rows stand alone.
        Raises ModelError for what is wrong whatever the row: an output not offered, a column not given.
        """
        return self._score(frame, output, isolate=True)

    def table(self, frame: pd.DataFrame) -> pd.DataFrame:
        """The columns that the model reads, in its own order, native categories with the training vocabulary."""
        table = self._selected(frame)
        if not self.categories:
            return table
        known = {column: trained(table[column], values) for column, values in self.categories.items()}
        return table.assign(**known)

    def _score(self, frame: pd.DataFrame, output: ModelOutput, isolate: bool) -> Scored:
        self.require(output)
        failures = self._unseen(self._selected(frame))
        table = self.table(frame)
        places = [place for place in range(len(table)) if place not in failures] if failures else None
        scored = self._run(table if places is None else table.iloc[places], output, isolate)
        if places is None:
            return scored
        values = np.full(len(table), None if output.kind == "label" else np.nan, dtype=scored.values.dtype)
        values[places] = scored.values
        failures |= {places[place]: error for place, error in scored.failures.items()}
        return Scored(values, dict(sorted(failures.items())))

    def _selected(self, frame: pd.DataFrame) -> pd.DataFrame:
        given = [str(column) for column in frame.columns]
        if self.inputs is None:
            if self.width is not None and self.width != len(given):
                raise ModelError(messages.wrong_count(self.name, self.width, given))
            return frame
        for column in self.inputs:
            if column not in frame.columns:
                raise ModelError(messages.missing_column(self.name, column, given))
        return frame if tuple(given) == self.inputs else frame[list(self.inputs)]

    def _unseen(self, table: pd.DataFrame) -> dict[int, ModelError]:
        failures: dict[int, ModelError] = {}
        for column, known in self.categories.items():
            strange = table[column].notna() & ~table[column].isin(known)
            for place in np.flatnonzero(strange.to_numpy()):
                value = table[column].iloc[place]
                failures[int(place)] = ModelError(messages.unseen_category(self.name, column, value, known))
        return failures

    def _run(self, table: pd.DataFrame, output: ModelOutput, isolate: bool) -> Scored:
        if len(table) == 0:
            return Scored(np.empty(0, dtype=object if output.kind == "label" else float), {})
        try:
            return self._oriented(self._called(table, output.kind), len(table), output)
        except ModelError as error:
            if not isolate:
                raise
            return self._halved(table, output, error)

    def _halved(self, table: pd.DataFrame, output: ModelOutput, error: ModelError) -> Scored:
        if len(table) == 1:
            nothing: Values = np.array([None], dtype=object) if output.kind == "label" else np.array([np.nan])
            return Scored(nothing, {0: error})
        middle = len(table) // 2
        first, second = self._run(table.iloc[:middle], output, True), self._run(table.iloc[middle:], output, True)
        moved = {place + middle: each for place, each in second.failures.items()}
        return Scored(np.concatenate([first.values, second.values]), {**first.failures, **moved})

    def _called(self, table: pd.DataFrame, kind: Kind) -> Values:
        try:
            return np.asarray(self.functions[kind](table))
        except ModelError:
            raise
        except Exception as error:
            raise ModelError(messages.failed(self.name, error)) from error

    def _oriented(self, raw: Values, rows: int, output: ModelOutput) -> Scored:
        if raw.ndim == 0:
            raise ModelError(messages.no_column(self.name, raw.item()))
        if len(raw) != rows:
            raise ModelError(messages.wrong_length(self.name, rows, len(raw)))
        if output.kind == "label":
            return Scored(*labels_of(self.name, one_column(self.name, raw)))
        if output.kind == "number":
            return Scored(*numbers_of(self.name, one_column(self.name, raw), "number"))
        single = raw.dtype.kind == "f" and raw.dtype.itemsize < 8
        column, turned = self._towards(raw, output)
        values, failures = numbers_of(self.name, column, output.kind)
        if output.kind == "score":
            return Scored(-values + 0.0 if turned else values, failures)
        values = 1.0 - values if turned else values
        return self._in_unit_interval(values, failures, SINGLE_OVERSHOOT if single else OVERSHOOT)

    def _towards(self, raw: Values, output: ModelOutput) -> tuple[Values, bool]:
        """The column for the output's label, and whether it still has to be turned towards the label."""
        if raw.ndim == 2 and raw.shape[1] > 1:
            if self.classes is None:
                raise ModelError(messages.no_classes(self.name, raw.shape[1]))
            if raw.shape[1] != len(self.classes):
                raise ModelError(messages.unlike_classes(self.name, raw.shape, len(self.classes)))
            return raw[:, self.class_index(output)], False
        column = one_column(self.name, raw)
        if self.classes is None:
            return column, False
        if len(self.classes) > 2:
            raise ModelError(messages.unlike_classes(self.name, raw.shape, len(self.classes)))
        return column, self.class_index(output) < len(self.classes) - 1

    def _in_unit_interval(self, values: Values, failures: dict[int, ModelError], overshoot: float) -> Scored:
        """Rounding may carry a sum of shares past an end by `overshoot`; what lies further out is no probability."""
        outside = (values < -overshoot) | (values > 1.0 + overshoot)
        for place in np.flatnonzero(outside):
            failures[int(place)] = ModelError(messages.not_a_probability(self.name, float(values[place])))
        kept = np.where(outside, np.nan, np.clip(values, 0.0, 1.0))
        return Scored(kept, dict(sorted(failures.items())))


def same_label(known: object, asked: object) -> bool:
    """Whether a policy's label is a model's class: text is text, a number a number, a truth value neither."""
    if isinstance(known, str) or isinstance(asked, str):
        return isinstance(known, str) and isinstance(asked, str) and _composed(known) == _composed(asked)
    return isinstance(known, bool) == isinstance(asked, bool) and known == asked


def plain_labels(values: Sequence[Any]) -> tuple[Label, ...]:
    """Class labels as Python's own values: text, integers, numbers, truth values."""
    return tuple(value.item() if isinstance(value, np.generic) else value for value in values)


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)
