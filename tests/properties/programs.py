"""Typed programs, tables and settings made at random, over the whole language."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

import numpy as np
from hypothesis import strategies as st

from decisionflow.conditions.expression import (
    TRUE,
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
)
from decisionflow.conditions.operators import COMPARISONS, FUNCTIONS, fits
from decisionflow.conditions.values import MISSING, Failure, Value
from decisionflow.evaluate.bound_model import BoundModel
from decisionflow.evaluate.settings import Settings
from decisionflow.models.model import Model
from decisionflow.program.declarations import (
    CompanionList,
    Decision,
    Derived,
    Domain,
    Feature,
    Formula,
    ModelDeclaration,
    Reading,
    Reason,
    Rule,
    RuleList,
    always,
)
from decisionflow.program.program import Program
from decisionflow.tables.scalars import from_scalars
from decisionflow.tables.table import INVALID_STATE, Column, Table
from decisionflow.types import (
    BOOLEAN,
    CALENDAR,
    DATE,
    DURATION,
    INTEGER,
    NUMBER,
    TEXT,
    TIMESTAMP,
    CalendarStep,
    ListOf,
    ModelOutput,
    Record,
    Type,
    Vocabulary,
)

COLOUR = Vocabulary(("red", "green", "blue"))
GRADE = Vocabulary(("low", "mid", "high"), ordered=True)
OFFER = Record((("rate", NUMBER), ("limit", INTEGER), ("colour", COLOUR)))

NUMBERS = (0.0, 0.1, 0.2, 0.3, 0.7, 0.8, 0.5, 1.0, -1.5, 2.5, 2.675, 1e-13, 1e9, -1e16, 9007199254740993.0, 1e300, -0.0)
INTEGERS = (0, 1, 2, 3, -1, -7, 10, 2**31, 2**53 + 1, 2**63 - 1, -(2**63), 10**18)
DATES = (
    date(2024, 2, 29),
    date(2023, 2, 28),
    date(2024, 3, 1),
    date(2024, 1, 31),
    date(2006, 3, 1),
    date(1, 1, 1),
    date(9999, 12, 31),
    date(1969, 12, 31),
)
INSTANTS = (
    datetime(2024, 5, 1, 10, tzinfo=UTC),
    datetime(2024, 5, 1, 10, 0, 0, 1, tzinfo=UTC),
    datetime(1969, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
    datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
    datetime(1, 1, 1, tzinfo=UTC),
)
LENGTHS = (
    timedelta(0),
    timedelta(hours=36),
    timedelta(days=1),
    timedelta(days=90),
    timedelta(days=-1),
    timedelta(minutes=10),
)
TEXTS = ("", "a", "Ab", " ab ", "NO", "é", "ﬁn", "İ")
STEPS = tuple(CalendarStep(months) for months in (0, 1, 12, 18, -1, 13, 200_000))
LITERALS: dict[Type, tuple[Value, ...]] = {
    NUMBER: NUMBERS,
    INTEGER: INTEGERS,
    BOOLEAN: (True, False),
    TEXT: TEXTS,
    COLOUR: COLOUR.labels,
    GRADE: GRADE.labels,
    DATE: DATES,
    TIMESTAMP: INSTANTS,
    DURATION: LENGTHS,
    CALENDAR: STEPS,
}
FEATURES: dict[str, Type] = {
    "x": NUMBER,
    "y": NUMBER,
    "i": INTEGER,
    "j": INTEGER,
    "b": BOOLEAN,
    "t": TEXT,
    "u": TEXT,
    "c": COLOUR,
    "g": GRADE,
    "d": DATE,
    "e": DATE,
    "s": TIMESTAMP,
    "r": TIMESTAMP,
}
SIMPLE: tuple[Type, ...] = (NUMBER, INTEGER, BOOLEAN, TEXT, COLOUR, GRADE, DATE, TIMESTAMP)
COMPARED: tuple[Type, ...] = (*SIMPLE, DURATION)
ORDERED: tuple[Type, ...] = (NUMBER, INTEGER, GRADE, DATE, TIMESTAMP, DURATION)


@dataclass(frozen=True)
class Case:
    """A program with the models, the data and the settings that it is run with; `made_case` makes it again."""

    size: int
    seed: int
    program: Program = field(repr=False)
    models: dict[str, BoundModel] = field(repr=False)
    table: Table = field(repr=False)
    settings: Settings = field(repr=False)


class Draft:
    """A program in the making: which variables of which type may be read so far."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.used: dict[Type, list[Expression]] = {}
        self.readable: list[Variable] = [Variable(name, kind, written=True) for name, kind in FEATURES.items()]
        self.readable.append(Variable("today", DATE, written=True))

    def pick(self, options: Any) -> Any:
        return self.random.choice(list(options))

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def add(self, name: str, kind: Type) -> None:
        self.readable.append(Variable(name, kind))
        if isinstance(kind, Record):
            self.readable += [Variable(name, inner, part=part) for part, inner in kind.parts]

    # Expressions

    def leaf(self, kind: Type) -> Expression:
        known = [each for each in self.readable if each.type == kind]
        if isinstance(kind, Record):
            return self.pick(known) if known and self.chance(40) else self.record(kind, 0)
        if known and self.chance(65):
            return self.pick(known)
        name = "parameter" if self.chance(10) else ""
        return Constant(self.pick(LITERALS[kind]), kind, name)

    def record(self, kind: Record, depth: int) -> Expression:
        return MakeRecord(tuple((name, self.value(part, depth)) for name, part in kind.parts), kind)

    def value(self, kind: Type, depth: int) -> Expression:
        if kind == NUMBER and self.chance(15):
            return self.value(INTEGER, depth)
        if depth <= 0:
            return self.leaf(kind)
        if self.chance(15):
            branches = self.value(kind, depth - 1), self.value(kind, depth - 1)
            return Choose(self.condition(depth - 1), *branches, kind)
        if isinstance(kind, Record):
            return self.record(kind, depth - 1)
        if kind == BOOLEAN:
            return self.condition(depth)
        if kind in self.used and self.chance(25):
            return self.pick(self.used[kind])
        applied = self.applied(kind, depth) if self.chance(65) else None
        if applied is None:
            return self.leaf(kind)
        self.used.setdefault(kind, []).append(applied)
        return applied

    def applied(self, kind: Type, depth: int) -> Expression | None:
        fitting = [
            (function, taken)
            for function in FUNCTIONS
            for taken, answer in function.signatures
            if answer == kind and not (kind == BOOLEAN and function.place != "words")
        ]
        if not fitting:
            return None
        function, taken = self.pick(fitting)
        count = self.random.randint(1, 3) if function.variadic else 1
        arguments = tuple(self.value(each, depth - 1) for each in taken * count)
        if function.spelling == "round" and len(arguments) == 2:
            arguments = (arguments[0], self.digits())
        given = tuple(argument.type for argument in arguments)
        answer = function.result(given)
        if answer is None:
            return None
        applied = Apply(function, arguments, answer)
        return applied if fits(answer, kind) else None

    def digits(self) -> Expression:
        if self.chance(80):
            return Constant(self.random.randint(-3, 6), INTEGER)
        return self.pick([Variable("i", INTEGER, written=True), Constant(400, INTEGER), Constant(-400, INTEGER)])

    def condition(self, depth: int) -> Expression:
        if depth > 0 and self.chance(45):
            return self.logic(depth)
        return self.atom(depth)

    def logic(self, depth: int) -> Expression:
        kind = self.pick(("and", "or", "not", "count"))
        parts = tuple(self.condition(depth - 1) for _ in range(self.random.randint(1, 3)))
        if kind == "and":
            return And(parts)
        if kind == "or":
            return Or(parts)
        if kind == "not":
            return Not(parts[0])
        quantifier = self.pick(("at least", "at most", "exactly"))
        return Count(quantifier, self.random.randint(0, 3), parts)

    def atom(self, depth: int) -> Expression:
        shape = self.pick(("compare", "compare", "within", "among", "missing", "words", "plain"))
        inner = max(0, depth - 1)
        if shape == "plain":
            return self.leaf(BOOLEAN)
        if shape == "words":
            return self.applied(BOOLEAN, 1) or TRUE
        if shape == "missing":
            return IsMissing(self.value(self.pick(COMPARED), inner))
        if shape == "within":
            kind = self.pick(ORDERED)
            ends = [self.bound(kind), self.bound(kind)]
            return Within(self.value(kind, inner), *(end if self.chance(85) else None for end in ends))
        if shape == "among":
            kind = self.pick(COMPARED)
            choices = tuple(self.leaf(kind) for _ in range(self.random.randint(0, 3)))
            return Among(self.value(kind, inner), choices)
        comparison = self.pick(COMPARISONS)
        kind = self.pick(ORDERED if comparison.orders else COMPARED)
        return Compare(comparison, self.value(kind, inner), self.value(kind, inner))

    def bound(self, kind: Type) -> Bound:
        return Bound(self.leaf(kind), self.chance(50))

    # Declarations

    def model(self, name: str) -> ModelDeclaration:
        usable = [each for each in self.readable if each.type in SIMPLE and not each.part and each.name != "today"]
        inputs = self.random.sample(usable, self.random.randint(1, 3))
        kind, output = self.pick(
            (
                (NUMBER, ModelOutput("probability", "bad")),
                (NUMBER, ModelOutput("number")),
                (COLOUR, ModelOutput("label")),
            )
        )
        domain = Domain(low=-0.25, high=1.25) if output.kind == "number" and self.chance(30) else None
        return ModelDeclaration(
            name, kind, output, inputs=tuple((each.name, f"{each.name}_in") for each in inputs), domain=domain
        )

    def rule(self, name: str, kind: Type) -> Rule:
        parts = tuple(self.condition(1) for _ in range(self.random.randint(1, 3)))
        condition = And(parts) if len(parts) > 1 else parts[0]
        return Rule(name, condition, self.value(kind, self.random.randint(0, 2)), self.reason(name))

    def reason(self, name: str) -> Reason | None:
        return Reason(f"R-{name}", f"because of {name}") if self.chance(50) else None

    def decision(self, name: str) -> Decision:
        shape = self.pick(("first", "first", "unique", "any", "priority", "collect", "companion", "formula"))
        kind = COLOUR if shape == "priority" else self.pick((*SIMPLE, OFFER, COLOUR, NUMBER))
        aggregation = ""
        if shape == "collect":
            aggregation = self.pick(("list", "sum", "min", "max", "count"))
            if aggregation in ("sum", "min", "max"):
                kind = self.pick((NUMBER, INTEGER))
            kind = INTEGER if aggregation == "count" else kind
        domain, part_domains = self.domains(kind)
        if shape == "formula":
            body: Any = Formula(self.value(kind, 2))
            return Decision(name, kind, body, domain, part_domains)
        rules = tuple(self.rule(f"r{place}", kind) for place in range(self.random.randint(0, 4)))
        if shape == "companion":
            shares = [self.pick((0.1, 0.2, 0.3)) for _ in rules]
            rules = tuple(
                Rule(rule.name, rule.condition, rule.outcome, rule.reason, (("coverage", share),))
                for rule, share in zip(rules, shares, strict=True)
            )
            body = CompanionList(rules, self.value(kind, 1), "fallback")
        else:
            otherwise = always("otherwise", self.value(kind, 1), self.reason("otherwise")) if self.chance(50) else None
            body = RuleList(rules, otherwise, shape, aggregation)
        return Decision(name, kind, body, domain, part_domains)

    def domains(self, kind: Type) -> tuple[Domain | None, tuple[tuple[str, Domain], ...]]:
        if isinstance(kind, Record):
            return None, (("rate", Domain(0.0, 1.0)), ("limit", Domain(0, None, high_closed=False)))[
                : self.random.randint(0, 2)
            ]
        if kind in (NUMBER, INTEGER) and self.chance(30):
            return Domain(0, 1000, self.chance(50), self.chance(50)), ()
        return None, ()


