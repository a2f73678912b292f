"""The syntax tree: what a policy's text says, before any name is looked up.

Every node carries its span. A tree says nothing about meaning: `check` turns it into a program.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Literal as Spelled

from decisionflow.conditions.kleene import Quantifier
from decisionflow.source import Source, Span


class Node:
    """What all nodes share: equality, hash and text of a value.

    Written once, for `dataclass` would write them for each of sixty classes, a third of the time that loading this
    module takes.
    """

    __slots__: tuple[str, ...] = ()

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        values = attrgetter(*self.__slots__)
        return bool(values(self) == values(other))

    def __hash__(self) -> int:
        return hash((type(self), attrgetter(*self.__slots__)(self)))

    def __repr__(self) -> str:
        shown = (f"{item.name}={getattr(self, item.name)!r}" for item in fields(self) if item.repr)  # type: ignore[arg-type]
        return f"{type(self).__name__}({', '.join(shown)})"


# Expressions


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Number(Node):
    """A number as written: `1_000`, `2.5e6`, `40%`; `value` is an int where there is no point, exponent or `%`."""

    value: int | float
    spelling: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Text(Node):
    """A text in quotes, or a label in quotes."""

    value: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Truth(Node):
    """`true` or `false`."""

    value: bool
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Moment(Node):
    """A date or timestamp literal, its spelling not yet read."""

    spelling: str
    kind: Spelled["date", "timestamp"]
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Length(Node):
    """`10 minutes`, `18 months`: an amount and a singular unit: second, minute, hour, day, week, month or year."""

    amount: int | float
    unit: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Name(Node):
    """A bare or backquoted word: a declared name, a label, or `today`."""

    name: str
    backquoted: bool
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Part(Node):
    """`NAME.part`."""

    record: Name
    part: Name
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Call(Node):
    """`function(argument, …)`."""

    function: Name
    arguments: tuple[Expression, ...]
    span: Span


SUM_SIGNS = frozenset("+-")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Infix(Node):
    """`left operator right`, the operator `+ - * / ^` or `starts with`, `ends with`, `contains`."""

    operator: str
    left: Expression
    right: Expression
    operator_span: Span
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Negative(Node):
    """Unary minus."""

    operand: Expression
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Chain(Node):
    """One or more comparisons in a row: `18 <= age < 65`; one more operand than operators."""

    operands: tuple[Expression, ...]
    operators: tuple[str, ...]
    operator_spans: tuple[Span, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class End(Node):
    """One end of an interval."""

    value: Expression
    closed: bool


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Range(Node):
    """`[low .. high)`."""

    low: End
    high: End
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Set(Node):
    """`{ a, b }`."""

    members: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class In(Node):
    """`value in …` or `value not in …`: a range, a set, or the name of a parameter that is a set."""

    value: Expression
    choices: Range | Set | Name
    negated: bool
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Presence(Node):
    """`value is missing` or `value is present`."""

    value: Expression
    missing: bool
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Negation(Node):
    """`not condition`."""

    operand: Expression
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Every(Node):
    """`a and b and …`."""

    operands: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Some(Node):
    """`a or b or …`."""

    operands: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Count(Node):
    """`at least 2 of (…)`."""

    quantifier: Quantifier
    number: int
    operands: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Choice(Node):
    """`if condition then … else …`."""

    condition: Expression
    then: Expression
    otherwise: Expression
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Group(Node):
    """Parentheses; kept, because `-(a ^ 2)` and `(-a) ^ 2` need them."""

    inner: Expression
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Fields(Node):
    """`( rate = 5%, limit = 1000 )`: a record."""

    parts: tuple[tuple[Name, Expression], ...]
    span: Span


Expression = (
    Number
    | Text
    | Truth
    | Moment
    | Length
    | Name
    | Part
    | Call
    | Infix
    | Negative
    | Chain
    | In
    | Presence
    | Negation
    | Every
    | Some
    | Count
    | Choice
    | Group
    | Fields
)

# Types


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PlainType(Node):
    """`number`, `integer`, `boolean`, `text`, `date` or `timestamp`."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Label(Node):
    """A label of a vocabulary, bare or in quotes."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class VocabularyType(Node):
    """`{ a, b, "c d" }`, or `ordered { low, high }`."""

    labels: tuple[Label, ...]
    ordered: bool
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RecordType(Node):
    """`( rate : number [0 .. 1], limit : number )`; a part may have a domain, None where it has none."""

    parts: tuple[tuple[Name, TypeNode, Domain | None], ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OutputType(Node):
    """`probability of LABEL` or `score of LABEL`; the label is a Name, Text, Number or Truth, Negative of a Number."""

    kind: Spelled["probability", "score"]
    label: Expression
    span: Span


TypeNode = PlainType | VocabularyType | RecordType | OutputType


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class HalfDomain(Node):
    """`>= 0`: a domain with one bound."""

    operator: str
    bound: Expression
    span: Span


Domain = Range | HalfDomain

# Declarations


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Policy(Node):
    """`policy NAME ["title"]`."""

    name: Name
    title: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Use(Node):
    """`use "path"`."""

    path: Text
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Background(Node):
    """`background "file"`."""

    path: Text
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Option(Node):
    """An option of a feature: its words (`increasing never`, `from column`, `others as`) and its value, if any."""

    words: str
    value: Expression | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Feature(Node):
    """`feature NAME : TYPE [domain] [options] ["description"]`."""

    name: Name
    type: TypeNode
    domain: Domain | None
    options: tuple[Option, ...]
    description: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Parameter(Node):
    """`parameter NAME = LITERAL [domain]`; the value may be a Set."""

    name: Name
    value: Expression | Set
    domain: Domain | None
    description: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Derived(Node):
    """`derived NAME = EXPRESSION ["description"]`."""

    name: Name
    expression: Expression
    description: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Input(Node):
    """One input of a model: a name, and the column that the model knows it by where it differs."""

    name: Name
    column: str | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Model(Node):
    """`model NAME : TYPE ["description"] [from "URI"] [using NAMES]`."""

    name: Name
    type: TypeNode
    domain: Domain | None
    description: str
    uri: Text | None
    inputs: tuple[Input, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Reason(Node):
    """`reason CODE "text"`; the code is a bare word or a text."""

    code: str
    text: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Stats(Node):
    """`stats (coverage 27.1%, accuracy 78.2%, …)`: figures that learning measured."""

    figures: tuple[tuple[str, Number], ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Rule(Node):
    """`rule NAME: if CONDITION then OUTCOME [reason …] [stats …]`; an unnamed rule has no name."""

    name: Name | None
    condition: Expression
    outcome: Expression
    reason: Reason | None
    stats: Stats | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Otherwise(Node):
    """`otherwise OUTCOME [reason …]`."""

    outcome: Expression
    reason: Reason | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class HitPolicy(Node):
    """`first`, `unique`, `any`, `priority`, or `collect` with its aggregation (`list` where none is written)."""

    name: str
    aggregation: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RulesBody(Node):
    """Rules, then perhaps an `otherwise`."""

    rules: tuple[Rule, ...]
    otherwise: Otherwise | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AnyValue(Node):
    """The cell `-`."""

    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class EmptyCell(Node):
    """A cell with nothing in it: always a mistake."""

    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CellComparison(Node):
    """`< 0.02` in a cell."""

    operator: str
    bound: Expression
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CellMissing(Node):
    """`missing` in a cell."""

    span: Span


Test = CellComparison | Range | CellMissing | Expression


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Tests(Node):
    """A cell's tests, of which one must hold, all negated by a leading `not`; a bare expression asks for equality."""

    tests: tuple[Test, ...]
    negated: bool
    span: Span


