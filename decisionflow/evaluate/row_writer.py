"""Values and conditions as the Python text of a function that decides one plain row."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from decisionflow.conditions.arithmetic import EQUAL_WITHIN
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
    MakeRecord,
    Not,
    Or,
    Variable,
    Within,
    is_written,
)
from decisionflow.conditions.operators import (
    AT_LEAST,
    AT_MOST,
    COMPARISON,
    DIVIDE,
    EQUAL,
    GREATER,
    LESS,
    MULTIPLY,
    UNEQUAL,
    Comparison,
    Function,
)
from decisionflow.conditions.values import is_known
from decisionflow.evaluate.columns.comparison import equal_band
from decisionflow.evaluate.combining import as_type, outside
from decisionflow.evaluate.modelled import modelled_names
from decisionflow.evaluate.numbering import numbering_of
from decisionflow.evaluate.row_answer import RowAnswer
from decisionflow.evaluate.row_plain import NotPlain, holds, plain_function
from decisionflow.evaluate.row_reading import reading_lines
from decisionflow.program.program import Program
from decisionflow.tables.records import value_of
from decisionflow.types import INTEGER, NUMBER, Number, Type, Vocabulary


class Unsupported(Exception):
    """A program that has no plain form."""


@dataclass(frozen=True, slots=True)
class Token:
    """A name or literal of the text that stands for a value, and whether the value may be missing.

    A missing number is NaN, which no comparison holds of; any other missing value is None. `value` is the value itself
    where the policy writes it.
    """

    text: str
    nullable: bool
    value: Any = None
    real: bool = False

    @property
    def is_missing(self) -> str:
        """The condition that the value is missing."""
        return f"{self.text} != {self.text}" if self.real else f"{self.text} is None"

    @property
    def is_known(self) -> str:
        """The condition that the value is not missing."""
        return f"{self.text} == {self.text}" if self.real else f"{self.text} is not None"


class RowWriter:
    """Writes lines that compute values, each once where it is needed, and conditions of them."""

    def __init__(self, program: Program, validate: bool) -> None:
        self.program, self.validate = program, validate
        self.model_names = modelled_names(program)
        self.lines: list[str] = ["def decide(record, today):", "    get = record.get"]
        self.constants: dict[str, Any] = {
            "NotPlain": NotPlain,
            "RowAnswer": RowAnswer,
            "outside": outside,
            "holds": holds,
            "value_of": value_of,
            "nan": math.nan,
        }
        self.indent = 1
        self.count = 0
        self.functions: dict[Any, int] = {}
        self.numbers = numbering_of(program)
        self.scopes: list[dict[int | str, Token]] = [{"today": Token("today", False)}]

    # Text

    def emit(self, line: str) -> None:
        self.lines.append("    " * self.indent + line)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Lines under a head; what is computed there is not known after it."""
        self.emit(head)
        self.indent += 1
        self.scopes.append({})
        yield
        self.scopes.pop()
        self.indent -= 1

    def fresh(self, prefix: str = "v") -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def constant(self, value: Any) -> str:
        """The text of a value: a literal where Python has one, else the name of a constant."""
        if isinstance(value, bool | str) or (isinstance(value, int | float) and math.isfinite(value)):
            return repr(value)
        name = self.fresh("c")
        self.constants[name] = value
        return name

    def written(self, value: Any) -> Token:
        return Token(self.constant(value), False, value, isinstance(value, float))

    # Names

    def named(self, name: str) -> Token:
        """The value of a name: a feature or derived value is written where it is first asked for."""
        found = self.seen(name)
        if found is not None:
            return found
        if name in self.program.models:
            self.emit("raise NotPlain")
            return Token("None", True)
        derived = self.program.derived.get(name)
        self.scopes[-1][name] = self.read(name) if derived is None else self.value(derived.expression)
        return self.scopes[-1][name]

    def seen(self, key: int | str) -> Token | None:
        """What was written already and is known here."""
        return next((scope[key] for scope in reversed(self.scopes) if key in scope), None)

    def read(self, name: str) -> Token:
        feature = self.program.features[name]
        variable = self.fresh("f")
        for line in reading_lines(feature, variable, self.constant, self.validate):
            self.emit(line)
        return Token(variable, feature.optional, real=feature.type == NUMBER)

    def needs_model(self, expression: Expression) -> bool:
        """Whether a model stands behind an expression."""
        return not self.model_names.isdisjoint(self.program.names_in(expression))

    # Values

    def value(self, expression: Expression) -> Token:
        """A token for the value; what it takes to compute it is written before."""
        if isinstance(expression, Constant):
            if not is_known(expression.value):
                raise Unsupported
            return self.written(as_type(expression.value, expression.type))
        if isinstance(expression, Variable):
            return self.variable(expression)
        number = self.numbers.number(expression)
        found = self.seen(number)
        if found is not None:
            return found
        token = self.computed(expression)
        self.scopes[-1][number] = token
        return token

    def variable(self, variable: Variable) -> Token:
        token = self.named(variable.name)
        if not variable.part:
            return token
        part = f"{token.text}[{variable.part!r}]"
        text = f"({nothing(variable.type)} if {token.is_missing} else {part})" if token.nullable else part
        return Token(text, token.nullable, real=variable.type == NUMBER)

    def computed(self, expression: Expression) -> Token:
        match expression:
            case Apply():
                return self.apply(expression)
            case Choose():
                return self.choose(expression)
            case MakeRecord(parts=parts, type=kind):
                found = {name: self.typed(part, dict(kind.parts)[name]) for name, part in parts}
                record = "{" + ", ".join(f"{name!r}: {token.text}" for name, token in found.items()) + "}"
                return self.unless_missing(list(found.values()), record, kind)
        return self.truth_value(expression)

    def apply(self, expression: Apply) -> Token:
        types = tuple(argument.type for argument in expression.arguments)
        if expression.function in (MULTIPLY, DIVIDE) and NUMBER in types:
            return self.inline(expression.function, [self.typed(part, NUMBER) for part in expression.arguments])
        tokens = [self.value(argument) for argument in expression.arguments]
        texts = [token.text for token in tokens]
        key = expression.function.spelling, expression.function.place, types
        name = f"g{self.functions.setdefault(key, len(self.functions))}"
        self.constants.setdefault(name, plain_function(expression.function, types))
        call = f"{name}({', '.join(texts)})"
        widened = expression.type == NUMBER and expression.function.result(types) == INTEGER
        return self.unless_missing(tokens, f"float({call})" if widened else call, expression.type)

    def inline(self, function: Function, tokens: list[Token]) -> Token:
        """A product or quotient of numbers: not finite is an error unless a side is missing."""
        name, (left, right) = self.fresh(), tokens
        nullable = left.nullable or right.nullable
        if function is DIVIDE and not right.value:
            self.emit(f"if {right.text} == 0: raise NotPlain")
        self.emit(f"{name} = {left.text} {function.spelling} {right.text}")
        known = " and ".join(["", *(token.is_known for token in tokens if token.nullable)])
        self.emit(f"if {name} - {name}{known}: raise NotPlain")
        return Token(name, nullable, real=True)

    def unless_missing(self, tokens: list[Token], text: str, kind: Type) -> Token:
        name = self.fresh()
        missing = " or ".join(token.is_missing for token in dict.fromkeys(tokens) if token.nullable)
        self.emit(f"{name} = {nothing(kind)} if {missing} else {text}" if missing else f"{name} = {text}")
        return Token(name, bool(missing), real=kind == NUMBER)

    def choose(self, expression: Choose) -> Token:
        name = self.fresh()
        holds, fails = self.truth(expression.condition, True), self.truth(expression.condition, False)
        with self.block(f"if {holds}:"):
            then = self.typed(expression.then, expression.type)
            self.emit(f"{name} = {then.text}")
        with self.block(f"elif {fails}:"):
            otherwise = self.typed(expression.otherwise, expression.type)
            self.emit(f"{name} = {otherwise.text}")
        with self.block("else:"):
            self.emit(f"{name} = {nothing(expression.type)}")
        return Token(name, True, real=expression.type == NUMBER)

    def typed(self, expression: Expression, wanted: Type) -> Token:
        token = self.value(expression)
        if not (isinstance(wanted, Number) and expression.type == INTEGER):
            return token
        if isinstance(expression, Constant):
            return self.written(float(expression.value))
        return self.unless_missing([token], f"float({token.text})", wanted)

    def truth_value(self, condition: Expression) -> Token:
        name = self.fresh()
        holds, fails = self.truth(condition, True), self.truth(condition, False)
        self.emit(f"{name} = True if {holds} else False if {fails} else None")
        return Token(name, True)

    # Conditions

    def truth(self, condition: Expression, answer: bool) -> str:
        """Python's condition that a condition is known to be `answer`; no part of it can fail."""
        match condition:
            case Compare(comparison=comparison, left=left, right=right):
                return self.compared(comparison if answer else COMPARISON[comparison.negation], left, right)
            case Within(value=value, low=low, high=high):
                ends = ((low, AT_LEAST, GREATER), (high, AT_MOST, LESS))
                kinds = [(closed if end.closed else open_, end.value) for end, closed, open_ in ends if end is not None]
                compared = [Compare(comparison, value, end) for comparison, end in kinds]
                return self.joined([self.truth(part, answer) for part in compared], every=answer)
            case Among(value=value, choices=choices):
                return self.among(value, choices, answer)
            case IsMissing(value=value):
                token = self.value(value)
                if not token.nullable:
                    return "False" if answer else "True"
                return token.is_missing if answer else token.is_known
            case Not(part=part):
                return self.truth(part, not answer)
            case And(parts=parts):
                return self.joined([self.truth(part, answer) for part in parts], every=answer)
            case Or(parts=parts):
                return self.joined([self.truth(part, answer) for part in parts], every=not answer)
            case Count():
                return self.counted(condition, answer)
            case Constant(value=value):
                return "True" if value is answer else "False"
        return f"{self.value(condition).text} is {answer}"

    def joined(self, parts: list[str], every: bool) -> str:
        if not parts:
            return str(every)
        return parts[0] if len(parts) == 1 else "(" + (" and " if every else " or ").join(parts) + ")"

    def counted(self, node: Count, answer: bool) -> str:
        certain = self.total([self.truth(part, True) for part in node.parts])
        possible = f"({len(node.parts)} - {self.total([self.truth(part, False) for part in node.parts])})"
        number = node.number
        if node.quantifier == "at least":
            return f"{certain} >= {number}" if answer else f"{possible} < {number}"
        if node.quantifier == "at most":
            return f"{possible} <= {number}" if answer else f"{certain} > {number}"
        if answer:
            return f"{certain} == {number} == {possible}"
        return f"({certain} > {number} or {possible} < {number})"

    def total(self, parts: list[str]) -> str:
        return "(" + " + ".join(f"({part})" for part in parts) + ")" if parts else "0"

    def compared(self, comparison: Comparison, left: Expression, right: Expression) -> str:
        if isinstance(left.type, Number) or isinstance(right.type, Number):
            return self.compared_numbers(comparison, left, right)
        first, second = self.value(left), self.value(right)
        texts = [first.text, second.text]
        if isinstance(left.type, Vocabulary) and comparison.orders:
            rank = self.constant({label: place for place, label in enumerate(left.type.labels)})
            texts = [f"{rank}[{text}]" for text in texts]
        single = comparison is EQUAL and not (first.nullable and second.nullable)
        text = f"{texts[0]} {_PYTHON[comparison.spelling]} {texts[1]}"
        return text if single else self.known([first, second], text)

    def compared_numbers(self, comparison: Comparison, left: Expression, right: Expression) -> str:
        tolerant = not (is_written(left) and is_written(right))
        for side, other, seen in ((left, right, comparison), (right, left, COMPARISON[comparison.mirrored])):
            if isinstance(other, Constant) and is_known(other.value):
                token = self.value(side)
                text = self.threshold(seen, _real(token.text, side.type), float(other.value), tolerant)
                return self.known([token], text, holds_not=seen is not UNEQUAL)
        first, second = self.value(left), self.value(right)
        texts = _real(first.text, left.type), _real(second.text, right.type)
        if not tolerant:
            text = f"{texts[0]} {_PYTHON[comparison.spelling]} {texts[1]}"
            return self.known([first, second], text, holds_not=comparison is not UNEQUAL)
        return self.compared_nearly(comparison, [first, second], texts)

    def compared_nearly(self, comparison: Comparison, tokens: list[Token], texts: tuple[str, str]) -> str:
        """Computed numbers; only where they are close is the tolerance looked at."""
        left, right = texts
        exact = f"holds({_PYTHON[comparison.spelling]!r}, {left}, {right})"
        if not comparison.orders:
            return self.known(tokens, exact)
        plain = f"{left} {_PYTHON[comparison.spelling]} {right}"
        gap = f"{left} - {right}" if (comparison.side > 0) != comparison.closed else f"{right} - {left}"
        if comparison.closed:
            text = f"({plain} or {gap} <= {_NEAR} * abs({right}) and {exact})"
        else:
            text = f"({plain} and ({gap} > {_NEAR} * abs({right}) or {exact}))"
        reals = all(token.real or not token.nullable for token in tokens)
        return self.known(tokens, text, holds_not=reals)

    def threshold(self, comparison: Comparison, text: str, threshold: float, tolerant: bool) -> str:
        low, high = equal_band(threshold) if tolerant else (threshold, threshold)
        if not comparison.orders and low != high:
            inside = f"{low!r} <= {text} <= {high!r}"
            return f"({inside})" if comparison.closed else f"not {inside}"
        end = high if comparison.spelling in (">", "<=") else low
        return f"{text} {_PYTHON[comparison.spelling]} {end!r}"

    def known(self, tokens: list[Token], text: str, holds_not: bool = False) -> str:
        """A condition of known values; `holds_not` says that it does not hold of NaN, so that it needs no check."""
        checks = [
            token.is_known for token in dict.fromkeys(tokens) if token.nullable and not (token.real and holds_not)
        ]
        return self.joined([*checks, text], every=True)

    def among(self, value: Expression, choices: tuple[Expression, ...], answer: bool) -> str:
        plain = [choice for choice in choices if isinstance(choice, Constant) and is_known(choice.value)]
        numeric = any(isinstance(each.type, Number) for each in (value, *choices))
        if len(plain) < len(choices) or not choices or numeric:
            compared = [self.truth(Compare(EQUAL, value, choice), answer) for choice in choices]
            return self.joined(compared, every=not answer)
        token = self.value(value)
        members = [choice.value for choice in plain]
        single = f"{token.text} {'==' if answer else '!='} {self.constant(members[0])}"
        several = f"{token.text} {'' if answer else 'not '}in {self.constant(frozenset(members))}"
        text = single if len(members) == 1 else several
        return text if answer else self.known([token], text)


_NEAR = 1.1 * EQUAL_WITHIN
_PYTHON = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


def nothing(kind: Type) -> str:
    """What stands for a missing value."""
    return "nan" if kind == NUMBER else "None"


def _real(text: str, kind: Type) -> str:
    return f"float({text})" if kind == INTEGER else text
