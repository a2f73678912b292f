"""Sums, products and quotients of forms."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from decisionflow.conditions.expression import Apply
from decisionflow.explain.allowed import MEASURED
from decisionflow.explain.nearest_change.contents import Content, Ratio
from decisionflow.explain.nearest_change.formula import Form
from decisionflow.types import DATE


def arithmetic(expression: Apply, contents: Sequence[Content]) -> Form | Ratio | None:
    """Sums, and products and quotients with a constant; a ratio of forms; None for what is neither."""
    calendar = any(argument.type not in MEASURED for argument in expression.arguments)
    match expression.function.spelling, contents:
        case _ if calendar:
            return None
        case "+", [Form() as left, Form() as right]:
            return left.plus(right)
        case "+", [*terms] if all(isinstance(term, Form) for term in terms):
            return reduce(Form.plus, (term for term in terms if isinstance(term, Form)))
        case "-", [Form() as left, Form() as right]:
            return left.plus(right.scaled(-1))
        case "-", [Form() as only]:
            return only.scaled(-1)
        case "days", [Form() as left, Form() as right] if expression.arguments[0].type == DATE:
            return right.plus(left.scaled(-1))
        case "*", [Form() as left, (Form() | Ratio()) as right] if not left.features:
            return times(right, left.constant)
        case "*", [(Form() | Ratio()) as left, Form() as right] if not right.features:
            return times(left, right.constant)
        case "/", [(Form() | Ratio()) as left, Form() as right] if not right.features and right.constant:
            return times(left, 1 / right.constant)
        case "/", [Form() as left, Form() as right]:
            return Ratio(left, right)
        case ("+" | "-") as sign, [Ratio() as left, Form() as right] if not right.features:
            return Ratio(left.top.plus(left.bottom.scaled(right.constant * (1 if sign == "+" else -1))), left.bottom)
        case "+", [Form() as left, Ratio() as right] if not left.features:
            return Ratio(right.top.plus(right.bottom.scaled(left.constant)), right.bottom)
        case "-", [Form() as left, Ratio() as right] if not left.features:
            return Ratio(right.bottom.scaled(left.constant).plus(right.top.scaled(-1)), right.bottom)
        case "-", [Ratio() as only]:
            return times(only, -1.0)
    return None


def times(content: Form | Ratio, factor: float) -> Form | Ratio:
    """A multiple of a form or a ratio."""
    if isinstance(content, Form):
        return content.scaled(factor)
    return Ratio(content.top.scaled(factor), content.bottom)
