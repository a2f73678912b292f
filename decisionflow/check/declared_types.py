"""Types and domains as they are declared."""

from __future__ import annotations

from decisionflow.check.constants import constant
from decisionflow.check.messages import declarations as messages
from decisionflow.check.scope import Context
from decisionflow.check.wanted import Wanted
from decisionflow.conditions.values import Value
from decisionflow.program.declarations import Domain
from decisionflow.syntax import tree
from decisionflow.types import (
    BOOLEAN,
    DATE,
    INTEGER,
    NUMBER,
    TEXT,
    TIMESTAMP,
    Record,
    Type,
    Vocabulary,
)

PLAIN: dict[str, Type] = {
    "number": NUMBER,
    "integer": INTEGER,
    "boolean": BOOLEAN,
    "text": TEXT,
    "date": DATE,
    "timestamp": TIMESTAMP,
}
WITH_DOMAIN = (NUMBER, INTEGER, DATE, TIMESTAMP)


def declared_type(node: tree.TypeNode, context: Context) -> Type | None:
    """The type that a node declares, None after a message."""
    match node:
        case tree.PlainType(name=name):
            return PLAIN[name]
        case tree.VocabularyType():
            return _vocabulary(node, context)
        case tree.RecordType():
            return _record(node, context)
    raise TypeError("the grammar gives `probability of` and `score of` to models only")


def _vocabulary(node: tree.VocabularyType, context: Context) -> Vocabulary | None:
    seen: dict[str, tree.Label] = {}
    folded: dict[str, tree.Label] = {}
    faulty = False
    for label in node.labels:
        other = folded.setdefault(label.text.casefold(), label)
        if label.text in seen:
            context.report.add(messages.label_twice(label, seen[label.text]))
            faulty = True
        elif other is not label:
            context.report.add(messages.labels_differ_by_case(label, other))
        seen.setdefault(label.text, label)
    return None if faulty else Vocabulary(tuple(seen), node.ordered)


def _record(node: tree.RecordType, context: Context) -> Record | None:
    parts: dict[str, Type] = {}
    faulty = False
    for name, part, _ in node.parts:
        kind = declared_type(part, context)
        if name.name in parts:
            context.report.add(messages.part_declared_twice(name))
        elif isinstance(kind, Record):
            context.report.add(messages.record_in_record(part))
        elif kind is not None:
            parts[name.name] = kind
            continue
        faulty = True
    return None if faulty else Record(tuple(parts.items()))


def part_domains(node: tree.TypeNode, kind: Type, context: Context) -> tuple[tuple[str, Domain], ...]:
    """The domains of a record's parts."""
    if not (isinstance(node, tree.RecordType) and isinstance(kind, Record)):
        return ()
    kinds = dict(kind.parts)
    found = [(name.name, domain_of(domain, kinds[name.name], context)) for name, _, domain in node.parts]
    return tuple((name, domain) for name, domain in found if domain is not None)


def domain_of(node: tree.Domain | None, kind: Type | None, context: Context) -> Domain | None:
    """The domain of a value of a type, None where there is none or after a message."""
    if node is None or kind is None:
        return None
    if kind not in WITH_DOMAIN:
        context.report.add(messages.domain_unsuited(node, kind))
        return None
    found = _half(node, kind, context) if isinstance(node, tree.HalfDomain) else _interval(node, kind, context)
    if found is not None and _is_empty(found):
        context.report.add(messages.empty_domain(node))
        return None
    return found


def _half(node: tree.HalfDomain, kind: Type, context: Context) -> Domain | None:
    bound = _end(node.bound, kind, context)
    closed = node.operator.endswith("=")
    if bound is None:
        return None
    if node.operator.startswith(">"):
        return Domain(low=bound, low_closed=closed)
    return Domain(high=bound, high_closed=closed)


def _interval(node: tree.Range, kind: Type, context: Context) -> Domain | None:
    low, high = _end(node.low.value, kind, context), _end(node.high.value, kind, context)
    return None if low is None or high is None else Domain(low, high, node.low.closed, node.high.closed)


def _end(node: tree.Expression, kind: Type, context: Context) -> Value:
    found = constant(node, context, Wanted(kind, "an end of this domain"))
    return None if found is None else found.value


def _is_empty(domain: Domain) -> bool:
    if domain.low is None or domain.high is None:
        return False
    closed = domain.low_closed and domain.high_closed
    return bool(domain.low > domain.high or (domain.low == domain.high and not closed))
