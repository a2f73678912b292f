"""What the names of a policy stand for while it is being checked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from decisionflow.check.report import Report
from decisionflow.frozen import frozen
from decisionflow.program.declarations import Parameter
from decisionflow.source import Span
from decisionflow.syntax import tree
from decisionflow.types import Type, Vocabulary

Kind = Literal["feature", "parameter", "derived", "model", "decision"]
Named = tree.Feature | tree.Parameter | tree.Derived | tree.Model | tree.Decision
KINDS: dict[type, Kind] = {
    tree.Feature: "feature",
    tree.Parameter: "parameter",
    tree.Derived: "derived",
    tree.Model: "model",
    tree.Decision: "decision",
}


Kept = TypeVar("Kept", bound=Named)


@frozen
class Declared(Generic[Kept]):
    """A name, what it is, and where that was said."""

    name: str
    kind: Kind
    node: Kept

    @property
    def span(self) -> Span:
        return self.node.name.span

    @property
    def noun(self) -> str:
        """The kind as a sentence names it."""
        return "derived value" if self.kind == "derived" else self.kind


@frozen
class Reference:
    """One reading of a name by another."""

    reader: str
    name: str
    span: Span


@dataclass
class Scope:
    """The one space of names, filled while declarations are checked.

    `types` lacks a name whose declaration is faulty: what reads it stays silent. `parameters` lacks faulty ones too.
    `references` holds every reading of a name, in order, `unknown` the words read that are no names.
    """

    declared: dict[str, Declared[Any]]
    types: dict[str, Type] = field(default_factory=dict)
    outcomes: dict[str, Type] = field(default_factory=dict)
    parameters: dict[str, Parameter] = field(default_factory=dict)
    references: list[Reference] = field(default_factory=list)
    unknown: set[str] = field(default_factory=set)

    @property
    def vocabularies(self) -> Iterator[tuple[str, Vocabulary]]:
        """Every declared name that holds labels."""
        return ((name, kind) for name, kind in self.types.items() if isinstance(kind, Vocabulary))

    def span_of(self, name: str) -> Span | None:
        """Where a name's type is written, else the name; None where it is not declared."""
        declared = self.declared.get(name)
        if declared is None:
            return None
        return declared.span if isinstance(declared.node, tree.Parameter | tree.Derived) else declared.node.type.span

    def owner_of_label(self, label: str) -> str | None:
        """The first declared name whose vocabulary has a label."""
        return next((name for name, kind in self.vocabularies if label in kind.labels), None)


@frozen
class Context:
    """Where an expression stands: the names it may read, whose it is, and where mistakes go."""

    scope: Scope
    report: Report
    reader: str = ""

    def refer(self, name: str, span: Span) -> None:
        """Remember that the reader reads a name."""
        if self.reader:
            self.scope.references.append(Reference(self.reader, name, span))
