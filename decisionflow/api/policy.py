"""A loaded policy."""

from __future__ import annotations

import datetime
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from decisionflow.check.models import complete_models
from decisionflow.check.policy_file import PolicySource, check_policy_file, check_policy_text
from decisionflow.diagnostics import Diagnostic, did_you_mean
from decisionflow.errors import DataError, ModelError, PolicyError, UnknownNameError
from decisionflow.program.declarations import CompanionList, Decision, Feature, ModelDeclaration
from decisionflow.program.program import Program
from decisionflow.syntax import tree
from decisionflow.syntax.format import format_text
from decisionflow.syntax.limits import LIMITS, Limits

if TYPE_CHECKING:
    import networkx
    import pandas

    from decisionflow.api.explanation import Explanation
    from decisionflow.api.overview import Overview
    from decisionflow.evaluate.bound_model import BoundModel
    from decisionflow.evaluate.evaluator import Evaluator
    from decisionflow.evaluate.result import Result
    from decisionflow.evaluate.settings import Settings
    from decisionflow.tables.table import Table

AllowedPaths = Sequence[str | Path]


def load_policy(
    path: str | Path,
    models: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
    *,
    allow_paths: AllowedPaths = (),
    limits: Limits = LIMITS,
) -> Policy:
    """Load a policy file with the models that it names.

    `models` binds models by name: a fitted estimator, a `Model`, a callable from a DataFrame to a column, or a URI; it
    comes before the policy's own `from`. `parameters` sets parameters anew. Files that the policy names lie in its own
    folder or in one of `allow_paths`. Raises PolicyError with every error of the policy, ModelError for a model that
    cannot be loaded or does not offer what the policy reads.
    """
    path, allowed = Path(path), tuple(Path(item) for item in allow_paths)
    source = check_policy_file(path, allowed, parameters, limits)
    return _policy(source, path.resolve().parent, allowed, models or {})


def parse_policy(
    text: str,
    models: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
    *,
    folder: str | Path | None = None,
    allow_paths: AllowedPaths = (),
    limits: Limits = LIMITS,
) -> Policy:
    """As `load_policy`, from a policy's text; files that it names are looked for in `folder`."""
    allowed = tuple(Path(item) for item in allow_paths)
    place = None if folder is None else Path(folder)
    source = check_policy_text(text, folder=place, allowed=allowed, parameters=parameters, limits=limits)
    return _policy(source, place, allowed, models or {})


def _policy(source: PolicySource, folder: Path | None, allowed: Sequence[Path], given: Mapping[str, Any]) -> Policy:
    if source.program is None or source.tree is None:
        raise PolicyError([found for found in source.diagnostics if found.severity == "error"])
    program, bound = source.program, _bind(source.program, folder, allowed, given)
    stored = {name: found.inputs for name, found in bound.items() if found.inputs is not None}
    completed = complete_models(program, stored)
    if completed.program is None:
        raise PolicyError(completed.diagnostics)
    return Policy(completed.program, source.tree, source.diagnostics, bound, folder, tuple(allowed))


def _bind(program: Program, folder: Path | None, allowed: Sequence[Path], given: Mapping[str, Any]) -> dict[str, Any]:
    """The models that are given or named by the policy; each offers the output that the policy reads."""
    for name in given:
        if name not in program.models:
            hint = did_you_mean(name, program.models)
            raise ModelError(f"the policy declares no model `{name}`" + (f"; {hint}" if hint else ""))
    wanted = {name: given.get(name, node.uri) for name, node in program.models.items()}
    if all(value is None for value in wanted.values()):
        return {}
    from decisionflow.models.binding import bind

    bound = {}
    for name, value in wanted.items():
        if value is not None:
            bound[name] = bind(name, value, folder, allowed).named(name)
            bound[name].require(program.models[name].output)
    return bound


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
    def background_table(self) -> Table:
        """The rows of the policy's own background file; raises DataError where it cannot be read."""
        from decisionflow.tables.files.open_data import open_data

        path = (self.folder or Path()) / str(self.program.background)
        return self.read(next(open_data(str(path)).chunks(sys.maxsize)))

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
        settings = self.settings(today, transparency, stochastic, seed, on_model_error)
        return self.evaluator.evaluate(self.read(data, validate), settings)

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
        contributions speak of), and `contribution.FEATURE` for every feature behind the decision. Raises as `explain`.
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
                f'load the policy with models={{"{missing[0]}": …}}'
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
        from decisionflow.evaluate.settings import Settings

        return Settings(
            run_date(today),
            self._transparency(transparency),
            stochastic,
            seed,
            on_model_error,  # type: ignore[arg-type]
        )

    def _transparency(self, given: float | Mapping[str, float] | None) -> Mapping[str, float]:
        companions = [name for name, node in self.decisions.items() if isinstance(node.body, CompanionList)]
        if given is None:
            return {}
        if not isinstance(given, Mapping):
            return dict.fromkeys(companions, float(given))
        for name in given:
            if name not in companions:
                hint = did_you_mean(name, companions)
                raise DataError(f"`{name}` is no companion decision of this policy" + (f"; {hint}" if hint else ""))
        return dict(given)

    def decision_named(self, name: str | None) -> str:
        """The decision of that name, the first declared for None; raises DataError where there is none."""
        if name is None and self.decisions:
            return next(iter(self.decisions))
        if name not in self.decisions:
            hint = did_you_mean(name or "", self.decisions)
            raise UnknownNameError(f"the policy has no decision `{name}`" + (f"; {hint}" if hint else ""))
        return str(name)


def run_date(given: datetime.date | str | None) -> datetime.date:
    """The date of a run, the machine's where none is given; raises DataError for a text that is no date."""
    if given is None:
        return datetime.datetime.now().astimezone().date()
    if isinstance(given, datetime.datetime):
        return given.date()
    if isinstance(given, datetime.date):
        return given
    try:
        return datetime.date.fromisoformat(given)
    except ValueError as error:
        raise DataError(f"`{given}` is no date; write it like 2026-11-29") from error
