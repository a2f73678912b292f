"""The outcome of a policy's tests as text and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from decisionflow.program.cases import Expectation
from decisionflow.program.program import Program
from decisionflow.render.wording import value_text
from decisionflow.review.policy_tests import CaseResult, Finding, rules_fired
from decisionflow.syntax.restore import condition_text

Run = tuple[str, Program, Sequence[CaseResult]]
"""The name of a policy's file, its program, and its tests as they were run."""


def tests_text(results: Sequence[CaseResult]) -> str:
    """One line a test; under a failed one what was expected, what was found, and the rules that the row met."""
    lines = []
    for result in results:
        lines.append(f"{'passed' if result.passed else 'FAILED'}  {result.case.name}")
        for finding in result.findings:
            if finding.differs:
                lines += _failure(finding)
    failed = sum(not result.passed for result in results)
    lines.append(f"{len(results) - failed} passed, {failed} failed")
    return "\n".join(lines) + "\n"


def coverage_text(program: Program, results: Sequence[CaseResult]) -> str:
    """Which rules no test makes fire."""
    lines = []
    for name, rules, silent in _coverage(program, results):
        hint = f"; never fired: {', '.join(silent)}" if silent else ""
        lines.append(f"{name}: {rules - len(silent)} of {rules} rules fired in a test{hint}")
    return "".join(f"{line}\n" for line in lines)


def tests_json(runs: Sequence[Run], coverage: bool = False) -> str:
    """The tests of some policies for programs: a list; with coverage an object that holds it as `tests`."""
    tests = [_plain(policy, result) for policy, _, results in runs for result in results]
    if not coverage:
        return json.dumps(tests, ensure_ascii=False, indent=2) + "\n"
    covered = [
        {"policy": policy, "decision": name, "rules": rules, "never_fired": silent}
        for policy, program, results in runs
        for name, rules, silent in _coverage(program, results)
    ]
    return json.dumps({"tests": tests, "coverage": covered}, ensure_ascii=False, indent=2) + "\n"


def _coverage(program: Program, results: Sequence[CaseResult]) -> Iterator[tuple[str, int, list[str]]]:
    """Each decision with rules: how many, and those that no test makes fire."""
    fired = rules_fired(tuple(results))
    for name, decision in program.decisions.items():
        if decision.rules:
            silent = [rule.name for rule in decision.rules if rule.name not in fired.get(name, frozenset())]
            yield name, len(decision.rules), silent


def _plain(policy: str, result: CaseResult) -> dict[str, Any]:
    findings = [
        {
            "decision": finding.expected.decision,
            "expected": _expected(finding.expected),
            "found": _found(finding),
            "differs": list(finding.differs),
        }
        for finding in result.findings
    ]
    return {"policy": policy, "test": result.case.name, "passed": result.passed, "findings": findings}


def _failure(finding: Finding) -> list[str]:
    place = f" at {finding.expected.span.place}" if finding.expected.span is not None else ""
    lines = [f"    expected {_expected(finding.expected)}{place}", f"    found    {_found(finding)}"]
    for rule in finding.trace.rules:
        lines.append(f"      {rule.rule}: {rule.truth}")
        for condition in rule.conditions:
            value = condition.because or value_text(condition.value)
            lines.append(f"        {condition.truth:<13} {condition_text(condition.condition)}   ({value})")
    return lines


def _expected(expected: Expectation) -> str:
    name = f"{expected.decision}.{expected.part}" if expected.part else expected.decision
    if expected.status != "decided":
        return f"{name} {expected.status}"
    rule = f" by {expected.rule}" if expected.rule is not None else ""
    reason = f" reason {expected.reason}" if expected.reason is not None else ""
    return f"{name} = {value_text(expected.value)}{rule}{reason}"


def _found(finding: Finding) -> str:
    outcome, name = finding.found, finding.expected.decision
    if outcome.status != "decided":
        why = f" ({outcome.problem})" if outcome.problem else f" by {outcome.rule}" if outcome.rule else ""
        return f"{name} {outcome.status}{why}"
    reasons = ", ".join(reason.code for reason in outcome.reasons)
    rule = f" by {outcome.rule}" if outcome.rule else ""
    return f"{name} = {value_text(outcome.value)}{rule}{f' reason {reasons}' if reasons else ''}"
