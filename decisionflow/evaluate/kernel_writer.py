"""Values and conditions of a kernel as text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

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
from decisionflow.evaluate.kernel_functions import FUNCTIONS
from decisionflow.evaluate.kernel_text import (
    PYTHON,
    Token,
    Unsupported,
    invalid_texts,
    is_expressible,
    joined,
    literal,
    may_be_infinite,
    near_text,
    nothing,
    threshold_text,
)
from decisionflow.evaluate.numbering import numbering_of
from decisionflow.program.program import Program
from decisionflow.types import BOOLEAN, INTEGER, NUMBER, Type

Key = TypeVar("Key")
Made = TypeVar("Made")


@dataclass
class KernelWriter:
    """Writes what a kernel computes: a loop over the rows or, `whole`, the same steps on whole arrays.

    With `gaps` it is told by masks where numbers are missing.
    """

    program: Program
    whole: bool = False
    gaps: bool = False
    masked: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    names: dict[str, Token] = field(default_factory=dict)
    values: dict[int, tuple[Token, list[str]]] = field(default_factory=dict)
    truths: dict[tuple[int, bool], tuple[str, list[str]]] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    computed: list[str] = field(default_factory=list)
    count: int = 0
    decided: int = 0
    hits: int = 0
    unbounded: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.numbers = numbering_of(self.program)

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
            choice = (
                f"hit_where({name}, {condition}, {text})"
                if kind == "hit"
                else f"np.copyto({name}, {text}, where={condition})"
            )
            self.emit(choice if self.whole else f"{name} = {text} if {condition} else {name}")

    def fresh(self) -> str:
        self.count += 1
        return f"v{self.count}"

    def assign(self, text: str, kind: Type, nullable: bool) -> Token:
        name = self.fresh()
        self.emit(f"{name} = {text}")
        return Token(name, kind, nullable)

    # Names

    def load(self, name: str, place: int) -> None:
        """A feature's values; the rows in which it is invalid are given up."""
        feature = self.program.features[name]
        if not is_expressible(feature.type):
            raise Unsupported
        read = Token(f"r{place}", feature.type, True)
        if self.gaps and feature.type == NUMBER:
            self.emit(
                f"{read.text} = {self.select(f'm{len(self.masked)}[{self.at}] == 0', f'x{place}[{self.at}]', 'np.nan')}"
            )
            self.masked.append(name)
        else:
            self.emit(f"{read.text} = x{place}[{self.at}]")
        self.errors += invalid_texts(feature, read)
        if may_be_infinite(feature):
            self.unbounded.append(read.text)
        if feature.default is not None:
            default = literal(Constant(feature.default, feature.type)).text
            read = self.assign(self.select(read.is_missing, default, read.text), feature.type, False)
        self.names[name] = Token(read.text, feature.type, feature.optional)

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
        if tolerant:
            return near_text(comparison, first.text, second.text)
        return self.known([first, second], f"({first.text} {PYTHON[comparison.spelling]} {second.text})")

    def known(self, tokens: list[Token], text: str) -> str:
        return joined([text, *(token.is_known for token in dict.fromkeys(tokens) if token.nullable)], True)
