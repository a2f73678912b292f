"""Long rows of `+` and `-` as one node: terms side by side do not nest, so no depth may come of them."""

from __future__ import annotations

from decisionflow.conditions.expression import Apply, Expression
from decisionflow.conditions.operators import ADD, NEGATE, SUBTRACT, TOTAL
from decisionflow.types import INTEGER, NUMBER

LONGEST_CHAIN = 100
"""Steps of `+` and `-` that stay nodes of two arguments each, as they are written."""


def flat_sum(total: Expression) -> Expression:
    """A sum of numbers, nested to the left, as one node of its terms; what is subtracted is an opposite.

    The whole numbers that it begins with stay a sum of their own, so that they are added exactly.
    """
    steps: list[Apply] = []
    first = total
    while isinstance(first, Apply) and first.function in (ADD, SUBTRACT):
        steps.append(first)
        first = first.arguments[0]
    steps.reverse()
    whole = sum(step.type == INTEGER for step in steps)
    return _together(_together(first, steps[:whole]), steps[whole:])


def _together(first: Expression, steps: list[Apply]) -> Expression:
    if not steps:
        return first
    kind = INTEGER if steps[-1].type == INTEGER else NUMBER
    return Apply(TOTAL, (first, *map(_term, steps)), kind, steps[-1].span)


def _term(step: Apply) -> Expression:
    term = step.arguments[1]
    return term if step.function is ADD else Apply(NEGATE, (term,), term.type, term.span)
