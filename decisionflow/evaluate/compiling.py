"""Expressions as functions of a block of rows, each distinct expression worked out once for a block."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from decisionflow.conditions.expression import (
    Among,
    And,
    Apply,
    Bound,
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
from decisionflow.conditions.operators import AT_LEAST, AT_MOST, COMPARISON, EQUAL, GREATER, LESS, Comparison
from decisionflow.conditions.values import is_known
from decisionflow.evaluate.columns.comparison import compare_exactly, compare_numbers, compare_threshold
from decisionflow.evaluate.columns.registry import column_function
from decisionflow.evaluate.constants import constant, converted, stored
from decisionflow.evaluate.logic import conjunction, counting, disjunction, negation
from decisionflow.evaluate.modelled import modelled_names
from decisionflow.evaluate.numbering import numbering_of
from decisionflow.evaluate.vector import KNOWN, MISSING, Values, Vector, either, strict, with_states
from decisionflow.program.program import Program
from decisionflow.types import Number, Text, Type, Vocabulary

if TYPE_CHECKING:
    from decisionflow.evaluate.block import Block

Compiled = Callable[["Block"], Vector]


class Compiler:
    """Turns the expressions of one program into functions; expressions that are equal share one answer for a block."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.shared = 0
        self._numbers = numbering_of(program)
        self._compiled: dict[int, Compiled] = {}

    @cached_property
    def model_names(self) -> frozenset[str]:
        """The models, and every name with a model behind it; what a decision needs it asks for itself."""
        return modelled_names(self.program)

    def needs_model(self, expression: Expression) -> bool:
        """Whether a model stands behind an expression."""
        return bool(self.model_names) and not self.model_names.isdisjoint(self.program.names_in(expression))

    def compile(self, expression: Expression) -> Compiled:
        """The function that gives the expression's values for a block."""
        number = self._numbers.number(expression)
        if number not in self._compiled:
            computed = self._build(expression)
            trivial = isinstance(expression, Constant | Variable)
            shared = not trivial and self._numbers.uses[number] > 1
            self._compiled[number] = self._sharing(computed) if shared else computed
        return self._compiled[number]

    def conjunction(self, parts: Iterable[Expression]) -> Compiled:
        """All of the parts hold."""
        compiled = [self.compile(part) for part in parts]
        if len(compiled) == 1:
            return compiled[0]
        return lambda block: conjunction([part(block) for part in compiled])

    def _sharing(self, computed: Compiled) -> Compiled:
        place = self.shared
        self.shared += 1

        def shared(block: Block) -> Vector:
            found = block.memo[place]
            if found is None:
                found = block.memo[place] = computed(block)
            return found

        return shared

    def _build(self, expression: Expression) -> Compiled:
        match expression:
            case Constant(value=value, type=kind):
                single = constant(value, kind)
                return lambda _: single
            case Variable():
                return _read(expression)
            case Apply():
                return self._apply(expression)
            case Compare(comparison=comparison, left=left, right=right):
                return self._compare(comparison, left, right)
            case Within():
                return self._within(expression)
            case Among():
                return self._among(expression)
            case IsMissing(value=value):
                inner = self.compile(value)
                return lambda block: _is_missing(inner(block))
            case Not(part=part):
                inner = self.compile(part)
                return lambda block: negation(inner(block))
            case And(parts=parts):
                return self.conjunction(self._models_last(parts))
            case Or(parts=parts):
                alternatives = [self.compile(part) for part in self._models_last(parts)]
                return lambda block: disjunction([part(block) for part in alternatives])
            case Count(quantifier=quantifier, number=number, parts=parts):
                counted = [self.compile(part) for part in self._models_last(parts)]
                return lambda block: counting(quantifier, number, [part(block) for part in counted])
            case Choose():
                return self._choose(expression)
            case MakeRecord():
                return self._record(expression)

    def _models_last(self, parts: tuple[Expression, ...]) -> list[Expression]:
        return sorted(parts, key=self.needs_model)

    def _apply(self, expression: Apply) -> Compiled:
        function = column_function(expression.function)
        arguments = [self.compile(argument) for argument in expression.arguments]
        types = tuple(argument.type for argument in expression.arguments)
        given = expression.function.result(types) or expression.type

        def applied(block: Block) -> Vector:
            vectors = [argument(block) for argument in arguments]
            states, needs = strict(vectors)
            values, codes = function(*(vector.values for vector in vectors), types)
            values = converted(values, given, expression.type)
            if codes is None:
                return Vector(values, states, needs)
            failed = codes if states is None else np.where(states == KNOWN, codes, states)
            return with_states(values, failed, needs)

        return applied

    def _compare(self, comparison: Comparison, left: Expression, right: Expression) -> Compiled:
        if isinstance(left.type, Number) or isinstance(right.type, Number):
            return self._compare_numbers(comparison, left, right)
        sides = self.compile(left), self.compile(right)
        left_kind, right_kind = left.type, right.type
        if isinstance(left_kind, Text) and isinstance(right_kind, Vocabulary):
            kind: Type = left_kind
        else:
            kind = right_kind if isinstance(right_kind, Text) else left_kind

        def compared(block: Block) -> Vector:
            first, second = sides[0](block), sides[1](block)
            values = converted(first.values, left_kind, kind), converted(second.values, right_kind, kind)
            return Vector(compare_exactly(comparison, *values), *strict((first, second)))

        return compared

    def _compare_numbers(self, comparison: Comparison, left: Expression, right: Expression) -> Compiled:
        tolerant = not (is_written(left) and is_written(right))
        if isinstance(right, Constant) and is_known(right.value):
            return self._compare_threshold(comparison, left, float(right.value), tolerant)
        if isinstance(left, Constant) and is_known(left.value):
            return self._compare_threshold(COMPARISON[comparison.mirrored], right, float(left.value), tolerant)
        sides = self.compile(left), self.compile(right)

        def compared(block: Block) -> Vector:
            first, second = sides[0](block), sides[1](block)
            values = _real(first.values), _real(second.values)
            return Vector(compare_numbers(comparison, *values, tolerant), *strict((first, second)))

        return compared

    def _compare_threshold(
        self, comparison: Comparison, side: Expression, threshold: float, tolerant: bool
    ) -> Compiled:
        inner = self.compile(side)

        def compared(block: Block) -> Vector:
            found = inner(block)
            truths = compare_threshold(comparison, _real(found.values), threshold, tolerant)
            return Vector(truths, found.states, found.needs)

        return compared

    def _within(self, expression: Within) -> Compiled:
        ends = ((expression.low, AT_LEAST, GREATER), (expression.high, AT_MOST, LESS))
        compared = [
            self._compare(_operator(end, closed, open_), expression.value, end.value)
            for end, closed, open_ in ends
            if end is not None
        ]
        return lambda block: conjunction([part(block) for part in compared])

    def _among(self, expression: Among) -> Compiled:
        value, choices = expression.value, expression.choices
        constants = [choice for choice in choices if isinstance(choice, Constant) and is_known(choice.value)]
        numeric = any(isinstance(each.type, Number) for each in (value, *choices))
        if len(constants) < len(choices) or not choices or (numeric and not is_written(value)):
            compared = [self._compare(EQUAL, value, choice) for choice in choices]
            return lambda block: disjunction([part(block) for part in compared])
        member = _membership(value.type, constants)
        inner = self.compile(value)

        def among(block: Block) -> Vector:
            found = inner(block)
            return Vector(member(found.values), found.states, found.needs)

        return among

    def _choose(self, expression: Choose) -> Compiled:
        condition = self.compile(expression.condition)
        then, otherwise = (
            self._typed(expression.then, expression.type),
            self._typed(expression.otherwise, expression.type),
        )

        def chosen(block: Block) -> Vector:
            asked = condition(block)
            found = either(asked.values, then(block), otherwise(block))
            if asked.states is None:
                return found
            unsettled = Vector(found.values, asked.states, asked.needs)
            return either(asked.states != KNOWN, unsettled, found)

        return chosen

    def _typed(self, expression: Expression, wanted: Type) -> Compiled:
        inner, given = self.compile(expression), expression.type
        if given == wanted:
            return inner

        def typed(block: Block) -> Vector:
            found = inner(block)
            return Vector(converted(found.values, given, wanted), found.states, found.needs)

        return typed

    def _record(self, expression: MakeRecord) -> Compiled:
        kinds = dict(expression.type.parts)
        parts = {name: self._typed(part, kinds[name]) for name, part in expression.parts}

        def record(block: Block) -> Vector:
            found = {name: part(block) for name, part in parts.items()}
            return Vector({name: part.values for name, part in found.items()}, *strict(list(found.values())))

        return record


