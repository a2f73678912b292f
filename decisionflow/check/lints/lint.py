"""All lints, over all decisions of a program."""

from __future__ import annotations

from itertools import islice

from decisionflow.check.lints.constant_conditions import constant_combinations, constant_conditions, thresholds
from decisionflow.check.lints.contradictions import contradictions
from decisionflow.check.lints.gaps import gaps
from decisionflow.check.lints.missing_values import missing_values
from decisionflow.check.lints.outcomes import outcomes
from decisionflow.check.lints.overlaps import overlaps
from decisionflow.check.lints.subject import Lint, Linted
from decisionflow.check.lints.unreachable import unreachable
from decisionflow.check.report import Report
from decisionflow.check.spaces import Facts
from decisionflow.diagnostics import Diagnostic
from decisionflow.program.program import Program

MOST_OF_A_KIND = 25
"""A lint says no more about one decision: the first ones say enough."""

LINTS: tuple[Lint, ...] = (
    unreachable,
    contradictions,
    constant_conditions,
    constant_combinations,
    thresholds,
    overlaps,
    gaps,
    missing_values,
    outcomes,
)


def lint_program(program: Program) -> tuple[Diagnostic, ...]:
    """Every lint of a program, by place: warnings, each of them shown by a row that was evaluated."""
    facts, report = Facts(program), Report()
    for decision in program.decisions.values():
        linted = Linted(facts, decision)
        for lint in LINTS:
            report.found += islice(lint(linted), MOST_OF_A_KIND)
    return report.sorted()
