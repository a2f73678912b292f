"""Decision tables: rows to rules, a cell's tests to a condition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from decisionflow.check import comparisons
from decisionflow.check.expressions import Steps, Typed, complete, run, together, typed_expression
from decisionflow.check.messages import tables as messages
from decisionflow.check.rules import reason_of
from decisionflow.check.scope import Context
from decisionflow.check.wanted import Wanted
from decisionflow.conditions.expression import (
    TRUE,
    Among,
    And,
    Compare,
    Expression,
    IsMissing,
    MakeRecord,
    Not,
    Or,
)
from decisionflow.program.declarations import Rule
from decisionflow.source import Span
from decisionflow.syntax import tree
from decisionflow.types import Record

Head = tuple[tree.Expression, Expression | None]


def checked_rows(node: tree.Decision, table: tree.Table, wanted: Wanted | None, context: Context) -> tuple[Rule, ...]:
    """The rows that are sound, as rules named by their first column, or `row 1`, `row 2` …."""
    heads = [(head, typed_expression(head, context)) for head in table.inputs]
    outputs = _outputs(node, table, wanted, context)
    if not table.rows:
        context.report.add(messages.no_rows(node, table))
    found = (_row(row, heads, outputs, wanted, context) for row in table.rows)
    return tuple(rule for rule in found if rule is not None)


def _outputs(
    node: tree.Decision, table: tree.Table, wanted: Wanted | None, context: Context
) -> tuple[Wanted, ...] | None:
    """What each output column takes: the decision's outcome, or a part of it; None after a message."""
    if wanted is None:
        return None
    kind = wanted.type
    known = dict(kind.parts) if isinstance(kind, Record) else {node.name.name: kind}
    before, seen = len(context.report.found), set()
    for head in table.outputs:
        if head.name not in known:
            context.report.add(messages.unknown_output(head, node.name.name, list(known)))
        elif head.name in seen:
            context.report.add(messages.output_twice(head))
        seen.add(head.name)
    lacking = [name for name in known if name not in seen]
    if lacking and len(context.report.found) == before:
        context.report.add(messages.output_lacking(table, node.name.name, lacking))
    if len(context.report.found) > before:
        return None
    return tuple(_output(head.name, wanted) for head in table.outputs)


def _output(name: str, wanted: Wanted) -> Wanted:
    if not isinstance(wanted.type, Record):
        return wanted
    return Wanted(dict(wanted.type.parts)[name], f"part `{name}` of {wanted.place}", wanted.declared)


def _row(
    row: tree.Row,
    heads: Sequence[Head],
    outputs: tuple[Wanted, ...] | None,
    wanted: Wanted | None,
    context: Context,
) -> Rule | None:
    conditions = [cell_condition(cell, head, context) for cell, head in zip(row.cells, heads, strict=False)]
    outcome = _outcome(row, outputs, wanted, context)
    known = complete(conditions)
    if known is None or outcome is None or len(row.cells) != len(heads):
        return None
    asked = tuple(part for part in known if part is not TRUE)
    holds = asked[0] if len(asked) == 1 else And(asked, row.span) if asked else TRUE
    name, span = row_name(row)
    return Rule(name, holds, outcome, reason_of(row.reason), span=span)


def row_name(row: tree.Row) -> tuple[str, Span]:
    """What results call a row, and where that is written."""
    return (row.name.name, row.name.span) if row.name is not None else (f"row {row.number}", row.span)


def _outcome(
    row: tree.Row, outputs: tuple[Wanted, ...] | None, wanted: Wanted | None, context: Context
) -> Expression | None:
    values: list[Typed] = []
    for number, written in enumerate(row.outcomes):
        if isinstance(written, tree.EmptyCell):
            values.append(None)
        elif outputs is not None and number < len(outputs):
            values.append(typed_expression(written, context, outputs[number]))
    known = complete(values)
    if known is None or outputs is None or wanted is None or len(known) != len(outputs):
        return None
    if not isinstance(wanted.type, Record):
        return known[0]
    named = dict(zip((output.place for output in outputs), known, strict=True))
    ordered = tuple((name, named[f"part `{name}` of {wanted.place}"]) for name, _ in wanted.type.parts)
    return MakeRecord(ordered, wanted.type, row.span)


def cell_condition(cell: tree.Cell, head: Head, context: Context) -> Typed:
    """What a cell asks of the value under its head; TRUE for `-`, None after a message (an empty cell has had it)."""
    if isinstance(cell, tree.AnyValue):
        return TRUE
    if isinstance(cell, tree.EmptyCell) or head[1] is None:
        return None
    tests = complete([run(_test(test, head, context)) for test in cell.tests])
    if tests is None:
        return None
    found = tests[0] if len(tests) == 1 else _any_of(tests, cell)
    return Not(found, cell.span) if cell.negated else found


def _any_of(tests: tuple[Expression, ...], cell: tree.Tests) -> Expression:
    """Some test holds; where all ask for equality, the value is among theirs."""
    if all(isinstance(test, Compare) and test.comparison.spelling == "=" for test in tests):
        equalities = cast(tuple[Compare, ...], tests)
        if len({equality.left for equality in equalities}) == 1:
            return Among(equalities[0].left, tuple(equality.right for equality in equalities), span=cell.span)
    return Or(tests, cell.span)


def _test(test: tree.Test, head: Head, context: Context) -> Steps:
    node, value = head
    if value is None:
        return None
    if isinstance(test, tree.CellMissing):
        return IsMissing(value, test.span)
    if isinstance(test, tree.Range):
        low, high = yield from together((test.low.value, test.high.value), context, beside=value)
        return comparisons.within(test, head, low, high, context)
    bound = test.bound if isinstance(test, tree.CellComparison) else test
    operator = test.operator if isinstance(test, tree.CellComparison) else "="
    (typed_bound,) = yield from together((bound,), context, beside=value)
    place = comparisons.Place(operator, test.span, test.span, node, bound)
    return comparisons.compare(place, value, typed_bound, context)
