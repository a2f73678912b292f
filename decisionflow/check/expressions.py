"""Expressions typed: from the syntax tree to nodes that know their type, every name resolved.

Handlers are generators that yield the handler of an inner expression and get back its typed node, so that no
expression, however deep, meets Python's limit on recursion. None stands for an expression whose mistake has been
reported; whatever holds it stays silent.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias

from decisionflow.check import comparisons, literals, words
from decisionflow.check.conform import common_type, conform
from decisionflow.check.messages import names as name_messages
from decisionflow.check.messages import types as messages
from decisionflow.check.scope import Context
from decisionflow.check.wanted import Wanted, condition, like
from decisionflow.conditions.expression import (
    Among,
    And,
    Apply,
    Choose,
    Constant,
    Count,
    Expression,
    IsMissing,
    MakeRecord,
    Not,
    Or,
    Within,
)
from decisionflow.conditions.operators import CALLS, INFIX, NEGATE, Function
from decisionflow.conditions.sums import LONGEST_CHAIN, flat_sum
from decisionflow.syntax import tree
from decisionflow.syntax.messages import nested_too_deep
from decisionflow.syntax.tree import SUM_SIGNS
from decisionflow.types import BOOLEAN, INTEGER, NUMBER, TEXT, Record, Vocabulary

Typed: TypeAlias = Expression | None
Steps: TypeAlias = Generator["Steps", Typed, Typed]


def typed_expression(node: tree.Expression, context: Context, wanted: Wanted | None = None) -> Typed:
    """The typed node of an expression, None after a message."""
    return run(typed(node, context, wanted))


def run(first: Steps) -> Typed:
    """The answer of a handler, those that it yields run on a stack of our own."""
    stack, answer = [first], None
    while stack:
        try:
            inner = stack[-1].send(answer)
        except StopIteration as done:
            stack.pop()
            answer = done.value
        else:
            stack.append(inner)
            answer = None
    return answer


def typed(node: tree.Expression, context: Context, wanted: Wanted | None = None) -> Steps:
    """The handler of any expression; what it finds fits the place, or is reported."""
    while isinstance(node, tree.Group):
        node = node.inner
    if wanted is not None and isinstance(wanted.type, Vocabulary) and isinstance(node, tree.Name | tree.Text):
        found = words.label(node, wanted, context)
    elif type(node) in LEAVES:
        found = LEAVES[type(node)](node, context)
    else:
        found = yield COMPOSITES[type(node)](node, context, wanted)
    return found if wanted is None else conform(found, node, wanted, context)


def together(
    nodes: Sequence[tree.Expression], context: Context, beside: Typed = None, silent: bool = False
) -> Generator[Steps, Typed, list[Typed]]:
    """Expressions that must agree in type: bare words are labels of the vocabulary that the others have.

    `beside` is typed already; with `silent`, it was faulty, and an unknown word may have been its label.
    """
    found: list[Typed] = [None] * len(nodes)
    waiting = [number for number, node in enumerate(nodes) if words.is_word(node, context)]
    for number in set(range(len(nodes))) - set(waiting):
        found[number] = yield typed(nodes[number], context)
        silent = silent or found[number] is None
    wanted = _vocabulary([beside, *found], context)
    if wanted is not None:
        _refuse_names_that_are_labels(nodes, found, beside, context)
    if wanted is None and any(item is not None and item.type == BOOLEAN for item in (beside, *found)):
        waiting = [number for number in waiting if not _is_yes_or_no(nodes[number], context)]
    if wanted is None and len(waiting) > 1:
        waiting.sort(key=lambda number: words.is_some_label(nodes[number], context))
    for number in waiting:
        if wanted is not None or not silent or not isinstance(nodes[number], tree.Name):
            found[number] = yield typed(nodes[number], context, wanted)
            silent = silent or found[number] is None
    return found


def _is_yes_or_no(node: tree.Expression, context: Context) -> bool:
    """Whether a word was meant as true or false, after a message."""
    if not (isinstance(node, tree.Name) and node.name.lower() in ("yes", "no")):
        return False
    context.report.add(messages.truth_expected(node))
    return True


def _vocabulary(found: Iterable[Typed], context: Context) -> Wanted | None:
    for item in found:
        if item is not None and isinstance(item.type, Vocabulary):
            return like(item, context.scope)
    return None


def _refuse_names_that_are_labels(
    nodes: Sequence[tree.Expression], found: list[Typed], beside: Typed, context: Context
) -> None:
    for number, node in enumerate(nodes):
        others = [beside, *found[:number], *found[number + 1 :]]
        wanted = _vocabulary(others, context)
        if (
            wanted is not None
            and isinstance(wanted.type, Vocabulary)
            and isinstance(node, tree.Name)
            and found[number] is not None
            and words.is_label_too(node, wanted.type)
        ):
            context.report.add(name_messages.label_or_name(node, context.scope.declared[node.name]))
            found[number] = None


# Leaves


def _text(node: tree.Text, _: Context) -> Typed:
    return Constant(node.value, TEXT, span=node.span)


def _truth(node: tree.Truth, _: Context) -> Typed:
    return Constant(node.value, BOOLEAN, span=node.span)


LEAVES: dict[type, Callable[..., Typed]] = {
    tree.Number: lambda node, context: literals.number(node, context.report),
    tree.Text: _text,
    tree.Truth: _truth,
    tree.Moment: lambda node, context: literals.moment(node, context.report),
    tree.Length: lambda node, context: literals.length(node, context.report),
    tree.Name: words.name,
    tree.Part: words.part,
}


# Functions


def _call(node: tree.Call, context: Context, _: Wanted | None) -> Steps:
    function = CALLS.get(node.function.name) or CALLS.get(node.function.name.lower())
    arguments = []
    for argument in node.arguments:
        arguments.append((yield typed(argument, context)))
    if function is None:
        context.report.add(name_messages.unknown_function(node, context.scope))
        return None
    return _apply(function, arguments, node, context)


def _infix(node: tree.Infix, context: Context, _: Wanted | None) -> Steps:
    if node.operator in SUM_SIGNS:
        return (yield from _sum(node, context))
    left = yield typed(node.left, context)
    right = yield typed(node.right, context)
    return _apply(INFIX[node.operator], [left, right], node, context)


def _sum(node: tree.Infix, context: Context) -> Steps:
    """A row of `+` and `-`, however long: terms side by side are no nesting."""
    steps, first = [node], node.left
    while isinstance(first, tree.Infix) and first.operator in SUM_SIGNS:
        steps.append(first)
        first = first.left
    total = yield typed(first, context)
    for step in reversed(steps):
        right = yield typed(step.right, context)
        total = _apply(INFIX[step.operator], [total, right], step, context)
    if total is None or len(steps) <= LONGEST_CHAIN:
        return total
    if total.type not in (NUMBER, INTEGER):
        context.report.add(nested_too_deep(node.span, LONGEST_CHAIN))
        return None
    return flat_sum(total)


def _negative(node: tree.Negative, context: Context, _: Wanted | None) -> Steps:
    operand = node.operand
    while isinstance(operand, tree.Group):
        operand = operand.inner
    if isinstance(operand, tree.Number):
        literal = literals.number(operand, context.report, sign=-1)
        return None if literal is None else Constant(literal.value, literal.type, span=node.span)
    found = yield typed(operand, context)
    return _apply(NEGATE, [found], node, context)


def _apply(
    function: Function, arguments: list[Typed], node: tree.Call | tree.Infix | tree.Negative, context: Context
) -> Typed:
    known = tuple(argument for argument in arguments if argument is not None)
    if len(known) < len(arguments):
        return None
    kinds = tuple(argument.type for argument in known)
    result = function.result(kinds)
    if result is None:
        context.report.add(messages.wrong_arguments(function, kinds, node))
        return None
    return Apply(function, known, result, node.span)


# Conditions


def _chain(node: tree.Chain, context: Context, _: Wanted | None) -> Steps:
    operands = yield from together(node.operands, context)
    links = []
    for number, operator in enumerate(node.operators):
        left, right = node.operands[number : number + 2]
        place = comparisons.Place(operator, node.operator_spans[number], left.span.to(right.span), left, right)
        links.append(comparisons.compare(place, operands[number], operands[number + 1], context))
    known = complete(links)
    if known is None:
        return None
    return known[0] if len(known) == 1 else And(known, node.span)


def _membership(node: tree.In, context: Context, _: Wanted | None) -> Steps:
    if isinstance(node.choices, tree.Range):
        nodes = (node.value, node.choices.low.value, node.choices.high.value)
        value, low, high = yield from together(nodes, context)
        found: Within | Among | None = comparisons.within(node.choices, (node.value, value), low, high, context)
    elif isinstance(node.choices, tree.Set):
        value, *members = yield from together((node.value, *node.choices.members), context)
        found = comparisons.among(node.choices, (node.value, value), members, context)
    else:
        value = yield typed(node.value, context)
        found = comparisons.among_parameter(node.choices, (node.value, value), context)
    if found is None:
        return None
    found = replace(found, span=node.span)
    return Not(found, node.span) if node.negated else found


def _presence(node: tree.Presence, context: Context, _: Wanted | None) -> Steps:
    value = yield typed(node.value, context)
    if value is None:
        return None
    found = IsMissing(value, node.span)
    return found if node.missing else Not(found, node.span)


def _negation(node: tree.Negation, context: Context, _: Wanted | None) -> Steps:
    part = yield typed(node.operand, context, condition("`not`"))
    return None if part is None else Not(part, node.span)


def _parts(nodes: Sequence[tree.Expression], place: str, context: Context) -> Generator[Steps, Typed, list[Typed]]:
    found = []
    for node in nodes:
        found.append((yield typed(node, context, condition(place))))
    return found


def _every(node: tree.Every, context: Context, _: Wanted | None) -> Steps:
    parts = complete((yield from _parts(node.operands, "`and`", context)))
    return None if parts is None else And(parts, node.span)


def _some(node: tree.Some, context: Context, _: Wanted | None) -> Steps:
    parts = complete((yield from _parts(node.operands, "`or`", context)))
    return None if parts is None else Or(parts, node.span)


def _count(node: tree.Count, context: Context, _: Wanted | None) -> Steps:
    parts = complete((yield from _parts(node.operands, f"`{node.quantifier} {node.number} of`", context)))
    return None if parts is None else Count(node.quantifier, node.number, parts, node.span)


def complete(found: Sequence[Typed]) -> tuple[Expression, ...] | None:
    """All of them, None where any is faulty."""
    known = tuple(item for item in found if item is not None)
    return known if len(known) == len(found) else None


# Choices and records


def _choice(node: tree.Choice, context: Context, wanted: Wanted | None) -> Steps:
    chosen = yield typed(node.condition, context, condition("`if`"))
    if wanted is None:
        branches = yield from together((node.then, node.otherwise), context)
    else:
        branches = [(yield typed(node.then, context, wanted)), (yield typed(node.otherwise, context, wanted))]
    known = complete(branches)
    if known is None:
        return None
    kind = wanted.type if wanted is not None else common_type(known[0].type, known[1].type)
    if kind is None:
        context.report.add(messages.branches_differ(node, known[0].type, known[1].type))
        return None
    return None if chosen is None else Choose(chosen, known[0], known[1], kind, node.span)


def _fields(node: tree.Fields, context: Context, wanted: Wanted | None) -> Steps:
    if wanted is None or not isinstance(wanted.type, Record):
        context.report.add(messages.record_not_expected(node, wanted))
        return None
    kinds, found = dict(wanted.type.parts), {}
    faulty = _wrong_parts(node, wanted.type, wanted, context)
    for part, value in node.parts:
        kind = kinds.get(part.name)
        place = None if kind is None else Wanted(kind, f"part `{part.name}` of {wanted.place}", wanted.declared)
        found[part.name] = yield typed(value, context, place)
    known = complete([found.get(name) for name in kinds])
    if faulty or known is None:
        return None
    return MakeRecord(tuple(zip(kinds, known, strict=True)), wanted.type, node.span)


def _wrong_parts(node: tree.Fields, record: Record, wanted: Wanted, context: Context) -> bool:
    known, seen, before = dict(record.parts), set(), len(context.report.found)
    for part, _ in node.parts:
        if part.name not in known:
            context.report.add(name_messages.unknown_part(wanted.place, part, record, wanted.declared))
        elif part.name in seen:
            context.report.add(messages.part_twice(part))
        seen.add(part.name)
    lacking = [name for name in known if name not in seen]
    if lacking and len(context.report.found) == before:
        context.report.add(messages.parts_lacking(node, lacking, wanted))
    return len(context.report.found) > before


COMPOSITES: dict[type, Callable[..., Steps]] = {
    tree.Call: _call,
    tree.Infix: _infix,
    tree.Negative: _negative,
    tree.Chain: _chain,
    tree.In: _membership,
    tree.Presence: _presence,
    tree.Negation: _negation,
    tree.Every: _every,
    tree.Some: _some,
    tree.Count: _count,
    tree.Choice: _choice,
    tree.Fields: _fields,
}
