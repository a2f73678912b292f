"""Decisions: type, direction, hit policy and body."""

from __future__ import annotations

from decisionflow.check.declared_types import domain_of, part_domains
from decisionflow.check.expressions import typed_expression
from decisionflow.check.files import Files
from decisionflow.check.hit_policies import hit_policy_of
from decisionflow.check.messages import declarations as messages
from decisionflow.check.reason_tables import checked_most_reasons
from decisionflow.check.report import has_errors
from decisionflow.check.rules import check_rule_names, checked_otherwise, checked_rules, rule_name
from decisionflow.check.scope import Context
from decisionflow.check.tables import checked_rows, row_name
from decisionflow.check.wanted import Wanted
from decisionflow.conditions.expression import Expression, Variable, variables
from decisionflow.program.declarations import Body, CompanionList, Decision, Formula, Rule, RuleList
from decisionflow.source import Span
from decisionflow.syntax import tree
from decisionflow.types import Type, Vocabulary


def checked_decision(node: tree.Decision, context: Context, files: Files) -> Decision | None:
    """The decision, None where anything in it is faulty."""
    before = len(context.report.found)
    kind = context.scope.outcomes.get(node.name.name)
    domain = domain_of(node.domain, kind, context)
    parts = part_domains(node.type, kind, context) if kind is not None else ()
    _check_direction(node, kind, context)
    most_reasons = checked_most_reasons(node, context)
    body = _body(node, kind, context, files)
    if kind is None or body is None or has_errors(context.report.found[before:]):
        return None
    return Decision(
        node.name.name,
        kind,
        body,
        domain,
        parts,
        node.best_first,
        tuple(label.text for label in node.adverse),
        node.description,
        node.name.span,
        most_reasons=most_reasons,
    )


def _check_direction(node: tree.Decision, kind: Type | None, context: Context) -> None:
    if kind is None:
        return
    if not isinstance(kind, Vocabulary):
        if node.best_first is not None or node.adverse:
            context.report.add(messages.direction_unsuited(node, kind))
        return
    for label in node.adverse:
        if label.text not in kind.labels:
            context.report.add(messages.unknown_adverse(label, node, kind))


def _body(node: tree.Decision, kind: Type | None, context: Context, files: Files) -> Body | None:
    wanted = None if kind is None else Wanted(kind, f"the outcome of `{node.name.name}`", node.type.span)
    body = node.body
    if isinstance(body, tree.Formula | tree.Companion):
        if node.hit_policy is not None:
            context.report.add(messages.hit_policy_without_rules(node, node.hit_policy))
        return _formula(body, wanted, context) if isinstance(body, tree.Formula) else _companion(node, wanted, context)
    name, aggregation = hit_policy_of(node, kind, context)
    is_table = not isinstance(body, tree.RulesBody)
    ruled = _from_file(node, body, wanted, context, files) if isinstance(body, tree.TableFrom) else body
    if ruled is None:
        return None
    if isinstance(ruled, tree.Table):
        rules = checked_rows(node, ruled, wanted, context)
    else:
        rules = checked_rules(ruled.rules, wanted, context)
    otherwise = checked_otherwise(ruled.otherwise, wanted, context)
    check_rule_names(node.name.name, _names(ruled), context)
    return RuleList(rules, otherwise, name, aggregation, is_table)


def _from_file(
    node: tree.Decision, body: tree.TableFrom, wanted: Wanted | None, context: Context, files: Files
) -> tree.Table | None:
    """The table of a file; what reads it is loaded by policies that have one."""
    from decisionflow.check.table_files import table_from_file

    return table_from_file(node, body, wanted, context, files)


def _names(body: tree.RulesBody | tree.Table | tree.Companion) -> list[tuple[str, Span]]:
    if isinstance(body, tree.Table):
        return [row_name(row) for row in body.rows]
    return [rule_name(rule, number) for number, rule in enumerate(body.rules, 1)]


def _formula(body: tree.Formula, wanted: Wanted | None, context: Context) -> Formula | None:
    found = typed_expression(body.expression, context, wanted) if wanted is not None else None
    return None if found is None else Formula(found)


def _companion(node: tree.Decision, wanted: Wanted | None, context: Context) -> CompanionList | None:
    body = node.body
    if not isinstance(body, tree.Companion):
        raise TypeError("a companion list has a companion body")
    rules = checked_rules(body.rules, wanted, context)
    check_rule_names(node.name.name, _names(body), context)
    fallback = _fallback(body, wanted, context)
    return None if fallback is None else CompanionList(rules, fallback, _fallback_name(fallback, rules, context))


def _fallback(body: tree.Companion, wanted: Wanted | None, context: Context) -> Expression | None:
    """The fall-back, which gives the decision's type; a probability alone is no label."""
    if wanted is None:
        return None
    node = body.fallback
    while isinstance(node, tree.Group):
        node = node.inner
    declared = context.scope.declared.get(node.name) if isinstance(node, tree.Name) else None
    if (
        declared is not None
        and isinstance(declared.node, tree.Model)
        and isinstance(declared.node.type, tree.OutputType)
        and isinstance(wanted.type, Vocabulary)
    ):
        context.refer(declared.name, node.span)
        context.report.add(messages.probability_as_fallback(node, declared, declared.node.type.span, wanted.type))
        return None
    return typed_expression(body.fallback, context, wanted)


def _fallback_name(fallback: Expression, rules: tuple[Rule, ...], context: Context) -> str:
    """The name itself, the one model that a longer expression reads, or `fallback`."""
    if isinstance(fallback, Variable):
        return f"{fallback.name}.{fallback.part}" if fallback.part else fallback.name
    declared = context.scope.declared
    models = [
        read.name for read in variables(fallback) if read.name in declared and declared[read.name].kind == "model"
    ]
    taken = {rule.name for rule in rules}
    return models[0] if len(models) == 1 and models[0] not in taken else "fallback"
