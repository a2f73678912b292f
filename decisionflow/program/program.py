"""A policy as a typed, directed acyclic graph of features, derived values, models and decisions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from graphlib import TopologicalSorter
from typing import TYPE_CHECKING, Any

from decisionflow.conditions.expression import Expression, variables
from decisionflow.program.cases import Case
from decisionflow.program.declarations import (
    Decision,
    Derived,
    Feature,
    FeatureReason,
    ModelDeclaration,
    Node,
    Parameter,
)
from decisionflow.types import Type

if TYPE_CHECKING:
    import networkx


@dataclass(frozen=True)
class Program:
    """Everything that an evaluator, an explainer or a proof needs to know; no text is needed to build one.

    The declarations are in the order in which they were written. `fingerprint` is the SHA-256 of the canonical text,
    empty for a program built without one.
    """

    name: str
    features: Mapping[str, Feature] = field(default_factory=dict)
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    derived: Mapping[str, Derived] = field(default_factory=dict)
    models: Mapping[str, ModelDeclaration] = field(default_factory=dict)
    decisions: Mapping[str, Decision] = field(default_factory=dict)
    title: str = ""
    background: str | None = None
    fingerprint: str = ""
    cases: tuple[Case, ...] = ()
    reasons: tuple[FeatureReason, ...] = ()

    def node(self, name: str) -> Node:
        """The declaration of a name; KeyError where there is none."""
        for kind in (self.features, self.derived, self.models, self.decisions):
            if name in kind:
                return kind[name]
        raise KeyError(name)

    def names_in(self, expression: Expression) -> frozenset[str]:
        """The names that an expression of the program reads, `today` included; looked up after the first time."""
        known = self._names.get(id(expression))
        if known is None or known[0] is not expression:
            known = expression, frozenset(variable.name for variable in variables(expression))
            self._names[id(expression)] = known
        return known[1]

    @cached_property
    def _names(self) -> dict[int, tuple[Expression, frozenset[str]]]:
        """By identity, which is cheap; the expression is kept so that no other can take its place."""
        return {}

    @cached_property
    def prepared(self) -> dict[Any, Any]:
        """What evaluators have worked out of the program, by what it is for; kept as long as the program is."""
        return {}

    def __getstate__(self) -> dict[str, Any]:
        """What is sent to another process: the declarations, without what was looked up or prepared here."""
        return {item.name: getattr(self, item.name) for item in fields(self)}

    def type_of(self, name: str) -> Type:
        """The type that others read of a name; KeyError where there is none."""
        node = self.node(name)
        return node.held if isinstance(node, Decision) else node.type

    @cached_property
    def reads(self) -> dict[str, tuple[str, ...]]:
        """For every name, those it is computed from directly; `today` is left out."""
        known: dict[str, tuple[str, ...]] = dict.fromkeys(self.features, ())
        known |= {name: _names((item.expression,)) for name, item in self.derived.items()}
        known |= {name: tuple(dict.fromkeys(used for used, _ in item.inputs)) for name, item in self.models.items()}
        known |= {name: _names(item.expressions) for name, item in self.decisions.items()}
        return known

    @cached_property
    def order(self) -> tuple[str, ...]:
        """Every name after those it is computed from."""
        return tuple(TopologicalSorter(self.reads).static_order())

    def ancestors(self, name: str) -> frozenset[str]:
        """Every name that a name depends on through the graph."""
        found: set[str] = set()
        waiting = list(self.reads[name])
        while waiting:
            current = waiting.pop()
            if current not in found:
                found.add(current)
                waiting += self.reads[current]
        return frozenset(found)

    def features_of(self, names: Iterable[str]) -> tuple[str, ...]:
        """The features that any of the names depends on, in order of declaration."""
        needed = set().union(*(self.ancestors(name) | {name} for name in names))
        return tuple(name for name in self.features if name in needed)

    @cached_property
    def graph(self) -> networkx.DiGraph[str]:
        """The graph for readers: an edge from each name to what is computed from it; nodes carry `kind` and `type`."""
        import networkx

        graph: networkx.DiGraph[str] = networkx.DiGraph()
        for kind, items in (
            ("feature", self.features),
            ("derived", self.derived),
            ("model", self.models),
            ("decision", self.decisions),
        ):
            for name, item in items.items():
                graph.add_node(name, kind=kind, type=str(item.type), description=item.description)
        graph.add_edges_from((used, name) for name, sources in self.reads.items() for used in sources)
        return graph


def _names(expressions: Iterable[Expression]) -> tuple[str, ...]:
    found = (variable.name for item in expressions for variable in variables(item))
    return tuple(name for name in dict.fromkeys(found) if name != "today")
