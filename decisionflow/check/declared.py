"""The one space of names: who declares what, twice, or nearly twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from decisionflow.check.declared_types import declared_type
from decisionflow.check.hit_policies import held_type
from decisionflow.check.messages import declarations as messages
from decisionflow.check.messages import names as name_messages
from decisionflow.check.models import model_type
from decisionflow.check.report import Report
from decisionflow.check.scope import KINDS, Context, Declared, Kept, Named, Scope
from decisionflow.check.words import TODAY
from decisionflow.syntax import tree
from decisionflow.types import Record


def declare(declarations: Iterable[tree.Declaration], report: Report) -> Scope:
    """Every name of the policy; of two declarations of one name the first stands."""
    scope = Scope({})
    folded: dict[str, Declared[Any]] = {}
    for node in declarations:
        if not isinstance(node, Named):
            continue
        name, kind = node.name.name, KINDS[type(node)]
        if name in scope.declared:
            report.add(name_messages.declared_twice(Declared(name, kind, node), scope.declared[name]))
            continue
        if name == TODAY:
            report.add(name_messages.today_declared(node.name, kind))
        declared = scope.declared[name] = Declared(name, kind, node)
        similar = folded.setdefault(name.casefold(), declared)
        if similar is not declared:
            report.add(name_messages.differs_by_case(name, node.name.span, similar.name, similar.span, "the names"))
    return scope


def standing(scope: Scope, kind: type[Kept]) -> Iterator[Declared[Kept]]:
    """The declarations of one kind, in order."""
    return (declared for declared in scope.declared.values() if isinstance(declared.node, kind))


def declare_types(context: Context) -> None:
    """The types of features, models and decisions, which others may read before they are checked themselves."""
    scope = context.scope
    for declared in scope.declared.values():
        node = declared.node
        match node:
            case tree.Feature():
                kind = declared_type(node.type, context)
                if isinstance(kind, Record):
                    context.report.add(messages.record_here(node.type, declared.name))
                    kind = None
            case tree.Model():
                kind = model_type(node, context)
            case tree.Decision():
                outcome = declared_type(node.type, context)
                if outcome is not None:
                    scope.outcomes[declared.name] = outcome
                kind = None if outcome is None else held_type(node, outcome)
            case _:
                continue
        if kind is not None:
            scope.types[declared.name] = kind
