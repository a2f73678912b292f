"""The columnar evaluator: a program and a table in, what every decision says about every row out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from decisionflow.evaluate.answer import OPEN, Answer, empty_answer
from decisionflow.evaluate.block import Block
from decisionflow.evaluate.bound_model import BoundModel
from decisionflow.evaluate.companion import last_share
from decisionflow.evaluate.compiling import Compiled, Compiler
from decisionflow.evaluate.constants import constant
from decisionflow.evaluate.deciding import decide
from decisionflow.evaluate.failures import failures_of
from decisionflow.evaluate.kernel import BLOCK_ROWS, Kernel, kernel_of
from decisionflow.evaluate.kernel_columns import has_gaps
from decisionflow.evaluate.model_runs import ModelRun, begin, gather, output_vector, run_model
from decisionflow.evaluate.result import Result
from decisionflow.evaluate.rule_plans import DecisionPlan, plan_decision
from decisionflow.evaluate.rule_sets import RuleSets
from decisionflow.evaluate.settings import Settings
from decisionflow.program.declarations import CompanionList
from decisionflow.program.program import Program
from decisionflow.tables.table import Column, Table
from decisionflow.types import DATE

KERNEL_ROWS = 1_000_000
"""Rows that a program has to have seen before compiling it, which takes seconds, pays."""

WHOLE_ROWS = 200
"""Rows that a program has to have seen before writing its steps for whole blocks, which takes milliseconds, pays."""

_MOST_SHARED_CELLS = 1 << 25
_FEWEST_ROWS = 256


class Evaluator:
    """A program with its models, ready for any number of tables; it holds nothing of a run, so threads may share it.

    It decides the decisions given, all of them where none is named, and those that they read; what nothing of it
    depends on is not computed.
    """

    def __init__(
        self, program: Program, models: Mapping[str, BoundModel], decisions: Iterable[str] | None = None
    ) -> None:
        self.program, self.models = program, models
        self.ready = ready_program(program, None if decisions is None else tuple(decisions))

    def evaluate(self, table: Table, settings: Settings) -> Result:
        """Decide every row.

        Raises DataError for a transparency that a companion list cannot have, and ModelError where a model fails and
        `settings.on_model_error` is `stop`.
        """
        _check_transparency(self.program, settings)
        kernel = None if settings.transparency or settings.stochastic else self.ready.kernel_for(table)
        return self.by_blocks(table, settings) if kernel is None else self.by_kernel(kernel, table, settings)

    def by_kernel(self, kernel: Kernel, table: Table, settings: Settings) -> Result:
        """Decide every row by a compiled kernel, and by blocks those that it leaves."""
        answers, left = kernel.decide(table, settings)
        if len(left):
            rest = self.by_blocks(table.take(left), settings)
            for name, answer in answers.items():
                answer.patch = rest.answers[name]  # type: ignore[assignment]
        rule_sets = {name: RuleSets(plan.decision) for name, plan in self.ready.plans.items()}
        ordered = {name: answers[name] for name in self.ready.plans}
        return Result(self.program, self.ready.failures, table, settings, ordered, rule_sets, {})

    def by_blocks(self, table: Table, settings: Settings) -> Result:
        """Decide every row by blocks of columns."""
        run = _Run(self.ready, self.models, table, settings)
        rows: NDArray[np.intp] | None = None
        while rows is None or len(rows):
            with np.errstate(all="ignore"):
                run.decide(rows)
            rows = run.open_rows()
            if len(rows) and not run.run_models():
                raise AssertionError("rows wait for a model that none of them asks for")
        return Result(self.program, self.ready.failures, table, settings, run.answers, run.rule_sets, run.models)


class ReadyProgram:
    """What is worked out of a program once, whatever the data: compiled expressions and plans of its decisions."""

    def __init__(self, program: Program, decisions: Iterable[str] | None = None) -> None:
        self.program = program
        self.failures = failures_of(program)
        compiler = Compiler(program)
        behind = _behind(program, program.decisions if decisions is None else decisions)
        self.order = tuple(name for name in program.order if name in behind)
        self.features = tuple(name for name in program.features if name in behind)
        self.derived: dict[str, Compiled] = {
            name: compiler.compile(item.expression) for name, item in program.derived.items() if name in behind
        }
        self.plans: dict[str, DecisionPlan] = {
            name: plan_decision(compiler, item) for name, item in program.decisions.items() if name in behind
        }
        self.shared = compiler.shared
        self.released = _released(program, self.order)
        self.decisions = tuple(self.plans)
        self.rows_seen = 0
        self.block_rows = max(_FEWEST_ROWS, min(BLOCK_ROWS, _MOST_SHARED_CELLS // max(1, self.shared)))

    def kernel_for(self, table: Table) -> Kernel | None:
        """The fastest form for a table: compiled once enough rows have been seen to pay for it."""
        self.rows_seen += table.rows
        if self.rows_seen < WHOLE_ROWS:
            return None
        if self.rows_seen < KERNEL_ROWS:
            return self.whole
        gaps = has_gaps(table, (self.program.features[name] for name in self.features))
        compiled = self.compiled_for_gaps if gaps else self.compiled
        return self.whole if compiled is None else compiled

    @cached_property
    def compiled(self) -> Kernel | None:
        """The fused loop, where one can be written."""
        return kernel_of(self.program, self.decisions, "compiled")

    @cached_property
    def compiled_for_gaps(self) -> Kernel | None:
        """The fused loop for numbers with masks."""
        return kernel_of(self.program, self.decisions, "compiled", gaps=True)

    @cached_property
    def whole(self) -> Kernel | None:
        """The same steps on whole blocks, where they can be written."""
        return kernel_of(self.program, self.decisions, "whole")


def evaluate(
    program: Program,
    models: Mapping[str, BoundModel],
    table: Table,
    settings: Settings,
    decisions: Iterable[str] | None = None,
) -> Result:
    """What the decisions, all of them where none is named, say about every row of a table; see `Evaluator`."""
    return Evaluator(program, models, decisions).evaluate(table, settings)


def ready_program(program: Program, decisions: tuple[str, ...] | None = None) -> ReadyProgram:
    """The program made ready, once for as long as it lives."""
    key = ("ready", decisions)
    if key not in program.prepared:
        program.prepared[key] = ReadyProgram(program, decisions)
    ready: ReadyProgram = program.prepared[key]
    return ready


class _Run:
    """One table being decided: first every row without models, then those that turned out to need some."""

    def __init__(self, ready: ReadyProgram, models: Mapping[str, BoundModel], table: Table, settings: Settings) -> None:
        self.ready, self.table, self.settings = ready, table, settings
        program = ready.program
        self.answers = {name: empty_answer(plan.decision.held, table.rows) for name, plan in ready.plans.items()}
        self.rule_sets = {name: RuleSets(plan.decision) for name, plan in ready.plans.items()}
        self.models: dict[str, ModelRun] = {
            name: begin(models[name], table.rows, table.first_row) for name in ready.order if name in program.models
        }

    def decide(self, rows: NDArray[np.intp] | None) -> None:
        """Decide some rows, or all of them, as far as the models that have run allow."""
        count = self.table.rows if rows is None else len(rows)
        for start in range(0, count, self.ready.block_rows):
            part = slice(start, min(count, start + self.ready.block_rows))
            if rows is None:
                self._decide_block(part, np.arange(part.start, part.stop), partial(_sliced, part=part))
            else:
                self._decide_block(rows[part], rows[part], partial(Column.take, rows=rows[part]))

    def run_models(self) -> bool:
        """Run each model that rows wait for, once; whether there was any."""
        stop = self.settings.on_model_error == "stop"
        waiting = [run for run in self.models.values() if run.waiting]
        for run in waiting:
            run_model(self.ready.program, run, self.ready.failures, stop)
        return bool(waiting)

    def open_rows(self) -> NDArray[np.intp]:
        """The rows in which some decision still waits for a model."""
        if not self.models:
            return np.empty(0, np.intp)
        return np.flatnonzero(np.any([answer.status == OPEN for answer in self.answers.values()], axis=0))

    def _decide_block(self, place: Any, rows: NDArray[np.intp], take: Any) -> None:
        ready = self.ready
        features = {name: take(self.table.columns[name]) for name in ready.features}
        block = Block(
            ready.program,
            self.settings,
            ready.failures,
            self.rule_sets,
            features,
            len(rows),
            [None] * ready.shared,
        )
        block.read_features()
        block.variables["today"] = constant(self.settings.today, DATE)
        for name in ready.order:
            for answered, answer in self._compute(block, name, place):
                self.answers[answered].write(place, answer)
            for done in ready.released[name]:
                block.variables.pop(done, None)
        for run in reversed(self.models.values()):
            gather(block, run, rows)

    def _compute(self, block: Block, name: str, place: Any) -> Iterator[tuple[str, Answer]]:
        ready = self.ready
        if name in ready.derived:
            block.variables[name] = ready.derived[name](block)
        elif name in self.models:
            block.variables[name] = output_vector(block, self.models[name], place)
        elif name in ready.plans:
            answer = decide(block, ready.plans[name])
            block.variables[name] = answer.as_read(name, ready.failures)
            yield name, answer


def _sliced(column: Column, part: slice) -> Column:
    return Column(column.values[part], None if column.states is None else column.states[part])


def _behind(program: Program, decisions: Iterable[str]) -> set[str]:
    """The decisions, and every name that one of them depends on."""
    found: set[str] = set()
    waiting = list(decisions)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += program.reads[name]
    return found


def _released(program: Program, order: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """For every name, those that nothing reads after it; what a model takes is kept until the block is done."""
    kept = {used for item in program.models.values() for used, _ in item.inputs}
    last: dict[str, str] = {}
    for name in order:
        for used in program.reads[name]:
            last[used] = name
    released: dict[str, list[str]] = {name: [] for name in order}
    for used, reader in last.items():
        if used not in kept:
            released[reader].append(used)
    return {name: tuple(done) for name, done in released.items()}


def _check_transparency(program: Program, settings: Settings) -> None:
    for name, transparency in settings.transparency.items():
        decision = program.decisions.get(name)
        if decision is not None and isinstance(decision.body, CompanionList):
            last_share(decision, decision.body, transparency)
