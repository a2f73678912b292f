"""The canonical layout of a decision's body: rules, tables, companions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from decisionflow.source import Span
from decisionflow.syntax import tree
from decisionflow.syntax.lines import WIDEST, Line, common_width, padded, width
from decisionflow.syntax.phrases import phrase
from decisionflow.syntax.spelling import code_text, declared_name, quoted
from decisionflow.syntax.tokens import code_end


def header_hit_policy(decision: tree.Decision) -> str:
    """The hit policy where it is written after the decision's type: everywhere but in a table."""
    return "" if isinstance(decision.body, tree.Table | tree.TableFrom) else _hit_policy(decision.hit_policy)


def body_lines(decision: tree.Decision) -> Iterator[Line]:
    """The lines of a decision's body."""
    return BODIES[type(decision.body)](decision.body, decision)


def _rules(body: tree.RulesBody, _owner: tree.Decision) -> Iterator[Line]:
    yield from _rule_list(body.rules, 2)
    yield from _otherwise(body.otherwise)


def _companion(body: tree.Companion, _owner: tree.Decision) -> Iterator[Line]:
    yield Line(f"companion of {phrase(body.fallback)}", 2, body.fallback.span)
    yield from _rule_list(body.rules, 4)


def _formula(body: tree.Formula, _owner: tree.Decision) -> Iterator[Line]:
    yield Line(f"= {phrase(body.expression)}", 2, body.span)


def _rule_list(rules: Sequence[tree.Rule], indent: int) -> Iterator[Line]:
    heads = [f"rule {declared_name(rule.name.name)}:" if rule.name else "rule" for rule in rules]
    names = common_width(heads)
    for head, rule in zip(heads, rules, strict=True):
        yield from _rule(rule, padded(head, names), indent)


def _rule(rule: tree.Rule, head: str, indent: int) -> Iterator[Line]:
    outcome = f"then {phrase(rule.outcome)}" + _reason(rule.reason) + _stats(rule.stats)
    whole = f"{head} if {phrase(rule.condition)} {outcome}"
    if indent + width(whole) <= WIDEST:
        yield Line(whole, indent, rule.span)
        return
    inner = indent + width(head) + 1
    first, *rest = _conditions(rule.condition, WIDEST - inner)
    yield Line(f"{head} if {first}", indent, rule.span)
    for text in (*rest, outcome):
        yield Line(text, inner, rule.span, begins=False)


def _conditions(condition: tree.Expression, room: int) -> list[str]:
    """A condition on one line where it fits, else each part of its `and` or `or` on its own."""
    whole = phrase(condition)
    if width(whole) + 3 <= room or not isinstance(condition, tree.Every | tree.Some):
        return [whole]
    word = "and" if isinstance(condition, tree.Every) else "or"
    first, *rest = map(phrase, condition.operands)
    return [first, *(f"{word} {part}" for part in rest)]


def _otherwise(node: tree.Otherwise | None) -> Iterator[Line]:
    if node is not None:
        yield Line(f"otherwise {phrase(node.outcome)}" + _reason(node.reason), 2, node.span)


def _reason(node: tree.Reason | None) -> str:
    if node is None:
        return ""
    return f" reason {code_text(node.code)}" + (f" {quoted(node.text)}" if node.text else "")


def _stats(node: tree.Stats | None) -> str:
    if node is None:
        return ""
    return " stats (" + ", ".join(f"{declared_name(name)} {value.spelling}" for name, value in node.figures) + ")"


def _table(body: tree.Table, decision: tree.Decision) -> Iterator[Line]:
    policy = _hit_policy(decision.hit_policy)
    head, word = _table_spans(body)
    yield Line(f"table {policy}".rstrip(), 2, word)
    named = any(row.name for row in body.rows)
    rows = [_head_cells(body, named), *(_row_cells(row, named) for row in body.rows)]
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    split = len(body.inputs) + named
    spans = [head, *(row.span for row in body.rows)]
    reasons = ["", *(_reason(row.reason) for row in body.rows)]
    for cells, span, reason in zip(rows, spans, reasons, strict=True):
        yield Line(_barred(cells, widths, split) + reason, 2, span)
    yield from _otherwise(body.otherwise)


def _table_spans(table: tree.Table) -> tuple[Span, Span]:
    """The places of the heads, and of the word `table` with the hit policy before them."""
    source, start = table.span.source, table.span.start
    heads = (*table.inputs, *table.outputs)
    first, last = (heads[0].span.start, heads[-1].span.end) if heads else (start, start)
    bar = max(source.text.rfind("|", start, first), start)
    return Span(source, bar, last), Span(source, start, code_end(source.text, start, bar))


def _head_cells(table: tree.Table, named: bool) -> list[str]:
    heads = [phrase(head) for head in table.inputs]
    return [*(["rule"] if named else []), *heads, *(phrase(output) for output in table.outputs)]


def _row_cells(row: tree.Row, named: bool) -> list[str]:
    name = declared_name(row.name.name if row.name else f"row {row.number}")
    return [*([name] if named else []), *map(phrase, row.cells), *map(phrase, row.outcomes)]


def _barred(cells: Sequence[str], widths: Sequence[int], split: int) -> str:
    written = [padded(cell, room) for cell, room in zip(cells, widths, strict=True)]
    before = "".join(f"| {cell} " for cell in written[:split])
    return before + "|| " + " | ".join(written[split:]) + " |"


def _table_from(body: tree.TableFrom, decision: tree.Decision) -> Iterator[Line]:
    parts = ["table", _hit_policy(decision.hit_policy), "from", phrase(body.path)]
    parts += [f"{option.words} {phrase(option.value)}" for option in body.options]
    end = max((option.span.end for option in body.options), default=body.path.span.end)
    yield Line(" ".join(part for part in parts if part), 2, Span(body.span.source, body.span.start, end))
    yield from _otherwise(body.otherwise)


def _hit_policy(node: tree.HitPolicy | None) -> str:
    if node is None:
        return ""
    return node.name if node.aggregation in ("", "list") else f"{node.name} {node.aggregation}"


BODIES: dict[type, Callable[[Any, tree.Decision], Iterator[Line]]] = {
    tree.RulesBody: _rules,
    tree.Table: _table,
    tree.TableFrom: _table_from,
    tree.Companion: _companion,
    tree.Formula: _formula,
}
