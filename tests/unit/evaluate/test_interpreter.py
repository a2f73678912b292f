"""The laws of the language on programs small enough to work out by hand."""

from __future__ import annotations

from datetime import date
from itertools import pairwise

import pytest

from decisionflow.conditions.expression import And, Compare, Constant, Expression, Or, Variable
from decisionflow.conditions.operators import COMPARISON
from decisionflow.conditions.values import MISSING, Failure, Value
from decisionflow.evaluate.interpreter import Row, RowModel
from decisionflow.evaluate.settings import Settings
from decisionflow.evaluate.trace import trace_row
from decisionflow.program.declarations import (
    CompanionList,
    Decision,
    Derived,
    Feature,
    ModelDeclaration,
    Reading,
    Rule,
    RuleList,
    always,
)
from decisionflow.program.program import Program
from decisionflow.types import NUMBER, ModelOutput, Vocabulary

SETTINGS = Settings(date(2026, 11, 29))
LABELS = Vocabulary(("yes", "no", "ask"))
SCORE = Variable("score", NUMBER, written=True)
DEBT = Variable("debt", NUMBER, written=True)
RISK = Variable("risk", NUMBER)


def is_(left: Expression, spelling: str, value: float) -> Compare:
    return Compare(COMPARISON[spelling], left, Constant(value, NUMBER))


def then(label: str) -> Constant:
    return Constant(label, LABELS)


def program(*rules: Rule, otherwise: str = "", hit_policy: str = "first") -> Program:
    last = always("otherwise", then(otherwise)) if otherwise else None
    body = RuleList(tuple(rules), last, hit_policy)  # type: ignore[arg-type]
    features = {name: Feature(name, NUMBER, Reading(name), optional=True) for name in ("score", "debt")}
    models = {"risk": ModelDeclaration("risk", NUMBER, ModelOutput("probability", "bad"), inputs=(("debt", "debt"),))}
    return Program("p", features, models=models, decisions={"d": Decision("d", LABELS, body)})


def decide(built: Program, score: Value = 1.0, debt: Value = 1.0, model: Value = 0.5):  # type: ignore[no-untyped-def]
    calls: list[object] = []
    models = {"risk": RowModel(lambda inputs: calls.append(inputs) or model)}
    row = Row(built, {"score": score, "debt": debt}, models, SETTINGS)
    return row.decide("d"), calls, row


def test_a_missing_score_fires_no_rule_and_the_trace_says_unknown() -> None:
    rules = [Rule("R1", is_(SCORE, "<", 580), then("no")), Rule("R2", is_(SCORE, ">=", 580), then("yes"))]
    outcome, _, row = decide(program(*rules), score=MISSING)
    assert (outcome.status, outcome.value, outcome.rule) == ("undecided", None, "")
    met = trace_row(row)["d"].rules
    assert [(found.rule, found.truth) for found in met] == [("R1", "unknown"), ("R2", "unknown")]
    assert met[0].conditions[0].because == "score is missing"


def test_the_first_rule_that_holds_decides() -> None:
    rules = [Rule("R1", is_(SCORE, "<", 580), then("no")), Rule("R2", is_(SCORE, "<", 660), then("ask"))]
    outcome, _, _ = decide(program(*rules, otherwise="yes"), score=580.0)
    assert (outcome.value, outcome.rule) == ("ask", "R2")
    assert decide(program(*rules, otherwise="yes"), score=660.0)[0].rule == "otherwise"


def test_two_matches_under_unique_are_a_conflict_that_names_both() -> None:
    rules = [Rule("a", is_(SCORE, ">", 0), then("no")), Rule("b", is_(DEBT, ">", 0), then("no"))]
    outcome, _, _ = decide(program(*rules, hit_policy="unique"))
    assert (outcome.status, outcome.value, outcome.rule) == ("conflict", None, "a;b")


def test_priority_takes_the_label_declared_first() -> None:
    rules = [Rule("a", is_(SCORE, ">", 0), then("ask")), Rule("b", is_(DEBT, ">", 0), then("no"))]
    outcome, _, _ = decide(program(*rules, hit_policy="priority"))
    assert (outcome.value, outcome.rule) == ("no", "b")


