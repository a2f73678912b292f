"""The decisions of a run, kept as codes and decoded when somebody looks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from decisionflow.conditions.values import Failure, Value
from decisionflow.evaluate.answer import CONFLICT, DECIDED, INVALID, Answer
from decisionflow.evaluate.coded_answer import Answers, CodedAnswer
from decisionflow.evaluate.collecting import scalars
from decisionflow.evaluate.combining import outside
from decisionflow.evaluate.failures import INVALID_FEATURE, OUTSIDE_DOMAIN, Failures
from decisionflow.evaluate.model_calls import ModelCall
from decisionflow.evaluate.model_runs import ModelRun
from decisionflow.evaluate.outcome import STATUSES, Outcome, unknown_decision
from decisionflow.evaluate.rule_sets import RuleSets, distinct
from decisionflow.evaluate.settings import Settings
from decisionflow.evaluate.vector import KNOWN, PENDING
from decisionflow.program.declarations import Decision, Reason
from decisionflow.program.program import Program
from decisionflow.tables.scalars import to_scalar
from decisionflow.tables.table import ERROR_STATE, MISSING_STATE, Column, Table
from decisionflow.tables.table import KNOWN as KNOWN_STATE
from decisionflow.types import Boolean, Integer, Number, Vocabulary

if TYPE_CHECKING:
    import pandas
    import pyarrow

    from decisionflow.evaluate.trace import Trace

Rows = NDArray[np.intp]


@dataclass(frozen=True)
class DecisionResult:
    """What one decision says about n rows.

    `value`, `rule`, `status` and `reasons` are arrays `(n,)`, or single values where the data was one record. A value
    is None where the row is not decided; numbers, integers and booleans keep their own dtype where every row is
    decided. `reasons` holds tuples of codes.
    """

    decision: Decision
    answer: Answer | CodedAnswer = field(repr=False)
    sets: RuleSets = field(repr=False)
    single: bool = False

    @cached_property
    def value(self) -> Any:
        return self._shown(self.values)

    @cached_property
    def rule(self) -> Any:
        return self._shown(self.rules)

    @cached_property
    def status(self) -> Any:
        return self._shown(_objects(STATUSES)[self.answer.status])

    @cached_property
    def reasons(self) -> Any:
        return self._shown(_shown_codes(self.answer.agreeing, lambda code: reason_codes(self.sets.reasons(code))))

    @cached_property
    def decided(self) -> NDArray[np.bool_]:
        """Which rows are decided."""
        return self.answer.status == DECIDED

    @cached_property
    def values(self) -> NDArray[Any]:
        """The values `(n,)`, also of one record."""
        kind = self.decision.held
        if isinstance(kind, Number | Integer | Boolean) and self.decided.all():
            return np.asarray(self.answer.values)
        if isinstance(kind, Vocabulary):
            return _objects([*kind.labels, None])[self.label_codes]
        found = np.full(len(self.decided), None, dtype=object)
        chosen = np.flatnonzero(self.decided)
        found[chosen] = _objects(scalars(self.answer.values, kind, chosen))
        return found

    @property
    def label_codes(self) -> NDArray[np.int32]:
        """The places of the labels `(n,)` of a vocabulary, -1 where not decided."""
        codes = np.asarray(self.answer.values)
        return codes if self.decided.all() else np.where(self.decided, codes, np.int32(-1))

    @cached_property
    def rules(self) -> NDArray[Any]:
        """The names of the rules `(n,)`, joined by `;`."""
        return _shown_codes(self.answer.rules, self.rule_text)

    def rule_text(self, code: int) -> str:
        """The names of a set of rules, joined by `;`."""
        return ";".join(self.sets.names(code))

    def reasons_text(self, code: int) -> str:
        """The codes of the reasons of a set of rules, joined by `;`."""
        return ";".join(reason_codes(self.sets.reasons(code)))

    def _shown(self, values: NDArray[Any]) -> Any:
        if not self.single:
            return values
        return values[0].item() if isinstance(values[0], np.generic) else values[0]


@dataclass(frozen=True)
class Result:
    """Every decision about every row of a table, with what the run was given: the settings with `today` and the seed.

    `result["NAME"]` is the DecisionResult of a decision.
    """

    program: Program = field(repr=False)
    failures: Failures = field(repr=False)
    table: Table = field(repr=False)
    settings: Settings
    answers: Answers = field(repr=False)
    rule_sets: Mapping[str, RuleSets] = field(repr=False)
    models: Mapping[str, ModelRun] = field(repr=False)

    def __len__(self) -> int:
        return self.table.rows

    def __getitem__(self, decision: str) -> DecisionResult:
        """What a decision says; raises UnknownNameError, a DataError, where there is none of that name."""
        if decision not in self._results:
            raise unknown_decision(decision, self._results)
        return self._results[decision]

    @property
    def today(self) -> date:
        """The date that the run was given."""
        return self.settings.today

    @property
    def single(self) -> bool:
        """Whether the data was one record."""
        return isinstance(self.table.source, Mapping)

    @cached_property
    def problems(self) -> dict[int, str]:
        """For every row that some decision calls invalid or in conflict, why; each reason once."""
        found: dict[int, dict[str, None]] = {}
        for name, answer in self.answers.items():
            for row in np.flatnonzero((answer.status == INVALID) | (answer.status == CONFLICT)).tolist():
                found.setdefault(row, {}).update(dict.fromkeys(self._problems(name, row)))
        return {row: "; ".join(texts) for row, texts in sorted(found.items())}

    def column(self, decision: str) -> Column:
        """The values `(n,)` of a decision as others read them: missing where undecided, else an error without one."""
        answer = self.answers[decision]
        states = np.array([KNOWN_STATE, MISSING_STATE, ERROR_STATE, ERROR_STATE], np.uint8)[answer.status]
        return Column(answer.values, states if states.any() else None)

    @property
    def invalid_rows(self) -> int:
        """How many rows have an invalid decision."""
        invalid = [answer.status == INVALID for answer in self.answers.values()]
        return int(np.any(invalid, axis=0).sum()) if invalid else 0

    @property
    def model_failures(self) -> int:
        """How many rows made a model fail or give what it must not give, each model counted."""
        return sum(len(run.problems) for run in self.models.values())

    @property
    def slow_calls(self) -> tuple[ModelCall, ...]:
        """The calls of models that took seconds."""
        return tuple(call for run in self.models.values() for call in run.slow)

    def outcome(self, decision: str, row: int) -> Outcome:
        """What a decision says about one row, as the interpreter puts it."""
        answer, sets = self.answers[decision], self.rule_sets[decision]
        status, rules = STATUSES[answer.status[row]], sets.names(int(answer.rules[row]))
        problem = self.problem(decision, row)
        if status != "decided":
            return Outcome(status, rules=rules, problem=problem)
        return Outcome(status, self._value(decision, row), rules, sets.reasons(int(answer.agreeing[row])))

    def problem(self, decision: str, row: int) -> str:
        """Why a decision is invalid or in conflict in a row; empty where it is neither."""
        return "; ".join(self._problems(decision, row))

    def _problems(self, decision: str, row: int) -> list[str]:
        """The same, one text for each cause; a row that could not be read is one cause for all of its features."""
        answer = self.answers[decision]
        if answer.status[row] == CONFLICT:
            names = self.rule_sets[decision].names(int(answer.rules[row]))
            return ["rules " + " and ".join(f"`{name}`" for name in names) + " disagree"]
        if answer.status[row] != INVALID:
            return []
        if answer.failure[row] == INVALID_FEATURE:
            found = (self.table.problems.get(name, {}).get(row, "") for name in self.program.features_of([decision]))
            return [text for text in dict.fromkeys(found) if text]
        place = int(answer.failed_rule[row])
        where = f"rule `{self.rule_sets[decision].rules[place][0]}`: " if place >= 0 else ""
        return [where + self._reason(decision, row, int(answer.failure[row]))]

    def model_value(self, model: str, row: int) -> Value | None:
        """The output that a model gave for a row, a Failure where it failed; None where it was not run."""
        run = self.models.get(model)
        if run is None or run.states[row] == PENDING:
            return None
        if run.states[row] != KNOWN:
            return Failure(run.problems[row])
        return to_scalar(run.values[row], run.bound.declaration.type)

    def rows_of(self, model: str) -> Rows:
        """The rows that a model was run for, in order."""
        return np.flatnonzero(self.models[model].states != PENDING)

    def trace(self, row: int = 0) -> Trace:
        """Every rule that a row met, every condition with its truth, the values as compared; runs no model again.

        The values of sensitive features are masked. Raises DataError for a row that is not there.
        """
        from decisionflow.evaluate.masked import masked_trace
        from decisionflow.evaluate.rows import decided_row
        from decisionflow.evaluate.trace import trace_row

        return masked_trace(self.program, trace_row(decided_row(self, row)))

    def to_pandas(self) -> pandas.DataFrame:
        """A frame with the columns NAME (NAME.PART for a record), NAME.rule, NAME.status and NAME.reasons for each
        decision, and `problem`; a number or a truth value that is not there is pandas' own missing value."""
        from decisionflow.evaluate.result_frames import as_pandas

        return as_pandas(self)

    def to_arrow(self) -> pyarrow.Table:
        """The same columns; labels, rules, statuses and reasons as dictionaries."""
        from decisionflow.evaluate.result_frames import as_arrow

        return as_arrow(self)

    def to_native(self) -> Any:
        """The same columns in the kind that the data came in: pandas, Polars, Arrow; dicts for records, one for one."""
        from decisionflow.evaluate.result_frames import as_it_came

        return as_it_came(self)

    @cached_property
    def _results(self) -> dict[str, DecisionResult]:
        decisions = self.program.decisions
        return {
            name: DecisionResult(decisions[name], answer, self.rule_sets[name], self.single)
            for name, answer in self.answers.items()
        }

    def _value(self, decision: str, row: int) -> Value:
        kind = self.program.decisions[decision].held
        return scalars(self.answers[decision].values, kind, np.array([row]))[0]

    def _reason(self, decision: str, row: int, code: int) -> str:
        if code == OUTSIDE_DOMAIN:
            return outside(self.program.decisions[decision], self._value(decision, row))
        for name, run in self.models.items():
            if code == self.failures.code(name, "run"):
                return run.problems[row]
        return self.failures.reason(code)


def reason_codes(reasons: tuple[Reason, ...]) -> tuple[str, ...]:
    """The codes of some reasons, in their order."""
    return tuple(reason.code for reason in reasons)


def _shown_codes(codes: NDArray[np.int32], shown: Callable[[int], Any]) -> NDArray[Any]:
    """What each row's code is shown as; every code is looked at once."""
    known, places = distinct(codes)
    return _objects([shown(code) for code in known.tolist()])[places]


def _objects(items: Any) -> NDArray[Any]:
    found = np.empty(len(items), dtype=object)
    for place, item in enumerate(items):
        found[place] = item
    return found
