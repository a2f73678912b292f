"""The syntax tree: what a policy's text says, before any name is looked up.

Every node carries its span. A tree says nothing about meaning: `check` turns it into a program.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal as Spelled

from decisionflow.conditions.kleene import Quantifier
from decisionflow.frozen import frozen
from decisionflow.source import Source, Span

# Expressions


@frozen
class Number:
    """A number as written: `1_000`, `2.5e6`, `40%`; `value` is an int where there is no point, exponent or `%`."""

    value: int | float
    spelling: str
    span: Span


@frozen
class Text:
    """A text in quotes, or a label in quotes."""

    value: str
    span: Span


@frozen
class Truth:
    """`true` or `false`."""

    value: bool
    span: Span


@frozen
class Moment:
    """A date or timestamp literal, its spelling not yet read."""

    spelling: str
    kind: Spelled["date", "timestamp"]
    span: Span


@frozen
class Length:
    """`10 minutes`, `18 months`: an amount and a singular unit: second, minute, hour, day, week, month or year."""

    amount: int | float
    unit: str
    span: Span


@frozen
class Name:
    """A bare or backquoted word: a declared name, a label, or `today`."""

    name: str
    backquoted: bool
    span: Span


@frozen
class Part:
    """`NAME.part`."""

    record: Name
    part: Name
    span: Span


@frozen
class Call:
    """`function(argument, …)`."""

    function: Name
    arguments: tuple[Expression, ...]
    span: Span


SUM_SIGNS = frozenset("+-")


@frozen
class Infix:
    """`left operator right`, the operator `+ - * / ^` or `starts with`, `ends with`, `contains`."""

    operator: str
    left: Expression
    right: Expression
    operator_span: Span
    span: Span


@frozen
class Negative:
    """Unary minus."""

    operand: Expression
    span: Span


@frozen
class Chain:
    """One or more comparisons in a row: `18 <= age < 65`; one more operand than operators."""

    operands: tuple[Expression, ...]
    operators: tuple[str, ...]
    operator_spans: tuple[Span, ...]
    span: Span


@frozen
class End:
    """One end of an interval."""

    value: Expression
    closed: bool


@frozen
class Range:
    """`[low .. high)`."""

    low: End
    high: End
    span: Span


@frozen
class Set:
    """`{ a, b }`."""

    members: tuple[Expression, ...]
    span: Span


@frozen
class In:
    """`value in …` or `value not in …`: a range, a set, or the name of a parameter that is a set."""

    value: Expression
    choices: Range | Set | Name
    negated: bool
    span: Span


@frozen
class Presence:
    """`value is missing` or `value is present`."""

    value: Expression
    missing: bool
    span: Span


@frozen
class Negation:
    """`not condition`."""

    operand: Expression
    span: Span


@frozen
class Every:
    """`a and b and …`."""

    operands: tuple[Expression, ...]
    span: Span


@frozen
class Some:
    """`a or b or …`."""

    operands: tuple[Expression, ...]
    span: Span


@frozen
class Count:
    """`at least 2 of (…)`."""

    quantifier: Quantifier
    number: int
    operands: tuple[Expression, ...]
    span: Span


@frozen
class Choice:
    """`if condition then … else …`."""

    condition: Expression
    then: Expression
    otherwise: Expression
    span: Span


@frozen
class Group:
    """Parentheses; kept, because `-(a ^ 2)` and `(-a) ^ 2` need them."""

    inner: Expression
    span: Span


@frozen
class Fields:
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


@frozen
class PlainType:
    """`number`, `integer`, `boolean`, `text`, `date` or `timestamp`."""

    name: str
    span: Span


@frozen
class Label:
    """A label of a vocabulary, bare or in quotes."""

    text: str
    span: Span


@frozen
class VocabularyType:
    """`{ a, b, "c d" }`, or `ordered { low, high }`."""

    labels: tuple[Label, ...]
    ordered: bool
    span: Span


@frozen
class RecordType:
    """`( rate : number [0 .. 1], limit : number )`; a part may have a domain, None where it has none."""

    parts: tuple[tuple[Name, TypeNode, Domain | None], ...]
    span: Span


@frozen
class OutputType:
    """`probability of LABEL` or `score of LABEL`; the label is a Name, Text, Number or Truth, Negative of a Number."""

    kind: Spelled["probability", "score"]
    label: Expression
    span: Span


TypeNode = PlainType | VocabularyType | RecordType | OutputType


@frozen
class HalfDomain:
    """`>= 0`: a domain with one bound."""

    operator: str
    bound: Expression
    span: Span


Domain = Range | HalfDomain

# Declarations


@frozen
class Policy:
    """`policy NAME ["title"]`."""

    name: Name
    title: str
    span: Span


@frozen
class Use:
    """`use "path"`."""

    path: Text
    span: Span


@frozen
class Background:
    """`background "file"`."""

    path: Text
    span: Span


@frozen
class Option:
    """An option of a feature: its words (`increasing never`, `from column`, `others as`) and its value, if any."""

    words: str
    value: Expression | None
    span: Span


@frozen
class Feature:
    """`feature NAME : TYPE [domain] [options] ["description"]`."""

    name: Name
    type: TypeNode
    domain: Domain | None
    options: tuple[Option, ...]
    description: str
    span: Span


@frozen
class Parameter:
    """`parameter NAME = LITERAL [domain]`; the value may be a Set."""

    name: Name
    value: Expression | Set
    domain: Domain | None
    description: str
    span: Span


@frozen
class Derived:
    """`derived NAME = EXPRESSION ["description"]`."""

    name: Name
    expression: Expression
    description: str
    span: Span


@frozen
class Input:
    """One input of a model: a name, and the column that the model knows it by where it differs."""

    name: Name
    column: str | None
    span: Span


@frozen
class Model:
    """`model NAME : TYPE ["description"] [from "URI"] [using NAMES]`."""

    name: Name
    type: TypeNode
    domain: Domain | None
    description: str
    uri: Text | None
    inputs: tuple[Input, ...]
    span: Span


@frozen
class Reason:
    """`reason CODE "text"`; the code is a bare word or a text."""

    code: str
    text: str
    span: Span


@frozen
class Stats:
    """`stats (coverage 27.1%, accuracy 78.2%, …)`: figures that learning measured."""

    figures: tuple[tuple[str, Number], ...]
    span: Span


@frozen
class Rule:
    """`rule NAME: if CONDITION then OUTCOME [reason …] [stats …]`; an unnamed rule has no name."""

    name: Name | None
    condition: Expression
    outcome: Expression
    reason: Reason | None
    stats: Stats | None
    span: Span


@frozen
class Otherwise:
    """`otherwise OUTCOME [reason …]`."""

    outcome: Expression
    reason: Reason | None
    span: Span


@frozen
class HitPolicy:
    """`first`, `unique`, `any`, `priority`, or `collect` with its aggregation (`list` where none is written)."""

    name: str
    aggregation: str
    span: Span


@frozen
class RulesBody:
    """Rules, then perhaps an `otherwise`."""

    rules: tuple[Rule, ...]
    otherwise: Otherwise | None
    span: Span


@frozen
class AnyValue:
    """The cell `-`."""

    span: Span


@frozen
class EmptyCell:
    """A cell with nothing in it: always a mistake."""

    span: Span


@frozen
class CellComparison:
    """`< 0.02` in a cell."""

    operator: str
    bound: Expression
    span: Span


@frozen
class CellMissing:
    """`missing` in a cell."""

    span: Span


Test = CellComparison | Range | CellMissing | Expression


@frozen
class Tests:
    """A cell's tests, of which one must hold, all negated by a leading `not`; a bare expression asks for equality."""

    tests: tuple[Test, ...]
    negated: bool
    span: Span


