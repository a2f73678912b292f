"""Decisions about a block of rows."""

from __future__ import annotations

import numpy as np

from decisionflow.evaluate.answer import OPEN, Answer, empty_answer
from decisionflow.evaluate.block import Block
from decisionflow.evaluate.companion import depth, last_share
from decisionflow.evaluate.failures import INVALID_FEATURE
from decisionflow.evaluate.hit_policies import decide_all
from decisionflow.evaluate.rule_plans import DecisionPlan, RulePlan
from decisionflow.evaluate.settling import settle
from decisionflow.evaluate.vector import Mask
from decisionflow.program.declarations import CompanionList, Formula


def decide(block: Block, plan: DecisionPlan) -> Answer:
    """What a decision says about every row of a block; all that it reads has been computed."""
    answer = empty_answer(plan.decision.held, block.rows)
    rows = block.sound(plan.features)
    if not rows.all():
        answer.invalidate(~rows, INVALID_FEATURE, -1)
    body = plan.decision.body
    if isinstance(body, Formula):
        _answer_rest(block, plan, answer, rows, named=False)
    elif isinstance(body, CompanionList):
        _decide_companion(block, plan, answer, body, rows)
    elif body.hit_policy == "first":
        _answer_rest(block, plan, answer, _decide_first(block, plan, answer, plan.rules, rows))
    else:
        decide_all(block, plan, answer, body, rows)
    return answer


def _decide_first(block: Block, plan: DecisionPlan, answer: Answer, rules: tuple[RulePlan, ...], rows: Mask) -> Mask:
    """Let the rules decide in their order; the rows that no rule takes are left."""
    left = rows
    for rule in rules:
        if not left.any():
            break
        left = _meet(block, plan, answer, rule, left)
    return left


def _meet(block: Block, plan: DecisionPlan, answer: Answer, rule: RulePlan, rows: Mask) -> Mask:
    """One rule meets some rows; those that it does not take are left."""
    truth = rule.truth(block, rows)
    fired = rows & truth.values & truth.known
    taken = fired
    if truth.states is not None:
        waiting, failed = rows & truth.undetermined, rows & truth.failed
        if waiting.any():
            answer.status[waiting] = OPEN
            block.ask(truth.needs or {}, waiting)
        if failed.any():
            answer.invalidate(failed, truth.states, rule.place)
        taken = fired | waiting | failed
    if fired.any():
        settle(block, answer, fired, rule.outcome(block), rule.place + 1, place=rule.place, outside=plan.outside)
    return rows & ~taken


def _decide_companion(block: Block, plan: DecisionPlan, answer: Answer, body: CompanionList, rows: Mask) -> None:
    """The first rules that the transparency allows, by chance the next one, then the fall-back."""
    settings = block.settings
    transparency = settings.transparency.get(plan.name, 1.0)
    used = depth(plan.decision, body, transparency)
    left = _decide_first(block, plan, answer, plan.rules[:used], rows)
    share = last_share(plan.decision, body, transparency) if settings.stochastic else 0.0
    if share > 0 and left.any():
        chosen = left.copy()
        chosen[left] = block.draws(plan.name, np.flatnonzero(left)) < share
        left = (left & ~chosen) | _meet(block, plan, answer, plan.rules[used], chosen)
    _answer_rest(block, plan, answer, left)


def _answer_rest(block: Block, plan: DecisionPlan, answer: Answer, rows: Mask, named: bool = True) -> None:
    """The rows that are left get the `otherwise`, the fall-back or the formula, where there is one."""
    last = plan.last
    if last is None or not rows.any():
        return
    place = last.place if named else -1
    settle(block, answer, rows, last.outcome(block), place + 1, place=place, outside=plan.outside)
