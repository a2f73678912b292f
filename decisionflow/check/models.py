"""Models: what they give, what feeds them, and the inputs that only the model itself knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from decisionflow.check.constants import constant
from decisionflow.check.cycles import Edge, cycles
from decisionflow.check.declared_types import declared_type, domain_of
from decisionflow.check.messages import models as messages
from decisionflow.check.scope import Context
from decisionflow.diagnostics import Diagnostic
from decisionflow.frozen import frozen
from decisionflow.program.declarations import Domain, ModelDeclaration
from decisionflow.program.program import Program
from decisionflow.syntax import tree
from decisionflow.types import BOOLEAN, NUMBER, ModelOutput, Type, Vocabulary

PROBABILITY = Domain(0.0, 1.0)


def model_type(node: tree.Model, context: Context) -> Type | None:
    """The type of what a model gives to the policy, None after a message."""
    if isinstance(node.type, tree.OutputType):
        return NUMBER
    kind = declared_type(node.type, context)
    if kind is None or kind == NUMBER or isinstance(kind, Vocabulary):
        return kind
    context.report.add(messages.model_type_unsuited(node, kind))
    return None


def checked_model(node: tree.Model, path: str | None, context: Context) -> ModelDeclaration | None:
    """The model; `path` is where its file lies as seen from the policy's folder."""
    kind = context.scope.types.get(node.name.name)
    output = _output(node, kind, context)
    inputs = _inputs(node, context)
    if kind is None or output is None:
        return None
    domain = PROBABILITY if output.kind == "probability" else None
    if node.domain is not None and output.kind != "number":
        context.report.add(messages.model_domain_unsuited(node))
    elif node.domain is not None:
        domain = domain_of(node.domain, kind, context)
    return ModelDeclaration(node.name.name, kind, output, path, inputs, domain, node.description, node.name.span)


def _output(node: tree.Model, kind: Type | None, context: Context) -> ModelOutput | None:
    if isinstance(node.type, tree.OutputType):
        label = _label(node.type.label, context)
        return None if label is None else ModelOutput(node.type.kind, label)
    return ModelOutput("label" if isinstance(kind, Vocabulary) else "number")


def _label(node: tree.Expression, context: Context) -> str | int | float | bool | None:
    """A label as the model has it: a name, a number, a text or a truth."""
    if isinstance(node, tree.Name):
        return node.name
    found = constant(node, context)
    if found is None:
        return None
    if isinstance(found.value, str | int | float) or found.type == BOOLEAN:
        return found.value
    context.report.add(messages.class_label_unsuited(node))
    return None


def _inputs(node: tree.Model, context: Context) -> tuple[tuple[str, str], ...]:
    columns: dict[str, tree.Input] = {}
    for item in node.inputs:
        column = item.column if item.column is not None else item.name.name
        if column in columns:
            context.report.add(messages.input_twice(item, column, columns[column]))
        else:
            columns[column] = item
        declared = context.scope.declared.get(item.name.name)
        if declared is None:
            context.report.add(messages.unknown_input(item, context.scope))
        elif declared.kind in ("parameter", "decision"):
            context.report.add(messages.input_of_wrong_kind(item, declared))
        else:
            context.refer(item.name.name, item.name.span)
    return tuple((item.name.name, column) for column, item in columns.items())


@frozen
class Completed:
    """A program whose models all name their inputs, or what stands in the way."""

    program: Program | None
    diagnostics: tuple[Diagnostic, ...] = ()


def complete_models(program: Program, stored: Mapping[str, Sequence[str]]) -> Completed:
    """The program with the inputs of models that the policy leaves to the model: its stored names.

    A stored name is a feature, derived value or model of that name, else the feature read from a column of that header.
    Models with `using` stay as they are.
    """
    found: list[Diagnostic] = []
    models = dict(program.models)
    for name, inputs in stored.items():
        if name in models and not models[name].inputs:
            models[name] = replace(models[name], inputs=_stored(program, models[name], inputs, found))
    completed = replace(program, models=models)
    edges = [Edge(reader, name) for reader, names in completed.reads.items() for name in names]
    if not found:
        found += [messages.cycle_through_model(path, completed) for path in cycles(edges, list(models))]
    return Completed(None, tuple(found)) if found else Completed(completed)


def _stored(
    program: Program, model: ModelDeclaration, inputs: Sequence[str], found: list[Diagnostic]
) -> tuple[tuple[str, str], ...]:
    known = {feature.reading.column: name for name, feature in program.features.items()}
    known |= {name: name for kind in (program.features, program.derived, program.models) for name in kind}
    found += [messages.unknown_stored_input(model, name, known) for name in inputs if name not in known]
    return tuple((known[name], name) for name in inputs if name in known)
