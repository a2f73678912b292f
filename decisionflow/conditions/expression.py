"""Typed expressions: what a checked policy computes, and what learners, explainers and proofs build themselves.

Every node knows its type. A name is resolved, a bare word is a label, a parameter is its value: no node depends on
where it stands. The value of each is defined by `evaluate.interpreter`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from decisionflow.conditions.kleene import Quantifier
from decisionflow.conditions.operators import Comparison, Function
from decisionflow.conditions.values import Value
from decisionflow.frozen import frozen
from decisionflow.source import Span
from decisionflow.types import BOOLEAN, Record, Type


@frozen
class Constant:
    """A value written in the policy, or a parameter, whose name is kept for the reader."""

    value: Value
    type: Type
    name: str = ""
    span: Span | None = field(default=None, compare=False, repr=False)


@frozen
class Variable:
    """A feature, derived value, model or decision, or `today`; `part` picks one of a record.

    `written` holds for what the row itself brings (a feature, `today`), which compares without tolerance.
    """

    name: str
    type: Type
    written: bool = False
    part: str = ""
    span: Span | None = field(default=None, compare=False, repr=False)


@frozen
class Apply:
    """A function of the values of its arguments: error if any is, else missing if any is."""

    function: Function
    arguments: tuple[Expression, ...]
    type: Type
    span: Span | None = field(default=None, compare=False, repr=False)


@frozen
class Compare:
    """A comparison; unknown with a missing side, error with an error side."""

    comparison: Comparison
    left: Expression
    right: Expression
    span: Span | None = field(default=None, compare=False, repr=False)
    type: Type = BOOLEAN


@frozen
class Bound:
    """One end of an interval of values."""

    value: Expression
    closed: bool


@frozen
class Within:
    """`value in [low .. high)`: both ends' comparisons hold; an absent end asks nothing."""

    value: Expression
    low: Bound | None
    high: Bound | None
    span: Span | None = field(default=None, compare=False, repr=False)
    type: Type = BOOLEAN


@frozen
class Among:
    """`value in { … }`: equal to one of the choices; a parameter that is a set leaves its name."""

    value: Expression
    choices: tuple[Expression, ...]
    name: str = ""
    span: Span | None = field(default=None, compare=False, repr=False)
    type: Type = BOOLEAN


@frozen
class IsMissing:
    """True of a missing value, false of a known one, error of an error."""

    value: Expression
    span: Span | None = field(default=None, compare=False, repr=False)
    type: Type = BOOLEAN


@frozen
class Not:
    """The negation of a condition."""

    part: Expression
    span: Span | None = field(default=None, compare=False, repr=False)
    type: Type = BOOLEAN


@frozen
class And:
    """All of the parts hold; of none, true."""

    parts: tuple[Expression, ...]
    span: Span | None = field(default=None, compare=False, repr=False)
    type: Type = BOOLEAN


@frozen
class Or:
    """Some of the parts hold; of none, false."""

    parts: tuple[Expression, ...]
    span: Span | None = field(default=None, compare=False, repr=False)
    type: Type = BOOLEAN


@frozen
class Count:
    """`at least`, `at most` or `exactly` so many of the parts hold."""

    quantifier: Quantifier
    number: int
    parts: tuple[Expression, ...]
    span: Span | None = field(default=None, compare=False, repr=False)
    type: Type = BOOLEAN


@frozen
class Choose:
    """`if condition then … else …`: needs the condition and the branch taken; missing where that is unknown."""

    condition: Expression
    then: Expression
    otherwise: Expression
    type: Type
    span: Span | None = field(default=None, compare=False, repr=False)


@frozen
class MakeRecord:
    """A record of the values of its parts."""

    parts: tuple[tuple[str, Expression], ...]
    type: Record
    span: Span | None = field(default=None, compare=False, repr=False)


Expression = (
    Constant | Variable | Apply | Compare | Within | Among | IsMissing | Not | And | Or | Count | Choose | MakeRecord
)

TRUE = Constant(True, BOOLEAN)
Atom = Compare | Within | Among | IsMissing


def children(expression: Expression) -> tuple[Expression, ...]:
    """The expressions directly inside one, in the order in which they are written."""
    match expression:
        case Constant() | Variable():
            return ()
        case And(parts=parts) | Or(parts=parts) | Count(parts=parts):
            return parts
        case Compare(left=left, right=right):
            return (left, right)
        case Apply(arguments=arguments):
            return arguments
        case IsMissing(value=value):
            return (value,)
        case Not(part=part):
            return (part,)
        case Within(value=value, low=low, high=high):
            return (value, *(end.value for end in (low, high) if end is not None))
        case Among(value=value, choices=choices):
            return (value, *choices)
        case Choose(condition=condition, then=then, otherwise=otherwise):
            return (condition, then, otherwise)
        case MakeRecord(parts=named):
            return tuple(part for _, part in named)


def walk(expression: Expression) -> Iterator[Expression]:
    """An expression and everything inside it, outermost first, without recursion."""
    waiting = [expression]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += reversed(children(node))


def variables(expression: Expression) -> tuple[Variable, ...]:
    """The distinct variables that an expression reads, in order of appearance."""
    return tuple(dict.fromkeys(node for node in walk(expression) if isinstance(node, Variable)))


def conjuncts(condition: Expression) -> tuple[Expression, ...]:
    """The parts of which all must hold, nested `and` opened; a rule's conditions."""
    if not isinstance(condition, And):
        return (condition,)
    return tuple(part for inner in condition.parts for part in conjuncts(inner))


def atoms(condition: Expression) -> tuple[Expression, ...]:
    """The conditions without logic inside, in order: what a trace reports one by one.

    `not in` and `is present` are conditions of their own.
    """
    if isinstance(condition, Not) and isinstance(condition.part, IsMissing | Among):
        return (condition,)
    if isinstance(condition, And | Or | Count | Not):
        return tuple(atom for inner in children(condition) for atom in atoms(inner))
    return (condition,)


def is_written(expression: Expression) -> bool:
    """Whether a number is written or read rather than computed: a feature, a parameter or a literal (law 1)."""
    return isinstance(expression, Constant) or (isinstance(expression, Variable) and expression.written)