Cell = AnyValue | EmptyCell | Tests


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Row(Node):
    """A row of a table: one cell for each input column, one outcome for each output column.

    An empty outcome is an `EmptyCell`. `number` counts the rows from one.
    """

    name: Name | None
    cells: tuple[Cell, ...]
    outcomes: tuple[Expression | EmptyCell, ...]
    reason: Reason | None
    number: int
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Table(Node):
    """An inline table: heads before `||` are inputs, those after it outputs."""

    inputs: tuple[Expression, ...]
    outputs: tuple[Name, ...]
    rows: tuple[Row, ...]
    otherwise: Otherwise | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TableFrom(Node):
    """`table from "pricing.xlsx" [sheet "Q3"] [delimiter ";" decimal ","]`."""

    path: Text
    options: tuple[Option, ...]
    otherwise: Otherwise | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Companion(Node):
    """`companion of FALLBACK` and its rules."""

    fallback: Expression
    rules: tuple[Rule, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Formula(Node):
    """`= EXPRESSION`."""

    expression: Expression
    span: Span


Body = RulesBody | Table | TableFrom | Companion | Formula


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Decision(Node):
    """`decision NAME : TYPE [best first|worst first] [adverse LABEL, …] [reasons at most N] [HIT POLICY]` and its body.

    `best_first` and `most_reasons` are None where none is written.
    """

    name: Name
    type: TypeNode
    domain: Domain | None
    best_first: bool | None
    adverse: tuple[Label, ...]
    most_reasons: Number | None
    hit_policy: HitPolicy | None
    description: str
    body: Body
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ReasonRow(Node):
    """`FEATURE raises CODE "text"`: what is said where the feature speaks for an adverse outcome by being high."""

    feature: Name
    effect: Spelled["raises", "lowers"]
    reason: Reason
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ReasonTable(Node):
    """`reasons` and its rows."""

    rows: tuple[ReasonRow, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Expectation(Node):
    """`NAME = VALUE [by RULE] [reason CODE]`, or `NAME undecided`, `invalid`, `conflict` (then there is no value)."""

    name: Name | Part
    status: Spelled["decided", "undecided", "invalid", "conflict"]
    value: Expression | None
    by: Name | Text | None
    reason: str | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Example(Node):
    """`test "name" given NAME = VALUE, … expect …`; a value `missing` is given as None."""

    name: Text
    given: tuple[tuple[Name | Part, Expression | None], ...]
    expected: tuple[Expectation, ...]
    span: Span


Declaration = Policy | Use | Background | Feature | Parameter | Derived | Model | Decision | ReasonTable | Example


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Comment(Node):
    """A comment, `#` included."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class File(Node):
    """One policy file."""

    source: Source
    declarations: tuple[Declaration, ...]
    comments: tuple[Comment, ...] = field(repr=False)
