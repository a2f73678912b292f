"""The text of a branch-free kernel: one loop over the rows that decides each without jumping.

Inside, a number is float64, NaN where missing; an integer or date int64, `NOTHING` where missing; a label int32 and a
boolean int8, -1 where missing. Conditions are joined with `&` and `|`, rules folded backwards, so that the compiler can
decide several rows at once. What would be an error marks the row, which the evaluator then decides.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from decisionflow.conditions.expression import (
    Among,
    And,
    Apply,
    Choose,
    Compare,
    Constant,
    Count,
    Expression,
    IsMissing,
    Not,
    Or,
    Variable,
    Within,
    is_written,
)
from decisionflow.conditions.operators import AT_LEAST, AT_MOST, COMPARISON, EQUAL, GREATER, LESS, Comparison
from decisionflow.conditions.values import is_known
from decisionflow.evaluate.combining import as_type, outside
from decisionflow.evaluate.kernel_functions import FUNCTIONS
from decisionflow.evaluate.kernel_text import (
    PYTHON,
    Token,
    Unsupported,
    is_expressible,
    joined,
    literal,
    near_text,
    nothing,
    outside_text,
    storage_class,
    threshold_text,
)
from decisionflow.evaluate.numbering import Numbering
from decisionflow.program.declarations import CompanionList, Decision, Formula, RuleList
from decisionflow.program.program import Program
from decisionflow.types import BOOLEAN, DATE, INTEGER, NUMBER, Type

Key = TypeVar("Key")
Made = TypeVar("Made")


@dataclass(frozen=True)
class KernelSource:
    """The kernel's text; `columns` are the features it reads, `computed` the decisions whose values it writes.

    Arguments: the number of rows, the day of `today`, the columns, their states, an array of hits for each decision,
    one of values for each computed one. A hit is the place of the rule that fired, the number of rules where none did,
    and `SLOW` where the evaluator has to decide.
    """

    text: str
    columns: tuple[str, ...]
    decisions: tuple[str, ...]
    computed: tuple[str, ...]
    atoms: int


MOST_JOINED = 100
"""Errors asked for in one expression: Python reads a row of `|` as nested, and nests only so deep."""


@dataclass
class KernelWriter:
    """Writes the kernel of one program: a loop over the rows or, `whole`, the same steps on whole arrays."""

    program: Program
    whole: bool = False
    lines: list[str] = field(default_factory=list)
    names: dict[str, Token] = field(default_factory=dict)
    values: dict[int, tuple[Token, list[str]]] = field(default_factory=dict)
    truths: dict[tuple[int, bool], tuple[str, list[str]]] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    computed: list[str] = field(default_factory=list)
    count: int = 0
    decided: int = 0

    def write(self, decisions: tuple[str, ...]) -> KernelSource:
        """The kernel that makes these decisions; raises Unsupported."""
        behind = set(decisions).union(*(self.program.ancestors(name) for name in decisions))
        derived = [item.expression for item in self.program.derived.values()]
        self.numbers = Numbering(
            derived + [part for item in self.program.decisions.values() for part in item.expressions]
        )
        self.names["today"] = Token("today", DATE, False)
        columns = tuple(name for name in self.program.features if name in behind)
        for place, name in enumerate(columns):
            self.load(name, place)
        worst = " | ".join(f"t{place}" for place in range(len(columns)))
        self.errors.append(f"(({worst}) > 1)")
        made = tuple(name for name in self.program.order if name in behind and name in self.program.decisions)
        for name in self.program.order:
            if name in behind and name not in columns:
                self.compute(name)
        self.emit(f"bad = {' | '.join(self.errors[:MOST_JOINED]) or 'False'}")
        for start in range(MOST_JOINED, len(self.errors), MOST_JOINED):
            self.emit(f"bad = bad | {' | '.join(self.errors[start : start + MOST_JOINED])}")
        for place in range(len(made)):
            self.write_hits(place)
        for place, name in enumerate(self.computed):
            self.emit(f"values{place}[{self.at}] = {self.names[name].text}")
        arguments = [
            *(f"x{place}" for place in range(len(columns))),
            *(f"s{place}" for place in range(len(columns))),
            *(f"hits{place}" for place in range(len(made))),
            *(f"values{place}" for place in range(len(self.computed))),
        ]
        head = [
            f"def kernel(rows, today, {', '.join(arguments)}):",
            "    if True:" if self.whole else "    for i in range(rows):",
        ]
        text = "\n".join([*head, *self.lines]) + "\n"
        return KernelSource(text, columns, made, tuple(self.computed), len(self.truths) + len(self.values))

    def emit(self, line: str) -> None:
        self.lines.append("        " + line)

    @property
    def at(self) -> str:
        """The place of a row, or of all of them."""
        return ":" if self.whole else "i"

    def select(self, condition: str, first: str, second: str) -> str:
        """The first where the condition holds, else the second."""
        return f"np.where({condition}, {first}, {second})" if self.whole else f"({first} if {condition} else {second})"

    def fold(self, name: str, kind: str, start: str, chosen: list[tuple[str, str]]) -> None:
        """The choice of the first condition that holds, from the last one backwards."""
        self.emit(f"{name} = np.full(rows, {start}, {kind}_class)" if self.whole else f"{name} = {start}")
        for condition, text in reversed(chosen):
            place = f"np.copyto({name}, {text}, where={condition})"
            self.emit(place if self.whole else f"{name} = {text} if {condition} else {name}")

    def write_hits(self, place: int) -> None:
        """The place of the rule that fired, or the sign of a row that is given up."""
        self.emit(f"hits{place}[{self.at}] = {self.select('bad', 'SLOW', f'h{place}')}")

    def fresh(self) -> str:
        self.count += 1
        return f"v{self.count}"

    def assign(self, text: str, kind: Type, nullable: bool) -> Token:
        name = self.fresh()
        self.emit(f"{name} = {text}")
        return Token(name, kind, nullable)

    # Names

    def load(self, name: str, place: int) -> None:
        feature = self.program.features[name]
        if not is_expressible(feature.type):
            raise Unsupported
        read, state = f"r{place}", f"t{place}"
        self.emit(f"{read} = x{place}[{self.at}]")
        self.emit(f"{state} = s{place}[{self.at}]")
        text = self.select(f"{state} == 0", read, nothing(feature.type)) if feature.optional else read
        self.names[name] = self.assign(text, feature.type, feature.optional)
        if feature.type == INTEGER and feature.domain is None:
            self.errors.append(f"(({read} == NOTHING) & ({state} == 0))")

    def compute(self, name: str) -> None:
        if name in self.program.models:
            raise Unsupported
        if name in self.program.derived:
            self.names[name] = self.value(self.program.derived[name].expression)
        else:
            self.decide(self.program.decisions[name])

    # Values

    def value(self, expression: Expression) -> Token:
        if isinstance(expression, Constant):
            return literal(expression)
        if isinstance(expression, Variable):
            if expression.part:
                raise Unsupported
            return self.names[expression.name]
        return self.remembered(self.values, self.numbers.number(expression), lambda: self.calculated(expression))

    def remembered(self, known: dict[Key, tuple[Made, list[str]]], key: Key, make: Callable[[], Made]) -> Made:
        """What is made once is used again, with the errors that go with it: another use may need it where the first
        does not."""
        if key not in known:
            outer, self.errors = self.errors, []
            made = make()
            known[key], self.errors = (made, self.errors), outer
        made, errors = known[key]
        self.errors += [error for error in errors if error not in self.errors]
        return made

    def calculated(self, expression: Expression) -> Token:
        if isinstance(expression, Apply):
            return self.apply(expression)
        if isinstance(expression, Choose):
            return self.choose(expression)
        if expression.type != BOOLEAN:
            raise Unsupported
        holds, fails = self.truth(expression, True), self.truth(expression, False)
        return self.assign(self.select(holds, "1", self.select(fails, "0", "-1")), BOOLEAN, True)

    def typed(self, expression: Expression, wanted: Type) -> Token:
        token = self.value(expression)
        if token.kind == wanted:
            return token
        if token.kind == INTEGER and wanted == NUMBER:
            text = f"({token.text} + 0.0)"
            if token.nullable:
                text = self.select(token.is_missing, "np.nan", text)
            return self.assign(text, NUMBER, token.nullable)
        raise Unsupported

    def apply(self, expression: Apply) -> Token:
        write = FUNCTIONS.get((expression.function.spelling, expression.function.place, expression.type))
        if write is None or any(part.type not in (NUMBER, INTEGER) for part in expression.arguments):
            raise Unsupported
        tokens = [self.typed(part, expression.type) for part in expression.arguments]
        return write(self, tokens)

    def choose(self, expression: Choose) -> Token:
        holds, fails = self.truth(expression.condition, True), self.truth(expression.condition, False)
        outer, self.errors = self.errors, []
        then = self.typed(expression.then, expression.type)
        taken, self.errors = self.errors, []
        otherwise = self.typed(expression.otherwise, expression.type)
        outer += [f"({holds} & ({error}))" for error in taken] + [f"({fails} & ({error}))" for error in self.errors]
        self.errors = outer
        text = self.select(holds, then.text, self.select(fails, otherwise.text, nothing(expression.type)))
        return self.assign(text, expression.type, True)

    # Conditions

    def truth(self, condition: Expression, answer: bool) -> str:
        """A name that is true where a condition is known to be `answer`."""
        if isinstance(condition, Constant):
            return str(condition.value is answer)
        if isinstance(condition, Variable):
            return self.condition(condition, answer)
        key = self.numbers.number(condition), answer
        return self.remembered(self.truths, key, lambda: self.named_truth(condition, answer))

    def named_truth(self, condition: Expression, answer: bool) -> str:
        """Writes a truth and gives it a name."""
        text, name = self.condition(condition, answer), self.fresh()
        self.emit(f"{name} = {text}")
        return name

    def condition(self, condition: Expression, answer: bool) -> str:
        match condition:
            case Compare(comparison=comparison, left=left, right=right):
                return self.compared(comparison if answer else COMPARISON[comparison.negation], left, right)
            case Within(value=value, low=low, high=high):
                ends = ((low, AT_LEAST, GREATER), (high, AT_MOST, LESS))
                kinds = [(closed if end.closed else open_, end.value) for end, closed, open_ in ends if end is not None]
                parts = [
                    self.compared(kind if answer else COMPARISON[kind.negation], value, end) for kind, end in kinds
                ]
                return joined(parts, answer)
            case Among(value=value, choices=choices):
                wanted = EQUAL if answer else COMPARISON[EQUAL.negation]
                return joined([self.compared(wanted, value, choice) for choice in choices], not answer)
            case IsMissing(value=value):
                token = self.value(value)
                return token.is_missing if answer else token.is_known
            case Not(part=part):
                return self.truth(part, not answer)
            case And(parts=parts):
                return joined([self.truth(part, answer) for part in parts], answer)
            case Or(parts=parts):
                return joined([self.truth(part, answer) for part in parts], not answer)
            case Count():
                return self.counted(condition, answer)
        token = self.value(condition)
        return f"({token.text} == {int(answer)})"

    def counted(self, node: Count, answer: bool) -> str:
        certain = " + ".join(["0", *(f"{self.truth(part, True)} * 1" for part in node.parts)])
        possible = " - ".join([str(len(node.parts)), *(f"{self.truth(part, False)} * 1" for part in node.parts)])
        certain, possible, number = f"({certain})", f"({possible})", node.number
        match node.quantifier:
            case "at least":
                return f"({certain} >= {number})" if answer else f"({possible} < {number})"
            case "at most":
                return f"({possible} <= {number})" if answer else f"({certain} > {number})"
        exact = f"(({certain} == {number}) & ({possible} == {number}))"
        return exact if answer else f"(({certain} > {number}) | ({possible} < {number}))"

    def compared(self, comparison: Comparison, left: Expression, right: Expression) -> str:
        if NUMBER in (left.type, right.type):
            return self.compared_numbers(comparison, left, right)
        first, second = self.value(left), self.value(right)
        if first.kind != second.kind:
            raise Unsupported
        plain = f"({first.text} {PYTHON[comparison.spelling]} {second.text})"
        if comparison is EQUAL and not (first.nullable and second.nullable):
            return plain
        return self.known([first, second], plain)

    def compared_numbers(self, comparison: Comparison, left: Expression, right: Expression) -> str:
        tolerant = not (is_written(left) and is_written(right))
        sides = ((left, right, comparison), (right, left, COMPARISON[comparison.mirrored]))
        for side, other, seen in sides:
            if isinstance(other, Constant) and is_known(other.value):
                return threshold_text(seen, self.typed(side, NUMBER), float(other.value), tolerant)
        first, second = self.typed(left, NUMBER), self.typed(right, NUMBER)
        return self.known([first, second], near_text(comparison, first.text, second.text, tolerant))

    def known(self, tokens: list[Token], text: str) -> str:
        return joined([text, *(token.is_known for token in dict.fromkeys(tokens) if token.nullable)], True)

    # Decisions

    def decide(self, decision: Decision) -> None:
        body, hit = decision.body, f"h{self.decided}"
        self.decided += 1
        if isinstance(body, RuleList) and body.hit_policy != "first":
            raise Unsupported
        outcomes = _outcomes(decision)
        tokens = [self.typed(outcome, decision.type) for _, outcome in outcomes]
        conditions = ["True" if condition is None else self.truth(condition, True) for condition, _ in outcomes]
        is_constant = all(isinstance(outcome, Constant) for _, outcome in outcomes)
        self.fold(hit, "hit", str(len(outcomes)), [(condition, str(rule)) for rule, condition in enumerate(conditions)])
        value = self.fresh()
        read = any(decision.name in names for names in self.program.reads.values())
        if read or not is_constant:
            chosen = [(condition, token.text) for condition, token in zip(conditions, tokens, strict=True)]
            self.fold(value, storage_class(decision.type), nothing(decision.type), chosen)
        self.check(decision, hit, value, tokens, outcomes)
        if not is_constant:
            self.computed.append(decision.name)
        self.names[decision.name] = Token(value, decision.type, True)

    def check(
        self, decision: Decision, hit: str, value: str, tokens: list[Token], outcomes: list[tuple[Any, Expression]]
    ) -> None:
        """Rows whose outcome is missing or outside the domain are left to the evaluator."""
        for rule, (token, (_, outcome)) in enumerate(zip(tokens, outcomes, strict=True)):
            if isinstance(outcome, Constant):
                if outside(decision, as_type(outcome.value, decision.type)):
                    self.errors.append(f"({hit} == {rule})")
            elif token.nullable:
                self.errors.append(f"(({hit} == {rule}) & {Token(value, decision.type, True).is_missing})")
        computed = any(not isinstance(outcome, Constant) for _, outcome in outcomes)
        if computed and decision.domain is not None:
            token = Token(value, decision.type, True)
            self.errors.append(f"({token.is_known} & {outside_text(decision.domain, decision.type, value)})")


def kernel_source(program: Program, decisions: tuple[str, ...], whole: bool = False) -> KernelSource | None:
    """The kernel of some decisions, as a loop or on whole arrays; None where it cannot express them."""
    try:
        return KernelWriter(program, whole).write(decisions)
    except Unsupported:
        return None


def _outcomes(decision: Decision) -> list[tuple[Expression | None, Expression]]:
    """Conditions with outcomes, in order; what always answers has no condition."""
    body = decision.body
    if isinstance(body, Formula):
        return [(None, body.expression)]
    found: list[tuple[Expression | None, Expression]] = [(rule.condition, rule.outcome) for rule in body.rules]
    if isinstance(body, CompanionList):
        return [*found, (None, body.fallback)]
    return found if body.otherwise is None else [*found, (None, body.otherwise.outcome)]
