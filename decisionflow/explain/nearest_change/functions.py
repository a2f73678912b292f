"""What a function of opened arguments comes to, case by case."""

from __future__ import annotations

from collections.abc import Sequence

from decisionflow.conditions.expression import Apply
from decisionflow.conditions.operators import AT_MOST, COMPARISON, EQUAL, GREATER, LESS, Comparison
from decisionflow.explain.nearest_change.arithmetic_of_forms import arithmetic, times
from decisionflow.explain.nearest_change.comparing import ONE, Comparing, half_space
from decisionflow.explain.nearest_change.contents import (
    ABSENT,
    BROKEN,
    UNOPENED,
    Case,
    Content,
    Ratio,
    possible,
)
from decisionflow.explain.nearest_change.curves import curve_of
from decisionflow.explain.nearest_change.formula import TRUE, Form, Formula, all_of, negation


def applied(expression: Apply, contents: Sequence[Content], comparing: Comparing) -> list[Case]:
    """A function of these arguments; `comparing` tells which of several numbers is the smallest or largest."""
    for special in (BROKEN, ABSENT, UNOPENED):
        if special in contents:
            return [Case(TRUE, special)]
    spelling, first = expression.function.spelling, contents[0]
    numbers = [each for each in contents if isinstance(each, Form | Ratio)]
    if len(numbers) == len(contents):
        if spelling in ("min", "max"):
            return _extreme(expression, numbers, LESS if spelling == "min" else GREATER, comparing)
        if spelling == "abs":
            return _extreme(expression, [numbers[0], times(numbers[0], -1.0)], GREATER, comparing)
        made = arithmetic(expression, contents)
        if made is not None:
            return _divided(made) if isinstance(made, Ratio) else [Case(TRUE, made)]
    if spelling in ("sqrt", "log") and isinstance(first, Form) and first.features:
        broken = half_space(LESS if spelling == "sqrt" else AT_MOST, first, ONE)
        return possible([Case(broken, BROKEN), Case(negation(broken), curve_of(expression, contents))])
    return [Case(TRUE, curve_of(expression, contents))]


def _divided(ratio: Ratio) -> list[Case]:
    """A ratio; an error where its denominator is zero."""
    zero = half_space(EQUAL, ratio.bottom, ONE)
    return possible([Case(zero, BROKEN), Case(negation(zero), ratio)])


def _extreme(
    expression: Apply, numbers: Sequence[Form | Ratio], comparison: Comparison, comparing: Comparing
) -> list[Case]:
    """The smallest or largest of numbers: the first that is, which none before equals or beats."""
    found = []
    weak = COMPARISON[COMPARISON[comparison.negation].mirrored]
    for at, number in enumerate(numbers):
        guards = [
            _compared(expression, comparison if other < at else weak, (number, rival), comparing)
            for other, rival in enumerate(numbers)
            if other != at
        ]
        known = [guard for guard in guards if guard is not None]
        if len(known) < len(guards):
            return [Case(TRUE, UNOPENED)]
        found.append(Case(all_of(known), number))
    return possible(found)


def _compared(
    expression: Apply, comparison: Comparison, numbers: tuple[Form | Ratio, Form | Ratio], comparing: Comparing
) -> Formula | None:
    """Where one number compares so with another; None for what cannot be compared."""
    number, rival = numbers
    if isinstance(number, Form) and isinstance(rival, Form):
        return half_space(comparison, number.plus(rival.scaled(-1)), ONE)
    if expression.function.spelling == "abs":
        return comparing.compare(comparison, number, Form(), expression, None).true
    fixed = [each for each in numbers if isinstance(each, Form) and not each.features]
    return comparing.compare(comparison, number, rival, expression, None).true if fixed else None
