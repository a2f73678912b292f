"""Syntax trees of the whole language, for Hypothesis: every tree is one that some text spells."""

from __future__ import annotations

import string
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from hypothesis import strategies as st

from decisionflow.source import Source, Span
from decisionflow.syntax import tree
from decisionflow.syntax.spelling import is_plain

HERE = Span(Source("", ""), 0, 0)
Draw = st.DrawFn

WORDS = (
    *("age", "income", "x", "_", "first", "reason", "at", "exactly", "row", "today", "date", "number", "missingness"),
    *("by", "any", "trim", "step", "list", "sum", "case", "zone", "best", "worst", "optional", "probability", "from"),
    *("column", "hours", "contains", "starts", "least", "reasons", "raises", "lowers", "naïve", "Δ", "年齢"),
)
ODD = ("Monthly Usage", "in", "Rule", "10 %", "a`b", "``", "test", 'a "quoted" word', "#", "Then", "-", "x.y")
TEXTS = st.one_of(
    st.sampled_from([*WORDS, *ODD, "IN", "", "a | b", "# no comment", '"']),
    st.text(string.ascii_letters + ' ."`|#,äß', max_size=12),
)
PRODUCTS = st.sampled_from(["", "", "*", "/"])
SUMS = st.sampled_from(["", "", "+", "-", "+-"])
OPERATORS = ("=", "!=", "<", "<=", ">", ">=")


def without_places(node: Any) -> Any:
    """A tree as nested tuples in which no span is left, so that two texts of one tree compare equal."""
    if isinstance(node, tuple):
        return tuple(map(without_places, node))
    if isinstance(node, tree.Name):
        return ("Name", node.name)
    if not is_dataclass(node):
        return (type(node).__name__, node)
    kept = (item.name for item in fields(node) if not item.name.endswith(("span", "spans", "source")))
    return (type(node).__name__, *((name, without_places(getattr(node, name))) for name in kept))


@cache
@st.composite
def names(draw: Draw) -> tree.Name:
    word = draw(st.sampled_from([*WORDS, *WORDS, *ODD]))
    return tree.Name(word, not is_plain(word) or draw(st.booleans()), HERE)


@cache
@st.composite
def plain_names(draw: Draw) -> tree.Name:
    return tree.Name(draw(st.sampled_from(WORDS)), False, HERE)


@cache
@st.composite
def numbers(draw: Draw) -> tree.Number:
    spelling = draw(st.sampled_from(["0", "1", "18", "1_000", "007", "0.5", "2.50", "1e6", "2.5E-3", "40%", "7.5%"]))
    digits = spelling.replace("_", "")
    if digits.isdigit():
        return tree.Number(int(digits), spelling, HERE)
    return tree.Number(float(digits[:-1]) / 100 if digits[-1] == "%" else float(digits), spelling, HERE)


texts = st.builds(tree.Text, TEXTS, st.just(HERE))
truths = st.builds(tree.Truth, st.booleans(), st.just(HERE))
moments = st.sampled_from(
    [
        tree.Moment("2026-11-29", "date", HERE),
        tree.Moment("2026-11-29T08:00:00+01:00", "timestamp", HERE),
        tree.Moment("2026-11-29T08:00:00.250Z", "timestamp", HERE),
    ]
)
lengths = st.builds(
    tree.Length,
    st.sampled_from([0, 1, 2, 90, 1.5]),
    st.sampled_from(["second", "minute", "hour", "day", "week", "month", "year"]),
    st.just(HERE),
)
literals = st.one_of(numbers(), texts, truths, moments, lengths, names())
signed = st.one_of(literals, st.builds(tree.Negative, numbers(), st.just(HERE)))


@cache
def several(items: st.SearchStrategy[Any], least: int = 1, most: int = 3) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(items, min_size=least, max_size=most).map(tuple)


