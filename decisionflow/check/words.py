"""Words on their own: a declared name, `today`, or a label where a vocabulary is expected."""

from __future__ import annotations

from decisionflow.check.messages import names as messages
from decisionflow.check.messages import types as type_messages
from decisionflow.check.scope import Context
from decisionflow.check.wanted import Wanted
from decisionflow.conditions.expression import Constant, Expression, Variable
from decisionflow.syntax import tree
from decisionflow.types import DATE, Record, Vocabulary

TODAY = "today"


def name(node: tree.Name, context: Context) -> Expression | None:
    """A declared name or `today`; None after a message, or silently where its declaration is faulty."""
    scope = context.scope
    declared = scope.declared.get(node.name)
    if declared is None:
        if node.name == TODAY and not node.backquoted:
            return Variable(TODAY, DATE, written=True, span=node.span)
        context.report.add(messages.unknown_name(node, scope))
        return None
    context.refer(node.name, node.span)
    if declared.kind == "parameter":
        return _parameter(node, context)
    kind = scope.types.get(node.name)
    return None if kind is None else Variable(node.name, kind, declared.kind == "feature", span=node.span)


def _parameter(node: tree.Name, context: Context) -> Constant | None:
    parameter = context.scope.parameters.get(node.name)
    if parameter is None:
        return None
    if parameter.is_set:
        context.report.add(messages.set_as_value(node, parameter))
        return None
    return Constant(parameter.value, parameter.type, node.name, node.span)


def part(node: tree.Part, context: Context) -> Expression | None:
    """`NAME.part` of a decision that is a record."""
    record = name(node.record, context)
    if record is None:
        return None
    if not isinstance(record.type, Record):
        context.report.add(type_messages.not_a_record(node, record.type, context.scope))
        return None
    kind = dict(record.type.parts).get(node.part.name)
    if kind is None:
        place = context.scope.span_of(node.record.name)
        context.report.add(messages.unknown_part(f"`{node.record.name}`", node.part, record.type, place))
        return None
    return Variable(node.record.name, kind, part=node.part.name, span=node.span)


def is_word(node: tree.Expression, context: Context) -> bool:
    """Whether a node can only be read once it is known whether a label is expected there."""
    while isinstance(node, tree.Group | tree.Choice):
        if isinstance(node, tree.Group):
            node = node.inner
        elif is_word(node.then, context):
            node = node.otherwise
        else:
            return False
    if isinstance(node, tree.Name):
        return not node.backquoted and node.name not in context.scope.declared and node.name != TODAY
    return isinstance(node, tree.Text)


def is_some_label(node: tree.Expression, context: Context) -> bool:
    """Whether a bare word is a label somewhere, so that it is hardly the word that is wrong."""
    return isinstance(node, tree.Name) and context.scope.owner_of_label(node.name) is not None


def is_label_too(node: tree.Expression, vocabulary: Vocabulary) -> bool:
    """Whether a bare word, declared as a name, is a label of the vocabulary as well."""
    return isinstance(node, tree.Name) and not node.backquoted and node.name in vocabulary.labels


def label(node: tree.Name | tree.Text, wanted: Wanted, context: Context) -> Expression | None:
    """A word where a vocabulary is expected: its label, or a declared name that is no label."""
    vocabulary = wanted.type
    if not isinstance(vocabulary, Vocabulary):
        raise TypeError("a label is read only where a vocabulary is expected")
    if isinstance(node, tree.Text):
        return known_label(node.value, node, wanted, context)
    is_declared = node.name in context.scope.declared
    if node.backquoted or (is_declared and node.name not in vocabulary.labels):
        return name(node, context)
    if is_declared:
        context.report.add(messages.label_or_name(node, context.scope.declared[node.name]))
        return None
    return known_label(node.name, node, wanted, context)


def known_label(
    word: str, node: tree.Name | tree.Text, wanted: Wanted, context: Context, name: str = ""
) -> Constant | None:
    """A label that the vocabulary has; `name` is the parameter that it comes from."""
    if isinstance(wanted.type, Vocabulary) and word in wanted.type.labels:
        return Constant(word, wanted.type, name, node.span)
    context.report.add(messages.unknown_label(word, node.span, wanted, context.scope, name))
    return None
