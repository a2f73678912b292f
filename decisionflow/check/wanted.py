"""What a place in a policy demands of the value that stands there."""

from __future__ import annotations

from decisionflow.check.excerpts import excerpt
from decisionflow.check.scope import Scope
from decisionflow.conditions.expression import Expression, Variable
from decisionflow.frozen import frozen
from decisionflow.source import Span
from decisionflow.types import BOOLEAN, Type


@frozen
class Wanted:
    """A type, the place that demands it as messages name it, and where it was declared, if it was."""

    type: Type
    place: str
    declared: Span | None = None


def condition(place: str) -> Wanted:
    """A place that takes a condition."""
    return Wanted(BOOLEAN, place)


def like(value: Expression, scope: Scope) -> Wanted:
    """The type of another value, which messages name as it is written."""
    declared = scope.span_of(value.name) if isinstance(value, Variable) else None
    return Wanted(value.type, f"`{excerpt(value.span, str(value.type))}`", declared)
