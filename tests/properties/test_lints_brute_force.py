"""Lints of generated policies say what trying every row says."""

from __future__ import annotations

import itertools
from datetime import date

from hypothesis import given, settings
from hypothesis import strategies as st

from decisionflow.check.checker import check_files
from decisionflow.check.lints.lint import lint_program
from decisionflow.conditions.expression import walk
from decisionflow.conditions.values import MISSING
from decisionflow.diagnostics import Diagnostic
from decisionflow.evaluate.interpreter import Row
from decisionflow.evaluate.settings import Settings
from decisionflow.program.program import Program
from decisionflow.source import Source
from decisionflow.syntax import tree
from decisionflow.syntax.parse import parse

FEATURES = """policy demo
feature x : integer [0 .. 5] optional
feature y : { a, b, c }
feature z : boolean
"""
ROWS = [{"x": x, "y": y, "z": z} for x, y, z in itertools.product([*range(6), MISSING], ["a", "b", "c"], [True, False])]
NUMBERS = st.integers(0, 5)
ATOMS = st.one_of(
    st.builds("x {} {}".format, st.sampled_from(["<", "<=", ">", ">=", "=", "!="]), NUMBERS),
    st.builds(lambda low, more: f"x in [{low} .. {min(5, low + more)}]", NUMBERS, NUMBERS),
    st.builds("y = {}".format, st.sampled_from("abc")),
    st.builds(lambda labels: f"y in {{ {', '.join(sorted(labels))} }}", st.sets(st.sampled_from("abc"), min_size=1)),
    st.sampled_from(["z", "not z", "x is missing", "x is present"]),
)
CONDITIONS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.builds("({} and {})".format, inner, inner),
        st.builds("({} or {})".format, inner, inner),
        st.builds("not ({})".format, inner),
        st.builds(
            "{} {} of ({}, {}, {})".format,
            st.sampled_from(["at least", "at most", "exactly"]),
            st.integers(1, 2),
            inner,
            inner,
            inner,
        ),
    ),
    max_leaves=4,
)
RULES = st.lists(st.tuples(CONDITIONS, st.sampled_from(["yes", "no", "maybe"])), min_size=1, max_size=4)


def build(rules: list[tuple[str, str]], hit_policy: str, otherwise: bool = False) -> Program:
    lines = [f"  rule r{number}: if {condition} then {label}" for number, (condition, label) in enumerate(rules)]
    text = FEATURES + "\n".join([f"decision d : {{ yes, no, maybe }} {hit_policy}", *lines])
    found = parse(Source("demo", text + ("\n  otherwise maybe" if otherwise else "")))
    assert isinstance(found, tree.File), "\n".join(map(str, found))
    program = check_files(found).program
    assert program is not None
    return program


def rows_of(program: Program) -> list[Row]:
    return [Row(program, values, {}, Settings(date(2026, 1, 1))) for values in ROWS]


def lints(program: Program, code: str) -> list[Diagnostic]:
    return [item for item in lint_program(program) if item.code == code]


def name_of(diagnostic: Diagnostic) -> str:
    assert diagnostic.span is not None
    return diagnostic.span.text


@given(RULES)
@settings(max_examples=20, deadline=None)
def test_unreachable_and_contradictory_rules(rules: list[tuple[str, str]]) -> None:
    program = build(rules, "first", otherwise=True)
    rows = rows_of(program)
    holds = {rule.name for rule in program.decisions["d"].rules for row in rows if row.truth(rule) is True}
    fires = {name for row in rows for name in row.decide("d").rules}
    assert {name_of(item) for item in lints(program, "DF0701")} == holds - fires - {"otherwise"}
    contradictory = {name_of(item) for item in lints(program, "DF0702")}
    assert contradictory.isdisjoint(holds)


@given(RULES, st.sampled_from(["first", "unique", "any", "priority"]))
@settings(max_examples=20, deadline=None)
def test_gaps(rules: list[tuple[str, str]], hit_policy: str) -> None:
    program = build(rules, hit_policy)
    undecided = [row for row in rows_of(program) if row.decide("d").status == "undecided"]
    found = lints(program, "DF0706")
    assert bool(found) == bool(undecided)
    assert all("the decision is undecided" in item.message for item in found)


@given(RULES, st.sampled_from(["unique", "any"]))
@settings(max_examples=20, deadline=None)
def test_overlaps(rules: list[tuple[str, str]], hit_policy: str) -> None:
    program = build(rules, hit_policy)
    decision = program.decisions["d"]
    labels = {f"r{number}": label for number, (_, label) in enumerate(rules)}
    expected = set()
    for row in rows_of(program):
        fired = [rule.name for rule in decision.rules if row.truth(rule) is True]
        pairs = itertools.combinations(fired, 2)
        expected |= {pair for pair in pairs if hit_policy == "unique" or labels[pair[0]] != labels[pair[1]]}
    found = {(item.message.split("`")[1], item.message.split("`")[3]) for item in lints(program, "DF0705")}
    assert found == expected


@given(RULES)
@settings(max_examples=20, deadline=None)
def test_missing_values_that_reach_another_outcome(rules: list[tuple[str, str]]) -> None:
    program = build(rules, "first", otherwise=True)
    for item in lints(program, "DF0707"):
        rule = next(rule for rule in program.decisions["d"].rules if rule.name == name_of(item))
        carried = [
            row
            for row in rows_of(program)
            if row.values["x"] is MISSING
            and row.truth(rule) is MISSING
            and row.decide("d").value != row.evaluate(rule.outcome)
        ]
        assert carried


@given(RULES)
@settings(max_examples=20, deadline=None)
def test_conditions_that_never_or_always_hold(rules: list[tuple[str, str]]) -> None:
    program = build(rules, "first", otherwise=True)
    rows = rows_of(program)
    for item in lints(program, "DF0703"):
        conditions = (node for rule in program.decisions["d"].rules for node in walk(rule.condition))
        condition = next(node for node in conditions if node.span == item.span)
        truths = {row.evaluate(condition) for row in rows}
        assert truths == {True} if "always true" in item.message else True not in truths