@cache
@st.composite
def atoms(draw: Draw, depth: int) -> tree.Expression:
    if depth <= 0:
        return draw(literals)
    kind = draw(st.integers(0, 6))
    if kind == 0:
        return tree.Part(draw(names()), draw(names()), HERE)
    if kind == 1:
        return tree.Call(draw(plain_names()), draw(several(expressions(depth - 1), 0)), HERE)
    if kind == 2:
        inner = draw(expressions(depth - 1))
        return tree.Group(inner, HERE)
    if kind == 3:
        quantifier = draw(st.sampled_from(["at least", "at most", "exactly"]))
        return tree.Count(quantifier, draw(st.integers(0, 3)), draw(several(expressions(depth - 1))), HERE)
    if kind == 4:
        parts = draw(several(st.tuples(names(), expressions(depth - 1)), 2))
        return tree.Fields(tuple((declared(name), value) for name, value in parts), HERE)
    return draw(literals)


def declared(name: tree.Name) -> tree.Name:
    return tree.Name(name.name, not is_plain(name.name), HERE)


@cache
@st.composite
def powers(draw: Draw, depth: int) -> tree.Expression:
    base = draw(atoms(depth))
    if depth <= 0 or draw(st.integers(0, 4)):
        return base
    exponent = draw(atoms(depth - 1))
    if draw(st.booleans()):
        exponent = tree.Negative(exponent, HERE)
    return tree.Infix("^", base, exponent, HERE, HERE)


@cache
@st.composite
def unaries(draw: Draw, depth: int) -> tree.Expression:
    if draw(st.integers(0, 5)):
        return draw(powers(depth))
    return tree.Negative(draw(atoms(depth)), HERE)


@cache
@st.composite
def products(draw: Draw, depth: int) -> tree.Expression:
    node = draw(unaries(depth))
    for operator in draw(PRODUCTS):
        node = tree.Infix(operator, node, draw(unaries(depth)), HERE, HERE)
    return node


@cache
@st.composite
def sums(draw: Draw, depth: int = 1) -> tree.Expression:
    node = draw(products(depth))
    for operator in draw(SUMS):
        node = tree.Infix(operator, node, draw(products(depth)), HERE, HERE)
    return node


@cache
@st.composite
def ranges(draw: Draw, bounds: st.SearchStrategy[Any]) -> tree.Range:
    low, high = (tree.End(draw(bounds), draw(st.booleans())) for _ in range(2))
    return tree.Range(low, high, HERE)


choices = st.one_of(ranges(sums(0)), st.builds(tree.Set, several(sums(0)), st.just(HERE)), names())


@cache
@st.composite
def comparisons(draw: Draw, depth: int) -> tree.Expression:
    kind = draw(st.integers(0, 5))
    if kind == 0:
        operators = draw(several(st.sampled_from(OPERATORS)))
        operands = tuple(draw(sums(depth)) for _ in range(len(operators) + 1))
        return tree.Chain(operands, operators, (HERE,) * len(operators), HERE)
    if kind == 1:
        return tree.In(draw(sums(depth)), draw(choices), draw(st.booleans()), HERE)
    if kind == 2:
        return tree.Presence(draw(sums(depth)), draw(st.booleans()), HERE)
    if kind == 3:
        words = draw(st.sampled_from(["starts with", "ends with", "contains"]))
        return tree.Infix(words, draw(sums(depth)), draw(sums(depth)), HERE, HERE)
    return draw(sums(depth))


@cache
@st.composite
def negations(draw: Draw, depth: int) -> tree.Expression:
    inner = draw(comparisons(depth))
    return inner if draw(st.integers(0, 3)) else tree.Negation(inner, HERE)


@cache
@st.composite
def everies(draw: Draw, depth: int) -> tree.Expression:
    return tree.Every(draw(several(negations(depth), 2)), HERE)


