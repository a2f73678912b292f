"""What is said about models and what feeds them (DF0422 to DF0427)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from decisionflow.check.cycles import Edge
from decisionflow.check.messages.types import described
from decisionflow.check.scope import Declared, Scope
from decisionflow.diagnostics import Diagnostic, Note, did_you_mean
from decisionflow.program.declarations import ModelDeclaration
from decisionflow.program.program import Program
from decisionflow.syntax import tree
from decisionflow.types import Type


def model_type_unsuited(node: tree.Model, kind: Type) -> Diagnostic:
    """A model that would give what no model gives."""
    return Diagnostic(
        "DF0422",
        node.type.span,
        f"a model does not give {described(kind)}",
        "its type is `probability of LABEL`, `score of LABEL`, `number` or a vocabulary of predicted classes",
    )


def model_domain_unsuited(node: tree.Model) -> Diagnostic:
    """A domain on a probability, score or label."""
    span = node.domain.span if node.domain is not None else node.span
    return Diagnostic("DF0423", span, "only a model of type `number` has a domain", "take the domain out")


def class_label_unsuited(node: tree.Expression) -> Diagnostic:
    """A class that no model has."""
    return Diagnostic(
        "DF0424", node.span, "a model's class is a name, a number or a text", "write it as the model does"
    )


def input_twice(item: tree.Input, column: str, first: tree.Input) -> Diagnostic:
    """Two inputs of one column."""
    return Diagnostic(
        "DF0425",
        item.span,
        f"two inputs feed the column `{column}`",
        "take one of them out, or name another column with `as`",
        (Note(first.span, "the first is here"),),
    )


def unknown_input(item: tree.Input, scope: Scope) -> Diagnostic:
    """An input that is not declared."""
    known = [name for name, declared in scope.declared.items() if declared.kind not in ("parameter", "decision")]
    advice = did_you_mean(item.name.name, known) or "declare it as a feature or a derived value"
    return Diagnostic("DF0201", item.name.span, f"`{item.name.name}` is not a name that this policy declares", advice)


def input_of_wrong_kind(item: tree.Input, declared: Declared[Any]) -> Diagnostic:
    """A model fed by a parameter or a decision."""
    return Diagnostic(
        "DF0426",
        item.name.span,
        f"a model reads features, derived values and models, and `{declared.name}` is a {declared.noun}",
        f"declare a derived value: `derived NAME = {declared.name}`",
        (Note(declared.span, f"`{declared.name}` is declared here"),),
    )


def unknown_stored_input(model: ModelDeclaration, name: str, known: Iterable[str]) -> Diagnostic:
    """An input that the model itself asks for and the policy does not have."""
    advice = did_you_mean(name, known)
    return Diagnostic(
        "DF0427",
        model.span,
        f"model `{model.name}` asks for `{name}`, which is no feature, derived value or model of this policy",
        f'{advice + " " if advice else ""}declare it, or name the inputs: `using … as "{name}"`',
    )


def cycle_through_model(path: Sequence[Edge], program: Program) -> Diagnostic:
    """A model whose stored inputs are computed from its own output."""
    route = " -> ".join([*(edge.reader for edge in path), path[0].reader])
    return Diagnostic(
        "DF0207",
        program.node(path[0].reader).span,
        f"these are computed from each other: {route}",
        "name the model's inputs with `using`",
    )
