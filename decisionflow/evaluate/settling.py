"""From the value that rules gave to the answer of a decision: status, domain, the rules named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from decisionflow.conditions.operators import AT_LEAST, AT_MOST, GREATER, LESS
from decisionflow.evaluate.answer import DECIDED, NO_RULE, OPEN, UNDECIDED, Answer
from decisionflow.evaluate.block import Block
from decisionflow.evaluate.columns.comparison import compare_threshold
from decisionflow.evaluate.combining import outside as reason_outside
from decisionflow.evaluate.constants import stored
from decisionflow.evaluate.failures import OUTSIDE_DOMAIN
from decisionflow.evaluate.vector import MISSING, Mask, Values, Vector
from decisionflow.program.declarations import Decision, Domain
from decisionflow.types import NUMBER, ListOf, Type

OutsideDomain = Callable[[Values], Mask]


def settle(
    block: Block,
    answer: Answer,
    rows: Mask,
    found: Vector,
    rules: Any = 0,
    agreeing: Any = None,
    place: Any = NO_RULE,
    outside: OutsideDomain | None = None,
) -> None:
    """Give some rows the value found, by the rules of the set codes `rules`; errors belong to the rule at `place`.

    A missing value leaves the rows undecided, the rules named; one that waits leaves them open.
    """
    if found.states is not None:
        rows = _settle_unknown(block, answer, rows, found, rules, place)
    store(answer.values, found.values, rows)
    answer.status[rows] = DECIDED
    np.copyto(answer.rules, rules, where=rows, casting="same_kind")
    np.copyto(answer.agreeing, rules if agreeing is None else agreeing, where=rows, casting="same_kind")
    if outside is not None:
        wrong = rows & outside(found.values)
        if wrong.any():
            answer.invalidate(wrong, OUTSIDE_DOMAIN, NO_RULE)


def store(target: Values, values: Values, rows: Mask) -> None:
    """Write values into some rows."""
    if not isinstance(target, dict):
        np.copyto(target, values, where=rows, casting="unsafe")
        return
    for part, inner in target.items():
        store(inner, values[part], rows)


def outside_domain(decision: Decision) -> OutsideDomain | None:
    """Where values lie outside the decision's domain, or those of its parts; None where nothing limits them."""
    if isinstance(decision.held, ListOf):
        return (lambda values: _outside_lists(decision, values)) if decision.domain is not None else None
    if decision.part_domains:
        kinds = dict(decision.type.parts)  # type: ignore[union-attr]
        checks = [(part, _outside(domain, kinds[part])) for part, domain in decision.part_domains]
        return lambda values: np.any(np.broadcast_arrays(*(check(values[part]) for part, check in checks)), axis=0)
    return None if decision.domain is None else _outside(decision.domain, decision.type)


def _outside_lists(decision: Decision, values: Values) -> Mask:
    """Which lists hold an item outside the decision's domain."""
    return np.array(
        [isinstance(each, tuple) and bool(reason_outside(decision, each)) for each in values.tolist()], np.bool_
    )


def _outside(domain: Domain, kind: Type) -> OutsideDomain:
    low, high = (None if end is None else stored(end, kind) for end in (domain.low, domain.high))

    above, below = AT_LEAST if domain.low_closed else GREATER, AT_MOST if domain.high_closed else LESS

    def outside(values: Values) -> Mask:
        wrong: Mask = np.zeros(1, np.bool_)
        if low is not None:
            wrong = wrong | ~compare_threshold(above, values, low, tolerant=kind == NUMBER)
        if high is not None:
            wrong = wrong | ~compare_threshold(below, values, high, tolerant=kind == NUMBER)
        return wrong

    return outside


def _settle_unknown(block: Block, answer: Answer, rows: Mask, found: Vector, rules: Any, place: Any) -> Mask:
    waiting = rows & found.undetermined
    if waiting.any():
        answer.status[waiting] = OPEN
        block.ask(found.needs or {}, waiting)
    failed = rows & found.failed
    if failed.any():
        answer.invalidate(failed, found.states, place)
    missing = rows & (found.states == MISSING)
    if missing.any():
        answer.status[missing] = UNDECIDED
        np.copyto(answer.rules, rules, where=missing, casting="same_kind")
    return rows & found.known