def answer_of(name: str, output: ModelOutput, row: dict[str, Any]) -> Any:
    """A fixed, arbitrary answer for a row of inputs; now and then one that the declared type does not have."""
    text = repr((name, sorted((column, _plain(value)) for column, value in row.items())))
    number = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=4).digest(), "big")
    if output.kind == "label":
        return ("red", "green", "blue", "red", "green", "mauve")[number % 6]
    return (0.0, 0.1, 0.35, 0.5, 0.8, 1.0, 1.5, float("nan"))[number % 8]


def _plain(value: Any) -> str:
    """One text for a value, whichever way a frame holds it: integers become numbers beside missing ones."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return repr(float(value))
    return "NaT" if value is None else str(value)


def made_model(declaration: ModelDeclaration, takes_missing: bool, calls: list[tuple[str, int]] | None = None) -> Model:
    """A model whose every output is `answer_of`."""

    def run(frame: Any) -> Any:
        if calls is not None:
            calls.append((declaration.name, len(frame)))
        return [answer_of(declaration.name, declaration.output, row) for row in frame.astype(object).to_dict("records")]

    names = tuple(column for _, column in declaration.inputs)
    return Model(
        declaration.name, {declaration.output.kind: run}, names, missing_inputs=None if takes_missing else frozenset()
    )


@st.composite
def cases(draw: Any, rows: int = 8) -> Case:
    """A program with up to eight derived values, models and decisions, and a table of some rows.

    Hypothesis chooses the size and a seed; the rest follows from the seed, which is far faster than choice by choice.
    """
    return made_case(draw(st.integers(1, 8)), draw(st.integers(0, 2**32 - 1)), rows)


def made_case(size: int, seed: int, rows: int = 8) -> Case:
    """The case of a seed."""
    draft = Draft(Random(seed))
    derived: dict[str, Derived] = {}
    models: dict[str, ModelDeclaration] = {}
    decisions: dict[str, Decision] = {}
    for place in range(size):
        shape = draft.pick(("derived", "derived", "model", "decision", "decision"))
        if shape == "derived":
            made = Derived(f"v{place}", draft.value(draft.pick(COMPARED), 2))
            derived[made.name] = made
            draft.add(made.name, made.type)
        elif shape == "model" and len(models) < 2:
            model = draft.model(f"m{place}")
            models[model.name] = model
            draft.add(model.name, model.type)
        else:
            decision = draft.decision(f"k{place}")
            decisions[decision.name] = decision
            if not isinstance(decision.held, ListOf):
                draft.add(decision.name, decision.held)
    decisions["last"] = draft.decision("last")
    optional = {name: draft.chance(60) for name in FEATURES}
    features = {name: Feature(name, kind, Reading(name), optional=optional[name]) for name, kind in FEATURES.items()}
    program = Program("made", features, {}, derived, models, decisions)
    kinds = (
        FEATURES
        | {name: item.type for name, item in derived.items()}
        | {name: item.type for name, item in models.items()}
    )
    bound = {}
    for name, item in models.items():
        inputs = {column: decisions[used].held if used in decisions else kinds[used] for used, column in item.inputs}
        bound[name] = BoundModel(item, made_model(item, draft.chance(50)), inputs)
    return Case(size, seed, program, bound, _table(draft, features, rows), _settings(draft, decisions))


def _table(draft: Draft, features: dict[str, Feature], rows: int) -> Table:
    columns, problems = {}, {}
    for name, feature in features.items():
        values = [draft.pick(LITERALS[feature.type]) for _ in range(rows)]
        for row in range(rows):
            if feature.optional and draft.chance(20):
                values[row] = MISSING
            elif draft.chance(2):
                values[row] = Failure(f"{name} is wrong in row {row}")
        columns[name] = _column(values, feature.type)
        problems[name] = {row: value.reason for row, value in enumerate(values) if isinstance(value, Failure)}
    return Table(rows, columns, problems)


def _column(values: list[Value], kind: Type) -> Column:
    column = from_scalars(values, kind)
    if column.states is not None:
        failed = np.array([isinstance(value, Failure) for value in values])
        column.states[failed] = INVALID_STATE
    return column


def _settings(draft: Draft, decisions: dict[str, Decision]) -> Settings:
    cut = {
        name: draft.pick((0.0, 0.1, 0.25, 0.3, 0.5, 1.0))
        for name, item in decisions.items()
        if isinstance(item.body, CompanionList) and draft.chance(60)
    }
    return Settings(draft.pick(DATES), cut, stochastic=draft.chance(50), seed=draft.random.randint(0, 3))
