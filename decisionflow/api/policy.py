"""A loaded policy."""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from decisionflow.diagnostics import Diagnostic
from decisionflow.errors import ModelError
from decisionflow.program.declarations import Decision, Feature, ModelDeclaration
from decisionflow.program.program import Program
from decisionflow.syntax import tree
from decisionflow.syntax.format import format_text

if TYPE_CHECKING:
    import networkx
    import pandas

    from decisionflow.api.explanation import Explanation
    from decisionflow.api.overview import Overview
    from decisionflow.evaluate.bound_model import BoundModel
    from decisionflow.evaluate.evaluator import Evaluator
    from decisionflow.evaluate.result import Result
    from decisionflow.evaluate.row_answer import RowAnswer
    from decisionflow.evaluate.row_function import RowFunctions
    from decisionflow.evaluate.row_result import RowResult
    from decisionflow.evaluate.settings import Settings
    from decisionflow.tables.table import Table


@dataclass(frozen=True)
class Policy:
    """A policy, checked, with its models: immutable, and safe to use from many threads."""

    program: Program
    tree: tree.File = field(repr=False)
    diagnostics: tuple[Diagnostic, ...] = field(repr=False)
    bound: Mapping[str, Any] = field(repr=False)
    folder: Path | None = None
    allowed: tuple[Path, ...] = ()
    explainers: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        """Only what was loaded is shipped to other processes; what was worked out from it is worked out there."""
        loaded = {item.name: getattr(self, item.name) for item in fields(self)}
        return {**loaded, "explainers": {}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    @property
    def name(self) -> str:
        return self.program.name

    @property
    def decisions(self) -> Mapping[str, Decision]:
        """The decisions by name, in order of declaration."""
        return self.program.decisions

    @property
    def features(self) -> Mapping[str, Feature]:
        """The features by name, in order of declaration."""
        return self.program.features

    @property
    def models(self) -> Mapping[str, ModelDeclaration]:
        """The models by name, in order of declaration."""
        return self.program.models

    @property
    def graph(self) -> networkx.DiGraph[str]:
        """The decision graph; nodes carry `kind` and `type`."""
        return self.program.graph

    @cached_property
    def evaluator(self) -> Evaluator:
        """The program made ready for any number of tables."""
        from decisionflow.evaluate.evaluator import Evaluator

        return Evaluator(self.program, self.models_for(self.decisions))

    @cached_property
    def row_functions(self) -> RowFunctions:
        """The functions that decide one record at a time."""
        from decisionflow.evaluate.row_function import RowFunctions

        return RowFunctions(self.program)

    @cached_property
    def run_date(self) -> Callable[[datetime.date | str | None], datetime.date]:
        from decisionflow.api.deciding import run_date

        return run_date

    @cached_property
    def check_word(self) -> Callable[[str], None]:
        from decisionflow.api.deciding import check_word

        return check_word

    @cached_property
    def row_result(self) -> Callable[..., RowResult]:
        from decisionflow.evaluate.row_result import row_result

        return row_result

    @cached_property
    def background_table(self) -> Table:
        """The rows of the policy's own background file; raises DataError where it cannot be read."""
        from decisionflow.tables.files.open_data import every_row, open_data

        path = (self.folder or Path()) / str(self.program.background)
        return self.read(every_row(open_data(str(path))))

    @cached_property
    def text(self) -> str:
        """The canonical text of the policy's own file."""
        return format_text(self.tree)

    def check(self) -> tuple[Diagnostic, ...]:
        """Every warning and lint; a loaded policy has no errors."""
        from decisionflow.check.lints.lint import lint_program

        return (*self.diagnostics, *lint_program(self.program))

    def evaluate(
        self,
        data: Any,
        today: datetime.date | str | None = None,
        transparency: float | Mapping[str, float] | None = None,
        stochastic: bool = False,
        seed: int = 0,
        validate: bool = True,
        on_model_error: str = "row",
    ) -> Result:
        """Decide every row of the data: a dict (one row), a list of dicts, a pandas or Polars DataFrame, Arrow.

        `today` is the date of the run (not given: the machine's). `transparency` cuts companion lists, one number for
        all or one by decision. `validate=False` is the promise that every value has the declared type and domain.
        A bad value never raises: it makes the decisions that depend on it invalid. Raises DataError for data that
        cannot be read as a whole, ModelError for a model that is not bound.
        """
        if transparency is None and not stochastic and (type(data) is dict or isinstance(data, Mapping)):
            functions, begun = self.row_functions, time.time()
            if on_model_error != "row":
                self.check_word(on_model_error)
            day = None if today is None and not functions.reads_today else self.run_date(today)
            answers = functions.answers(data, day, validate)
            if answers is not None:
                given = dict(data), day or begun, None, False, seed, validate, on_model_error
                return self.row_result(answers, self.decide_as_begun, given)
        return self.decide(data, today, transparency, stochastic, seed, validate, on_model_error)

    def row_function(
        self, decision: str | None = None, today: datetime.date | str | None = None, validate: bool = True
    ) -> Callable[[Mapping[str, Any]], RowAnswer]:
        """A function from a record, a dict, to what a decision says: `.value`, `.rule`, `.status`, `.reasons`.

        It says what `evaluate` says, prepared once and without a Result: for services that decide one row at a time.
        `decision` is the first declared where it is not given; `today` is the day of each call where it is not given.
        Raises UnknownNameError for a decision that is not there.
        """
        from decisionflow.api.deciding import row_function

        return row_function(self, self.decision_named(decision), today, validate)

    def explain(
        self,
        data: Any,
        row: int = 0,
        decision: str | None = None,
        method: str | Sequence[str] = "smace",
        rule: str | None = None,
        why_not: Any = None,
        background: Any = None,
        seed: int = 0,
        today: datetime.date | str | None = None,
        transparency: float | Mapping[str, float] | None = None,
        scale: str = "domain",
        categories: str = "shares",
        of: str | None = None,
        measure: str = "leverage",
        k: int = 10,
        weights: Mapping[str, float] | None = None,
        max_features: int | None = None,
        answers: int = 1,
        time_limit: float = 30.0,
    ) -> Explanation:
        """Why one row of the data got its decision.

        `method` names one method or several: smace, which is always there, and what stands beside it. `of` has shap,
        lime and rules explain a model of the policy in place of the decision: its name, or `NAME=LABEL` for one of its
        classes; `measure` and `k` are for rules. `weights` (feature -> number above 0, 1 where not given),
        `max_features`, the number of `answers` that change different features, and `time_limit` in seconds are for the
        nearest change, of which `why_not` is the outcome to reach; not given, any other than the present one.

        `decision` is the first declared where it is not given. `rule` names the rule to explain, `why_not` the outcome
        that was expected. `background` is data like `data`; not given, the policy's own, else the data explained if it
        has two rows or more. Raises DataError for a row, rule, outcome or decision that is not there, and where a
        background is needed and there is none.
        """
        from decisionflow.api.explaining import explain
        from decisionflow.explain.explainers import MethodOptions
        from decisionflow.explain.nearest_change.options import ChangeOptions

        return explain(
            self,
            data,
            row=row,
            decision=decision,
            method=method,
            rule=rule,
            why_not=why_not,
            background=background,
            settings=self.settings(today, transparency, False, seed, "row"),
            scale=scale,
            categories=categories,
            options=MethodOptions(of, measure, k, ChangeOptions(weights or {}, max_features, answers, time_limit)),
        )

    def explain_batch(
        self,
        data: Any,
        rows: Iterable[int] | None = None,
        decision: str | None = None,
        rule: str | None = None,
        why_not: Any = None,
        background: Any = None,
        seed: int = 0,
        today: datetime.date | str | None = None,
        transparency: float | Mapping[str, float] | None = None,
        scale: str = "domain",
        categories: str = "shares",
    ) -> pandas.DataFrame:
        """SMACE of many rows, all where none are named: what `explain` gives for each, one row of a frame each.

        The columns are `row`, NAME, NAME.rule and NAME.status of the decision, `target_rule` (the rule that the
        contributions speak of), NAME.customer_reasons where the decision has adverse outcomes (the codes that the
        customer is told, joined by `;`), and `contribution.FEATURE` for every feature behind the decision. Raises as
        `explain`.
        """
        from decisionflow.api.explaining import explain_batch

        return explain_batch(
            self,
            data,
            rows=rows,
            decision=decision,
            rule=rule,
            why_not=why_not,
            background=background,
            settings=self.settings(today, transparency, False, seed, "row"),
            scale=scale,
            categories=categories,
        )

    def overview(
        self,
        data: Any,
        by: str | None = None,
        decision: str | None = None,
        background: Any = None,
        seed: int = 0,
        today: datetime.date | str | None = None,
        sample: int | None = 500,
        scale: str = "domain",
        categories: str = "shares",
    ) -> Overview:
        """What carries a decision over a data set: rules, features, and the share of rows near each boundary.

        Rules and boundaries are counted over all rows; contributions are SMACE's over a `sample` of them, drawn by
        the `seed` (None: all), and `by` groups those by the values of a feature. Raises as `explain`.
        """
        from decisionflow.api.explaining import overview

        settings = self.settings(today, None, False, seed, "row")
        return overview(self, data, by, decision, background, settings, sample, scale, categories)

    # What the doors above share

    def decide(
        self,
        data: Any,
        today: datetime.date | str | None,
        transparency: float | Mapping[str, float] | None,
        stochastic: bool,
        seed: int,
        validate: bool,
        on_model_error: str,
    ) -> Result:
        """As `evaluate`, by columns."""
        settings = self.settings(today, transparency, stochastic, seed, on_model_error)
        return self.evaluator.evaluate(self.read(data, validate), settings)

    def decide_as_begun(self, data: Any, begun: datetime.date | float, *settings: Any) -> Result:
        """As `decide`, for a run that began on a day, or at a moment in seconds since 1970."""
        from decisionflow.api.deciding import local_date

        return self.decide(data, local_date(begun) if isinstance(begun, float) else begun, *settings)

    def read(self, data: Any, validate: bool = True, decisions: Iterable[str] | None = None) -> Table:
        """The features that the decisions depend on, read by their declared types; `data` may be rows of a file."""
        from decisionflow.tables.files.chunk import Chunk
        from decisionflow.tables.read_table import read_table

        needed = self.program.features_of(self.decisions if decisions is None else decisions)
        features = {name: self.features[name] for name in needed}
        if isinstance(data, Chunk):
            return data.read(features, validate)
        return read_table(data, features, validate=validate)

    def models_for(self, decisions: Iterable[str]) -> dict[str, BoundModel]:
        """The bound models that the decisions depend on; raises ModelError for one that is not bound."""
        behind = set().union(*(self.program.ancestors(name) for name in decisions))
        needed = [name for name in self.models if name in behind]
        missing = [name for name in needed if name not in self.bound]
        if missing:
            raise ModelError(
                f"model `{missing[0]}` has no file in the policy and is not bound; "
                f'load the policy with models={{"{missing[0]}": …}}, or give --model {missing[0]}=FILE'
            )
        return {name: self._bound_model(name) for name in needed}

    def _bound_model(self, name: str) -> BoundModel:
        from decisionflow.evaluate.bound_model import BoundModel

        kinds = {column: self.program.type_of(used) for used, column in self.models[name].inputs}
        return BoundModel(self.models[name], self.bound[name], kinds)

    def settings(
        self,
        today: datetime.date | str | None = None,
        transparency: float | Mapping[str, float] | None = None,
        stochastic: bool = False,
        seed: int = 0,
        on_model_error: str = "row",
    ) -> Settings:
        """The settings of a run; raises DataError for a date or a decision that is none."""
        from decisionflow.api.deciding import settings_of

        return settings_of(self.program, today, transparency, stochastic, seed, on_model_error)

    def decision_named(self, name: str | None) -> str:
        """The decision of that name, the first declared for None; raises DataError where there is none."""
        if name is None and self.decisions:
            return next(iter(self.decisions))
        if name not in self.decisions:
            from decisionflow.evaluate.outcome import unknown_decision

            raise unknown_decision(name, self.decisions)
        return str(name)