Cell = AnyValue | EmptyCell | Tests


@frozen
class Row:
    """A row of a table: one cell for each input column, one outcome for each output column.

    An empty outcome is an `EmptyCell`. `number` counts the rows from one.
    """

    name: Name | None
    cells: tuple[Cell, ...]
    outcomes: tuple[Expression | EmptyCell, ...]
    reason: Reason | None
    number: int
    span: Span


@frozen
class Table:
    """An inline table: heads before `||` are inputs, those after it outputs."""

    inputs: tuple[Expression, ...]
    outputs: tuple[Name, ...]
    rows: tuple[Row, ...]
    otherwise: Otherwise | None
    span: Span


@frozen
class TableFrom:
    """`table from "pricing.xlsx" [sheet "Q3"] [delimiter ";" decimal ","]`."""

    path: Text
    options: tuple[Option, ...]
    otherwise: Otherwise | None
    span: Span


@frozen
class Companion:
    """`companion of FALLBACK` and its rules."""

    fallback: Expression
    rules: tuple[Rule, ...]
    span: Span


@frozen
class Formula:
    """`= EXPRESSION`."""

    expression: Expression
    span: Span


Body = RulesBody | Table | TableFrom | Companion | Formula


@frozen
class Decision:
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


@frozen
class ReasonRow:
    """`FEATURE raises CODE "text"`: what is said where the feature speaks for an adverse outcome by being high."""

    feature: Name
    effect: Spelled["raises", "lowers"]
    reason: Reason
    span: Span


@frozen
class ReasonTable:
    """`reasons` and its rows."""

    rows: tuple[ReasonRow, ...]
    span: Span


@frozen
class Expectation:
    """`NAME = VALUE [by RULE] [reason CODE]`, or `NAME undecided`, `invalid`, `conflict` (then there is no value)."""

    name: Name | Part
    status: Spelled["decided", "undecided", "invalid", "conflict"]
    value: Expression | None
    by: Name | Text | None
    reason: str | None
    span: Span


@frozen
class Example:
    """`test "name" given NAME = VALUE, … expect …`; a value `missing` is given as None."""

    name: Text
    given: tuple[tuple[Name | Part, Expression | None], ...]
    expected: tuple[Expectation, ...]
    span: Span


Declaration = Policy | Use | Background | Feature | Parameter | Derived | Model | Decision | ReasonTable | Example


@frozen
class Comment:
    """A comment, `#` included."""

    text: str
    span: Span


@frozen
class File:
    """One policy file."""

    source: Source
    declarations: tuple[Declaration, ...]
    comments: tuple[Comment, ...] = field(repr=False)
