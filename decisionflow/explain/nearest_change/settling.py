"""A formula at one row: what cannot change there becomes a number, so that fewer conditions span several features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from decisionflow.explain.nearest_change.comparing import half_space
from decisionflow.explain.nearest_change.formula import (
    All,
    Form,
    Formula,
    HalfSpace,
    Some,
    all_of,
    any_of,
    at_least,
    literals,
)
from decisionflow.explain.nearest_change.movable import Movable


def settled(formula: Formula, items: Sequence[Movable]) -> Formula:
    """The formula with the features that cannot move put in as numbers."""
    fixed = {at for at, item in enumerate(items) if item.is_fixed}
    spanning = (literal for literal in literals(formula) if isinstance(literal, HalfSpace))
    if not any(fixed.intersection(literal.form.features) for literal in spanning):
        return formula
    return _Settling(items).settle(formula)


@dataclass
class _Settling:
    items: Sequence[Movable]
    done: dict[int, tuple[Formula, Formula]] = field(default_factory=dict)

    def settle(self, formula: Formula) -> Formula:
        known = self.done.get(id(formula))
        if known is None:
            known = formula, self._settle(formula)
            self.done[id(formula)] = known
        return known[1]

    def _settle(self, formula: Formula) -> Formula:
        match formula:
            case HalfSpace(form=form, comparison=comparison, margin=margin):
                return half_space(comparison, self._fixed(form), self._fixed(margin))
            case All(parts=parts):
                return all_of(self.settle(part) for part in parts)
            case Some(parts=parts, number=1):
                return any_of(self.settle(part) for part in parts)
            case Some(parts=parts, number=number):
                return at_least(number, (self.settle(part) for part in parts))
        return formula

    def _fixed(self, form: Form) -> Form:
        found = Form(constant=form.constant)
        for at, weight in form.weights.items():
            item = self.items[at]
            found = found.plus(Form(constant=weight * float(item.here)) if item.is_fixed else Form({at: weight}))
        for at, named in form.labels.items():
            item = self.items[at]
            fixed = Form(constant=named.get(item.here, 0.0))
            found = found.plus(fixed if item.is_fixed else Form(labels={at: named}))
        return found
