"""Run the tests that a policy carries: what was expected, what was found, and the trace of a failure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from decisionflow.conditions.values import MISSING, Value
from decisionflow.evaluate.combining import same
from decisionflow.evaluate.interpreter import Row, RowModel
from decisionflow.evaluate.outcome import Outcome
from decisionflow.evaluate.rows import features_at
from decisionflow.evaluate.settings import Settings
from decisionflow.evaluate.trace import DecisionTrace, trace_decision
from decisionflow.program.cases import Case, Expectation
from decisionflow.program.program import Program
from decisionflow.tables.read_table import read_table
from decisionflow.types import Record


@dataclass(frozen=True, slots=True)
class Finding:
    """One expectation of a test, and what the policy said; `differs` names what is not as expected, if anything."""

    expected: Expectation
    found: Outcome
    differs: tuple[str, ...]
    trace: DecisionTrace


@dataclass(frozen=True, slots=True)
class CaseResult:
    """One test, run."""

    case: Case
    findings: tuple[Finding, ...]

    @property
    def passed(self) -> bool:
        return not any(finding.differs for finding in self.findings)


def run_case(program: Program, case: Case, models: Mapping[str, RowModel], settings: Settings) -> CaseResult:
    """Decide the row that a test gives and compare; a given model or decision is fixed, `today` replaces the run's."""
    given = dict(case.given)
    today = given.pop("today", settings.today)
    fixed = {name: value for name, value in given.items() if name not in program.features}
    row = Row(program, _features(program, given), models, _on(settings, today), fixed)
    findings = tuple(_finding(row, expected) for expected in case.expected)
    return CaseResult(case, findings)


def rules_fired(results: tuple[CaseResult, ...]) -> dict[str, frozenset[str]]:
    """For each decision that tests speak of, the rules that fired in some test."""
    fired: dict[str, frozenset[str]] = {}
    for finding in (finding for result in results for finding in result.findings):
        name = finding.expected.decision
        fired[name] = fired.get(name, frozenset()) | frozenset(finding.found.rules)
    return fired


def _features(program: Program, given: Mapping[str, Value]) -> dict[str, Value]:
    """Every feature as a record with these values would bring it: validated, with defaults."""
    record = {
        feature.reading.column: given[name]
        for name, feature in program.features.items()
        if given.get(name, MISSING) is not MISSING
    }
    return features_at(program, read_table([record], program.features), 0)


def _on(settings: Settings, today: Value) -> Settings:
    return Settings(today, settings.transparency, settings.stochastic, settings.seed, settings.on_model_error)


def _finding(row: Row, expected: Expectation) -> Finding:
    decision = row.program.decisions[expected.decision]
    found = row.decide(expected.decision)
    return Finding(expected, found, tuple(_differences(row, expected, found)), trace_decision(row, decision))


def _differences(row: Row, expected: Expectation, found: Outcome) -> list[str]:
    if found.status != expected.status:
        return ["status"]
    differs = []
    if expected.status == "decided" and not _as_expected(row, expected, found.value):
        differs.append("value")
    if expected.rule is not None and expected.rule not in (*found.rules, found.rule):
        differs.append("rule")
    if expected.reason is not None and expected.reason not in [reason.code for reason in found.reasons]:
        differs.append("reason")
    return differs


def _as_expected(row: Row, expected: Expectation, value: Value) -> bool:
    kind = row.program.decisions[expected.decision].held
    if expected.part and isinstance(kind, Record):
        return same(value[expected.part], expected.value, dict(kind.parts)[expected.part], tolerant=True)
    return same(value, expected.value, kind, tolerant=True)