@cache
@st.composite
def expressions(draw: Draw, depth: int = 2) -> tree.Expression:
    """Any expression; its operands are as deep as asked."""
    kind = draw(st.integers(0, 5)) if depth > 0 else 5
    if kind == 0:
        return tree.Choice(*(draw(expressions(depth - 1)) for _ in range(3)), HERE)
    if kind == 1:
        return draw(everies(depth - 1))
    if kind == 2:
        return tree.Some(draw(several(draw(st.sampled_from([everies, negations]))(depth - 1), 2, 2)), HERE)
    return draw(negations(depth))


domains = st.one_of(ranges(sums(0)), st.builds(tree.HalfDomain, st.sampled_from(OPERATORS[2:]), signed, st.just(HERE)))
plain_types = st.builds(
    tree.PlainType,
    st.sampled_from(["number", "integer", "boolean", "text", "date", "timestamp"]),
    st.just(HERE),
)
labels = st.builds(tree.Label, TEXTS, st.just(HERE))
vocabularies = st.builds(tree.VocabularyType, several(labels, 1, 5), st.booleans(), st.just(HERE))
flat_types = st.one_of(plain_types, vocabularies)
record_types = st.builds(
    tree.RecordType,
    several(st.tuples(names().map(declared), flat_types, st.none() | domains)),
    st.just(HERE),
)


