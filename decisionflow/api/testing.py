"""Run the tests that a policy file carries, and those in files beside it."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from decisionflow.api.deciding import run_date
from decisionflow.api.loading import load_policy
from decisionflow.check.policy_file import check_policy_file
from decisionflow.check.tests_beside import tests_beside
from decisionflow.conditions.values import Failure, Value
from decisionflow.errors import ModelError, PolicyError
from decisionflow.evaluate.interpreter import RowModel
from decisionflow.evaluate.rows import row_model
from decisionflow.evaluate.settings import Settings
from decisionflow.program.cases import Case
from decisionflow.program.program import Program
from decisionflow.review.policy_tests import CaseResult, run_case


def run_tests(
    path: Path, allowed: Sequence[Path] = (), today: datetime.date | str | None = None
) -> tuple[Program, tuple[CaseResult, ...]]:
    """The policy's program and its tests, run in order; then those of the test files beside it.

    Models are loaded only when a test asks for an output that it does not give; where one cannot be loaded, that output
    is an error value with the reason. Raises PolicyError for a faulty policy or file of tests.
    """
    program, results = _run_file(path, allowed, today)
    for beside in tests_beside(path):
        # What a file of tests brings in are the policy's own, which have run.
        results += _run_file(beside, allowed, today, only_its_own=True)[1]
    return program, results


def _stands_in(file: Path, case: Case) -> bool:
    return case.span is not None and Path(case.span.source.name) == file


def _run_file(
    path: Path, allowed: Sequence[Path], today: datetime.date | str | None, only_its_own: bool = False
) -> tuple[Program, tuple[CaseResult, ...]]:
    source = check_policy_file(path, allowed)
    if source.program is None:
        raise PolicyError([found for found in source.diagnostics if found.severity == "error"])
    program = source.program
    lazy = _LazyModels(path, allowed)
    models = {name: RowModel(lazy.output(name), takes_missing=True) for name in program.models}
    settings = Settings(run_date(today))
    cases = [case for case in program.cases if not only_its_own or _stands_in(path, case)]
    return program, tuple(run_case(program, case, models, settings) for case in cases)


class _LazyModels:
    """The policy's models, loaded at their first use."""

    def __init__(self, path: Path, allowed: Sequence[Path]) -> None:
        self._path, self._allowed = path, allowed
        self._loaded: Mapping[str, RowModel] | str | None = None

    def output(self, name: str) -> Any:
        """A function from inputs to the output of one model."""

        def run(inputs: Mapping[str, Value]) -> Value:
            loaded = self._load()
            if isinstance(loaded, str):
                return Failure(f"model `{name}` is not at hand ({loaded}); give its output in the test")
            return loaded[name].output(inputs)

        return run

    def _load(self) -> Mapping[str, RowModel] | str:
        if self._loaded is None:
            try:
                policy = load_policy(self._path, allow_paths=self._allowed)
                bound = policy.models_for(policy.decisions)
                settings = policy.settings()
                self._loaded = {name: row_model(model, settings) for name, model in bound.items()}
            except ModelError as error:
                self._loaded = str(error)
        return self._loaded