def _read(variable: Variable) -> Compiled:
    name, part = variable.name, variable.part
    if not part:
        return lambda block: block.variables[name]

    def read(block: Block) -> Vector:
        found = block.variables[name]
        return Vector(found.values[part], found.states, found.needs)

    return read


def _is_missing(found: Vector) -> Vector:
    if found.states is None:
        return Vector(np.zeros(1, np.bool_))
    missing = found.states == MISSING
    unsettled = found.states > MISSING
    return with_states(missing, np.where(unsettled, found.states, np.int32(KNOWN)), found.needs)


def _membership(kind: Type, constants: list[Constant]) -> Callable[[Values], Values]:
    if isinstance(kind, Vocabulary):
        chosen = {each.value for each in constants}
        allowed = np.array([label in chosen for label in kind.labels], np.bool_)
        return lambda values: allowed[values]
    if isinstance(kind, Text):
        texts = {each.value for each in constants}
        return lambda values: np.array([value in texts for value in values.tolist()], np.bool_)
    numeric = any(isinstance(each.type, Number) for each in constants) or isinstance(kind, Number)
    wanted: Type = Number() if numeric else kind
    choices = np.array([stored(each.value, wanted) for each in constants])
    if len(choices) == 1:
        return lambda values: (_real(values) if numeric else values) == choices[0]
    return lambda values: np.isin(_real(values) if numeric else values, choices)


def _operator(end: Bound, closed: Comparison, open_: Comparison) -> Comparison:
    return closed if end.closed else open_


def _real(values: Any) -> Any:
    return values.astype(np.float64, copy=False)