def test_an_invalid_feature_makes_the_decision_invalid_even_where_it_would_not_be_reached() -> None:
    rules = [Rule("a", is_(SCORE, ">", 0), then("no")), Rule("b", is_(DEBT, ">", 0), then("yes"))]
    outcome, _, _ = decide(program(*rules), debt=Failure("debt is -1, outside >= 0"))
    assert (outcome.status, outcome.problem) == ("invalid", "debt is -1, outside >= 0")


@pytest.mark.parametrize(
    ("condition", "score", "calls"),
    [
        (And((is_(SCORE, ">", 5), is_(RISK, ">", 0.1))), 1.0, 0),
        (And((is_(SCORE, ">", 0), is_(RISK, ">", 0.1))), 1.0, 1),
        (And((is_(SCORE, ">", 0), is_(RISK, ">", 0.1))), MISSING, 1),
        (Or((is_(SCORE, ">", 0), is_(RISK, ">", 0.1))), 1.0, 0),
    ],
)
def test_a_model_runs_only_where_it_can_change_the_decision(condition: Expression, score: Value, calls: int) -> None:
    _, made, _ = decide(program(Rule("a", condition, then("no"))), score=score)
    assert len(made) == calls


def test_a_model_condition_of_a_closed_rule_is_not_evaluated() -> None:
    rule = Rule("a", And((is_(SCORE, ">", 5), is_(RISK, ">", 0.1))), then("no"))
    _, _, row = decide(program(rule))
    assert [found.truth for found in trace_row(row)["d"].rules[0].conditions] == ["false", "not evaluated"]


@pytest.mark.parametrize(("given", "status"), [(1.5, "invalid"), (float("nan"), "invalid"), (0.7, "decided")])
def test_a_model_output_outside_its_type_makes_the_decision_invalid(given: float, status: str) -> None:
    outcome, _, _ = decide(program(Rule("a", is_(RISK, ">", 0.1), then("no"))), model=given)
    assert outcome.status == status


def test_a_missing_input_reaches_only_a_model_that_takes_it() -> None:
    outcome, calls, _ = decide(program(Rule("a", is_(RISK, ">", 0.1), then("no"))), debt=MISSING)
    assert (outcome.status, calls) == ("invalid", [])


def test_computed_values_on_the_boundary_are_equal() -> None:
    from decisionflow.conditions.expression import Apply
    from decisionflow.conditions.operators import ADD

    total = Apply(ADD, (SCORE, DEBT), NUMBER)
    built = program(Rule("cap", is_(total, ">=", 0.8), then("yes")), otherwise="no")
    assert decide(built, score=0.7, debt=0.1)[0].rule == "cap"


def test_a_chain_of_five_thousand_derived_values_does_not_recurse() -> None:
    from decisionflow.conditions.expression import Apply
    from decisionflow.conditions.operators import ADD

    names = [f"v{index}" for index in range(5001)]
    derived = {
        name: Derived(name, Apply(ADD, (Variable(before, NUMBER), Constant(1.0, NUMBER)), NUMBER))
        for before, name in pairwise(names)
    }
    derived["v0"] = Derived("v0", SCORE)
    features = {"score": Feature("score", NUMBER, Reading("score"))}
    row = Row(Program("p", features, derived=derived), {"score": 2.0}, {}, SETTINGS)
    assert row.value_of("v5000") == 5002.0


def test_a_companion_list_is_cut_at_the_transparency_asked_for() -> None:
    rules = tuple(
        Rule(f"r{index}", is_(SCORE, "<", index), then("no"), stats=(("coverage", share),))
        for index, share in ((1, 0.271), (2, 0.04), (3, 0.116))
    )
    body = CompanionList(rules, then("yes"), "forest")
    built = Program(
        "p", {"score": Feature("score", NUMBER, Reading("score"))}, decisions={"d": Decision("d", LABELS, body)}
    )

    def decided(share: float) -> str:
        return Row(built, {"score": 1.5}, {}, Settings(SETTINGS.today, {"d": share})).decide("d").rule

    assert [decided(share) for share in (0, 0.3, 0.311, 0.4, 1)] == ["forest", "forest", "r2", "r2", "r2"]
