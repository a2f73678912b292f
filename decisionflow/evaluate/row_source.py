"""The Python text of the function that decides one plain row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from decisionflow.conditions.expression import TRUE, And, Expression, conjuncts
from decisionflow.conditions.values import MISSING, Value, is_known
from decisionflow.evaluate.combining import as_read, combine, nothing_fired, outside
from decisionflow.evaluate.outcome import Outcome
from decisionflow.evaluate.row_answer import RowAnswer, row_answer
from decisionflow.evaluate.row_plain import NotPlain
from decisionflow.evaluate.row_writer import RowWriter, Token, Unsupported, nothing
from decisionflow.program.declarations import CompanionList, Decision, Formula, Reason, Rule, RuleList
from decisionflow.program.program import Program
from decisionflow.types import INTEGER, NUMBER


@dataclass(frozen=True)
class RowSource:
    """The text of a function `decide(record, today)`, and the objects that it names."""

    text: str
    constants: dict[str, Any]


def row_source(program: Program, decisions: tuple[str, ...], validate: bool) -> RowSource | None:
    """The function's text; None for a program that has no plain form."""
    try:
        return _Writer(program, validate).write(decisions)
    except Unsupported:
        return None


class _Writer(RowWriter):
    """Writes a variable `kN` for each decision, the value that others read, and `kN_a`, its answer."""

    def write(self, decisions: tuple[str, ...]) -> RowSource:
        behind = set(decisions).union(*(self.program.ancestors(name) for name in decisions))
        for name in self.program.features:
            if name in behind and self.validate:
                self.scopes[0][name] = self.read(name)
        answers = {
            name: self.decide(self.program.decisions[name])
            for name in self.program.order
            if name in behind and name in self.program.decisions
        }
        shown = ", ".join(f"{name!r}: {answers[name]}" for name in self.program.decisions if name in answers)
        self.emit(f"return {{{shown}}}")
        return RowSource("\n".join(self.lines) + "\n", self.constants)

    def decide(self, decision: Decision) -> str:
        """Lines that set the value and the answer of a decision; the name of the answer."""
        body, variable = decision.body, self.fresh("k")
        if isinstance(body, Formula):
            self.settle(decision, self.typed(body.expression, decision.type), "", None, variable)
        elif isinstance(body, CompanionList) or body.hit_policy == "first":
            self.first(decision, body, variable)
        else:
            self.all(decision, body, variable)
        self.scopes[0][decision.name] = Token(variable, True, real=decision.held == NUMBER)
        return f"{variable}_a"

    def first(self, decision: Decision, body: RuleList | CompanionList, variable: str) -> None:
        """The first rule that holds decides."""
        with self.block("while True:"):
            for rule in decision.rules:
                with self.block(f"if {self.met(rule)}:"):
                    found = self.typed(rule.outcome, decision.type)
                    self.settle(decision, found, rule.name, rule.reason, variable)
                    self.emit("break")
            if isinstance(body, CompanionList):
                found = self.typed(body.fallback, decision.type)
                self.settle(decision, found, body.fallback_name, None, variable)
            else:
                undecided = self.constant(row_answer(Outcome("undecided")))
                self.emit(f"{variable} = {nothing(decision.type)}")
                self.emit(f"{variable}_a = {undecided}")
            self.emit("break")

    def all(self, decision: Decision, body: RuleList, variable: str) -> None:
        """Every rule that holds is kept with its value; what they make together is worked out of the text."""
        fired = self.fresh("r")
        self.emit(f"{fired} = []")
        for place, rule in enumerate(body.rules):
            with self.block(f"if {self.met(rule)}:"):
                self.emit(f"{fired}.append(({place}, {self.given(decision, rule).text}))")
        both = f"{variable}, {variable}_a"
        with self.block(f"if {fired}:"):
            self.emit(f"{both} = {self.constant(combined(decision, body))}({fired})")
        with self.block("else:"):
            last = "None" if body.otherwise is None else self.given(decision, body.otherwise).text
            self.emit(f"{both} = {self.constant(left_over(decision, body))}({last})")

    def given(self, decision: Decision, rule: Rule) -> Token:
        """The value of a rule that fires; what is only counted keeps its own type."""
        return self.typed(rule.outcome, decision.type if decision.held != INTEGER else rule.outcome.type)

    def met(self, rule: Rule) -> str:
        """The condition that a rule fires; a row that would have to run a model for that leaves the plain way."""
        parts = conjuncts(rule.condition)
        if not any(map(self.needs_model, parts)):
            return self.truth(rule.condition, True)
        plain: Expression = And(tuple(part for part in parts if not self.needs_model(part)) or (TRUE,))
        self.emit(f"if not {self.truth(plain, False)}: raise NotPlain")
        return "False"

    def settle(self, decision: Decision, found: Token, rule: str, reason: Reason | None, variable: str) -> None:
        """The value and its answer; a constant's answer is made once."""
        codes = () if reason is None else (reason.code,)
        self.emit(f"{variable} = {found.text}")
        if found.value is not None:
            if outside(decision, found.value):
                self.emit("raise NotPlain")
            self.emit(f"{variable}_a = {self.constant(RowAnswer(found.value, rule, 'decided', codes))}")
            return
        if decision.domain is not None or decision.part_domains:
            here = self.constant(decision)
            known = Token(variable, True, real=found.real).is_known
            self.emit(f"if {known} and outside({here}, {variable}): raise NotPlain")
        undecided = self.constant(RowAnswer(None, rule, "undecided", ()))
        made = f"RowAnswer({variable}, {rule!r}, 'decided', {codes!r})"
        self.emit(f"{variable}_a = " + (f"{undecided} if {found.is_missing} else {made}" if found.nullable else made))


def combined(decision: Decision, body: RuleList) -> Callable[[list[tuple[int, Value]]], tuple[Value, RowAnswer]]:
    """What the rules that fired, by their places and values, make together."""

    def combined_values(fired: list[tuple[int, Value]]) -> tuple[Value, RowAnswer]:
        rules = tuple(body.rules[place] for place, _ in fired)
        return _plain(decision, combine(decision, body, rules, [_value(value) for _, value in fired]))

    return combined_values


def left_over(decision: Decision, body: RuleList) -> Callable[[Value], tuple[Value, RowAnswer]]:
    """What a decision is where no rule fired, from the value of its `otherwise`."""
    return lambda value: _plain(decision, nothing_fired(decision, body, _value(value)))


def _value(plain: Value) -> Value:
    """A value of the generated text as the language has it."""
    return MISSING if plain is None or plain != plain else plain  # noqa: PLR0124 -- NaN differs from itself


def _plain(decision: Decision, outcome: Outcome) -> tuple[Value, RowAnswer]:
    """What others read of an outcome, and what is shown of it; what is an error to others is not plain."""
    if outcome.status not in ("decided", "undecided"):
        raise NotPlain
    read = as_read(decision.name, outcome)
    unread = float("nan") if decision.held == NUMBER else None
    return read if is_known(read) else unread, row_answer(outcome)