def optional(items: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | items


def option(words: str, values: st.SearchStrategy[Any]) -> st.SearchStrategy[tree.Option]:
    return st.builds(tree.Option, st.just(words), values, st.just(HERE))


nothing = st.none()
options = st.lists(
    st.one_of(
        *(option(words, nothing) for words in ("optional", "immutable", "increasing never", "decreasing never")),
        *(option(words, nothing) for words in ("trim", "any case")),
        option("default", signed),
        option("step", signed),
        option("from column", texts),
        option("zone", texts),
        option("others as", names() | texts),
        option("sensitive", nothing | numbers()),
    ),
    max_size=4,
    unique_by=lambda item: item.words,
).map(tuple)
features = st.builds(
    tree.Feature,
    names().map(declared),
    st.one_of(flat_types, record_types),
    optional(domains),
    options,
    TEXTS,
    st.just(HERE),
)
parameters = st.builds(
    tree.Parameter,
    names().map(declared),
    signed | st.builds(tree.Set, several(sums(0)), st.just(HERE)),
    optional(domains),
    TEXTS,
    st.just(HERE),
)
derived = st.builds(tree.Derived, names().map(declared), expressions(), TEXTS, st.just(HERE))
output_types = st.builds(tree.OutputType, st.sampled_from(["probability", "score"]), signed, st.just(HERE))
inputs = st.builds(tree.Input, names(), optional(TEXTS), st.just(HERE))
models = st.builds(
    tree.Model,
    names().map(declared),
    flat_types | output_types,
    optional(domains),
    TEXTS,
    optional(texts),
    several(inputs, 0),
    st.just(HERE),
)
reasons = st.builds(tree.Reason, TEXTS, TEXTS, st.just(HERE))
figures = st.tuples(st.sampled_from(["coverage", "accuracy", "black_box"]), numbers())
rules = st.builds(
    tree.Rule,
    optional(names().map(declared)),
    expressions(1),
    expressions(0),
    optional(reasons),
    optional(st.builds(tree.Stats, several(figures), st.just(HERE))),
    st.just(HERE),
)
otherwises = st.builds(tree.Otherwise, expressions(1), optional(reasons), st.just(HERE))
tests = st.one_of(
    st.builds(tree.CellComparison, st.sampled_from(OPERATORS), sums(0), st.just(HERE)),
    ranges(sums(0)),
    st.builds(tree.CellMissing, st.just(HERE)),
    sums(0),
)
cells = st.one_of(
    st.builds(tree.AnyValue, st.just(HERE)),
    st.builds(tree.Tests, several(tests), st.booleans(), st.just(HERE)),
)


@cache
@st.composite
def tables(draw: Draw) -> tree.Table:
    heads = draw(several(expressions(0).filter(_is_head), 0))
    outputs = draw(several(names().filter(lambda name: heads or _is_head(name)), 1, 2))
    named = draw(st.booleans())
    rows = [
        tree.Row(
            declared(draw(names())) if named else None,
            tuple(draw(cells) for _ in heads),
            tuple(draw(expressions(0)) for _ in outputs),
            draw(optional(reasons)),
            number,
            HERE,
        )
        for number in range(1, draw(st.integers(1, 4)))
    ]
    return tree.Table(heads, outputs, tuple(rows), draw(optional(otherwises)), HERE)


def _is_head(node: tree.Expression) -> bool:
    """`row` at the head of the first column would name the rows."""
    return not (isinstance(node, tree.Name) and node.name == "row")


bodies = st.one_of(
    st.builds(tree.RulesBody, several(rules), optional(otherwises), st.just(HERE)),
    st.builds(tree.RulesBody, st.just(()), otherwises, st.just(HERE)),
    tables(),
    st.builds(
        tree.TableFrom,
        texts,
        several(st.one_of(*(option(words, texts) for words in ("sheet", "delimiter", "decimal"))), 0),
        optional(otherwises),
        st.just(HERE),
    ),
    st.builds(tree.Companion, expressions(1), several(rules, 0), st.just(HERE)),
    st.builds(tree.Formula, expressions(), st.just(HERE)),
)
hit_policies = st.one_of(
    st.builds(tree.HitPolicy, st.sampled_from(["first", "unique", "any", "priority"]), st.just(""), st.just(HERE)),
    st.builds(
        tree.HitPolicy, st.just("collect"), st.sampled_from(["list", "sum", "min", "max", "count"]), st.just(HERE)
    ),
)
decisions = st.builds(
    tree.Decision,
    names().map(declared),
    flat_types | record_types,
    optional(domains),
    optional(st.booleans()),
    several(labels, 0),
    optional(numbers()),
    optional(hit_policies),
    TEXTS,
    bodies,
    st.just(HERE),
).filter(lambda decision: not (isinstance(decision.type, tree.RecordType) and _may_be_record(decision)))


def _may_be_record(decision: tree.Decision) -> bool:
    """`( a = b )` in a decision on a record is a record, not a comparison in parentheses."""
    return "Group" in repr(decision.body)


references = names() | st.builds(tree.Part, names(), names(), st.just(HERE))


@cache
@st.composite
def expectations(draw: Draw) -> tree.Expectation:
    name, status = draw(references), draw(st.sampled_from(["decided", "decided", "undecided", "invalid", "conflict"]))
    if status != "decided":
        return tree.Expectation(name, status, None, None, None, HERE)
    by = draw(
        optional(names() | texts | st.just(tree.Text("row 2", HERE)) | st.just(tree.Name("otherwise", False, HERE)))
    )
    return tree.Expectation(name, status, draw(sums(1)), by, draw(optional(TEXTS)), HERE)


reason_tables = st.builds(
    tree.ReasonTable,
    several(st.builds(tree.ReasonRow, names(), st.sampled_from(["raises", "lowers"]), reasons, st.just(HERE))),
    st.just(HERE),
)
examples = st.builds(
    tree.Example,
    texts,
    several(st.tuples(references, optional(sums(1))), 0),
    several(expectations()),
    st.just(HERE),
)
policies = st.builds(tree.Policy, names().map(declared), TEXTS, st.just(HERE))
declarations = st.one_of(
    st.builds(tree.Use, texts, st.just(HERE)),
    st.builds(tree.Background, texts, st.just(HERE)),
    features,
    parameters,
    derived,
    models,
    decisions,
    reason_tables,
    examples,
)


@cache
@st.composite
def files(draw: Draw) -> tree.File:
    """A whole policy file of the language, every declaration in it."""
    head = draw(st.lists(policies, max_size=1))
    return tree.File(HERE.source, (*head, *draw(st.lists(declarations, max_size=5))), ())
