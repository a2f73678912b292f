"""Decisions in which every rule is met: unique, any, priority and collect."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from decisionflow.conditions.operators import EQUAL
from decisionflow.evaluate.answer import CONFLICT, NO_RULE, OPEN, UNDECIDED, Answer
from decisionflow.evaluate.block import Block
from decisionflow.evaluate.collecting import aggregation_of, collected, nothing_collected
from decisionflow.evaluate.columns.comparison import compare_exactly, compare_numbers
from decisionflow.evaluate.constants import filler
from decisionflow.evaluate.rule_plans import DecisionPlan, RulePlan
from decisionflow.evaluate.settling import settle, store
from decisionflow.evaluate.vector import MISSING, Mask, Values, Vector
from decisionflow.program.declarations import RuleList
from decisionflow.types import Number, Type

Codes = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Fired:
    """A rule, the rows in which it fired, and its outcome."""

    rule: RulePlan
    rows: Mask
    outcome: Vector


def decide_all(block: Block, plan: DecisionPlan, answer: Answer, body: RuleList, rows: Mask) -> None:
    """Decide some rows by every rule that fires in them."""
    truths = [(rule, rows, rule.truth(block, rows)) for rule in plan.rules]
    live = _screened(block, answer, rows, truths)
    fired = [
        Fired(rule, hit, rule.outcome(block))
        for rule, _, truth in truths
        if (hit := live & truth.values & truth.known).any()
    ]
    live = _screened(block, answer, live, ((each.rule, each.rows, each.outcome) for each in fired))
    count = sum((each.rows.astype(np.int32) for each in fired), start=np.zeros(block.rows, np.int32))
    _decide_none(block, plan, answer, live & (count == 0))
    live &= count > 0
    if body.hit_policy == "unique":
        live &= ~_conflict(block, plan, answer, fired, live & (count > 1))
    live &= ~_unsettled(block, plan, answer, fired, live)
    if live.any():
        _COMBINE[body.hit_policy](block, plan, answer, fired, live)


def _screened(block: Block, answer: Answer, rows: Mask, met: Iterable[tuple[RulePlan, Mask, Vector]]) -> Mask:
    """The rows that nothing stops; the others wait, or are invalid by the first rule in error."""
    waiting, failure = np.zeros(block.rows, np.bool_), np.zeros(block.rows, np.int32)
    failed_rule = np.full(block.rows, NO_RULE, np.int32)
    for rule, where, found in met:
        if found.states is None:
            continue
        asking = rows & where & found.undetermined
        if asking.any():
            block.ask(found.needs or {}, asking)
            waiting |= asking
        failed = rows & where & found.failed & (failure == 0)
        np.copyto(failure, found.states, where=failed)
        failed_rule[failed] = rule.place
    answer.status[waiting] = OPEN
    failed = (failure > 0) & ~waiting
    if failed.any():
        answer.invalidate(failed, failure, failed_rule)
    return rows & ~waiting & ~failed


def _decide_none(block: Block, plan: DecisionPlan, answer: Answer, rows: Mask) -> None:
    if not rows.any():
        return
    if plan.last is not None:
        found = plan.last.outcome(block)
        if aggregation_of(plan.decision) == "list":
            found = collected(block, plan, [(plan.last, rows & found.known, found)], kept=found)
        settle(block, answer, rows, found, plan.last.place + 1, place=plan.last.place, outside=plan.outside)
        return
    settle(block, answer, rows, nothing_collected(plan.decision), outside=plan.outside)


def _conflict(block: Block, plan: DecisionPlan, answer: Answer, fired: list[Fired], rows: Mask) -> Mask:
    if not rows.any():
        return rows
    answer.status[rows] = CONFLICT
    np.copyto(answer.rules, _rule_sets(block, plan, fired, rows), where=rows)
    answer.agreeing[rows] = 0
    return rows


def _unsettled(block: Block, plan: DecisionPlan, answer: Answer, fired: list[Fired], rows: Mask) -> Mask:
    """Rows in which a rule fired with a missing outcome: undecided, those rules named."""
    missing = [
        Fired(each.rule, each.rows & (each.outcome.states == MISSING), each.outcome)
        for each in fired
        if each.outcome.states is not None
    ]
    sets = _rule_sets(block, plan, missing, rows)
    found = rows & (sets > 0)
    answer.status[found] = UNDECIDED
    np.copyto(answer.rules, sets, where=found)
    return found


def _rule_sets(block: Block, plan: DecisionPlan, fired: Iterable[Fired], rows: Mask) -> Codes:
    sets = np.zeros(block.rows, np.int32)
    for each in fired:
        block.rule_sets[plan.name].add(sets, each.rows & rows, each.rule.place)
    return sets


def _only(block: Block, plan: DecisionPlan, answer: Answer, fired: list[Fired], rows: Mask) -> None:
    """Unique: the one rule that fired."""
    for each in fired:
        code = each.rule.place + 1
        settle(block, answer, rows & each.rows, each.outcome, code, place=each.rule.place, outside=plan.outside)


def _agreed(block: Block, plan: DecisionPlan, answer: Answer, fired: list[Fired], rows: Mask) -> None:
    """Any: the value of the first rule, where all others give the same one."""
    values, first_written = filler(plan.decision.type, block.rows), np.zeros(block.rows, np.bool_)
    begun, unlike = np.zeros(block.rows, np.bool_), np.zeros(block.rows, np.bool_)
    for each in fired:
        here = rows & each.rows
        agree = _same(values, each.outcome.values, plan.decision.type, ~(first_written & each.rule.written))
        unlike |= here & begun & ~agree
        fresh = here & ~begun
        store(values, each.outcome.values, fresh)
        first_written[fresh] = each.rule.written
        begun |= here
    _conflict(block, plan, answer, fired, rows & unlike)
    sets = _rule_sets(block, plan, fired, rows)
    settle(block, answer, rows & ~unlike, Vector(values), sets, outside=plan.outside)


def _best(block: Block, plan: DecisionPlan, answer: Answer, fired: list[Fired], rows: Mask) -> None:
    """Priority: the label that the vocabulary names first, by the first rule that gives it."""
    best = np.full(block.rows, np.iinfo(np.int32).max, np.int32)
    for each in fired:
        np.minimum(best, each.outcome.values, out=best, where=rows & each.rows)
    agreeing = [Fired(each.rule, each.rows & (each.outcome.values == best), each.outcome) for each in fired]
    first = np.zeros(block.rows, np.int32)
    for each in agreeing:
        first[each.rows & (first == 0)] = each.rule.place + 1
    sets = _rule_sets(block, plan, agreeing, rows)
    settle(block, answer, rows, Vector(np.where(rows, best, 0)), first, agreeing=sets, outside=plan.outside)


def _collect(block: Block, plan: DecisionPlan, answer: Answer, fired: list[Fired], rows: Mask) -> None:
    """Collect: all of the values, or what they add up to."""
    found = collected(block, plan, [(each.rule, each.rows & rows, each.outcome) for each in fired])
    first = np.full(block.rows, NO_RULE, np.int32)
    for each in reversed(fired):
        first[each.rows] = each.rule.place
    sets = _rule_sets(block, plan, fired, rows)
    settle(block, answer, rows, found, sets, place=first, outside=plan.outside)


def _same(left: Values, right: Values, kind: Type, tolerant: Mask) -> Mask:
    if isinstance(left, dict):
        parts = dict(kind.parts)  # type: ignore[union-attr]
        alike = [_same(left[name], right[name], part, tolerant) for name, part in parts.items()]
        return np.logical_and.reduce(np.broadcast_arrays(*alike))
    exact = compare_exactly(EQUAL, left, right)
    if not isinstance(kind, Number) or not tolerant.any():
        return exact
    return np.where(tolerant, compare_numbers(EQUAL, left, right, True), exact)


_COMBINE: dict[str, Callable[[Block, DecisionPlan, Answer, list[Fired], Mask], None]] = {
    "unique": _only,
    "any": _agreed,
    "priority": _best,
    "collect": _collect,
}
