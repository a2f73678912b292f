"""Expressions, types, domains and cells as text: one function for each kind of node, none of them calling itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from decisionflow.syntax import tree
from decisionflow.syntax.spelling import declared_name, label_text, name_text, number_text, quoted

Pieces = Iterator[Any]
"""Texts and nodes, in the order of writing."""


def phrase(node: Any) -> str:
    """The canonical text of an expression, a type, a domain or a cell."""
    written: list[str] = []
    waiting: list[Any] = [node]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            written.append(item)
        else:
            waiting += reversed(list(WORDS[type(item)](item)))
    return "".join(written)


def _number(node: tree.Number) -> Pieces:
    yield node.spelling


def _text(node: tree.Text) -> Pieces:
    yield quoted(node.value)


def _truth(node: tree.Truth) -> Pieces:
    yield "true" if node.value else "false"


def _moment(node: tree.Moment) -> Pieces:
    yield node.spelling


def _length(node: tree.Length) -> Pieces:
    yield f"{number_text(node.amount)} {node.unit}" + ("" if node.amount == 1 else "s")


def _name(node: tree.Name) -> Pieces:
    yield name_text(node)


def _part(node: tree.Part) -> Pieces:
    yield from (node.record, ".", node.part)


def _call(node: tree.Call) -> Pieces:
    yield from (node.function, "(")
    yield from _listed(node.arguments)
    yield ")"


def _infix(node: tree.Infix) -> Pieces:
    yield from (node.left, f" {node.operator} ", node.right)


def _negative(node: tree.Negative) -> Pieces:
    yield from ("-", node.operand)


def _chain(node: tree.Chain) -> Pieces:
    yield node.operands[0]
    for operator, operand in zip(node.operators, node.operands[1:], strict=True):
        yield from (f" {operator} ", operand)


def _in(node: tree.In) -> Pieces:
    yield from (node.value, " not in " if node.negated else " in ", node.choices)


def _presence(node: tree.Presence) -> Pieces:
    yield from (node.value, " is missing" if node.missing else " is present")


def _negation(node: tree.Negation) -> Pieces:
    yield from ("not ", node.operand)


def _every(node: tree.Every) -> Pieces:
    yield from _listed(node.operands, " and ")


def _some(node: tree.Some) -> Pieces:
    yield from _listed(node.operands, " or ")


def _count(node: tree.Count) -> Pieces:
    yield f"{node.quantifier} {node.number} of ("
    yield from _listed(node.operands)
    yield ")"


def _choice(node: tree.Choice) -> Pieces:
    yield from ("if ", node.condition, " then ", node.then, " else ", node.otherwise)


def _group(node: tree.Group) -> Pieces:
    yield from ("(", node.inner, ")")


def _fields(node: tree.Fields) -> Pieces:
    yield "( "
    for place, (name, value) in enumerate(node.parts):
        yield from (", " if place else "", declared_name(name.name), " = ", value)
    yield " )"


def _range(node: tree.Range) -> Pieces:
    yield from ("[" if node.low.closed else "(", node.low.value, " .. ", node.high.value)
    yield "]" if node.high.closed else ")"


def _set(node: tree.Set) -> Pieces:
    yield "{ "
    yield from _listed(node.members)
    yield " }"


def _half_domain(node: tree.HalfDomain) -> Pieces:
    yield from (f"{node.operator} ", node.bound)


def _plain_type(node: tree.PlainType) -> Pieces:
    yield node.name


def _vocabulary(node: tree.VocabularyType) -> Pieces:
    labels = ", ".join(label_text(label.text) for label in node.labels)
    yield ("ordered " if node.ordered else "") + "{ " + labels + " }"


def _record_type(node: tree.RecordType) -> Pieces:
    yield "( "
    for place, (name, kind, domain) in enumerate(node.parts):
        yield from (", " if place else "", declared_name(name.name), " : ", kind)
        yield from () if domain is None else (" ", domain)
    yield " )"


def _output_type(node: tree.OutputType) -> Pieces:
    yield from (f"{node.kind} of ", node.label)


def _any_value(_node: tree.AnyValue) -> Pieces:
    yield "-"


def _empty_cell(_node: tree.EmptyCell) -> Pieces:
    yield ""


def _cell_comparison(node: tree.CellComparison) -> Pieces:
    yield from (f"{node.operator} ", node.bound)


def _cell_missing(_node: tree.CellMissing) -> Pieces:
    yield "missing"


def _tests(node: tree.Tests) -> Pieces:
    yield "not " if node.negated else ""
    yield from _listed(node.tests)


def _listed(items: Iterable[Any], between: str = ", ") -> Pieces:
    for place, item in enumerate(items):
        yield from (between if place else "", item)


WORDS: dict[type, Callable[[Any], Pieces]] = {
    tree.Number: _number,
    tree.Text: _text,
    tree.Truth: _truth,
    tree.Moment: _moment,
    tree.Length: _length,
    tree.Name: _name,
    tree.Part: _part,
    tree.Call: _call,
    tree.Infix: _infix,
    tree.Negative: _negative,
    tree.Chain: _chain,
    tree.In: _in,
    tree.Presence: _presence,
    tree.Negation: _negation,
    tree.Every: _every,
    tree.Some: _some,
    tree.Count: _count,
    tree.Choice: _choice,
    tree.Group: _group,
    tree.Fields: _fields,
    tree.Range: _range,
    tree.Set: _set,
    tree.HalfDomain: _half_domain,
    tree.PlainType: _plain_type,
    tree.VocabularyType: _vocabulary,
    tree.RecordType: _record_type,
    tree.OutputType: _output_type,
    tree.AnyValue: _any_value,
    tree.EmptyCell: _empty_cell,
    tree.CellComparison: _cell_comparison,
    tree.CellMissing: _cell_missing,
    tree.Tests: _tests,
}
