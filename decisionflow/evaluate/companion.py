"""Which rules of a companion list are used at a given transparency (Definition 3 of the companion rule list paper)."""

from __future__ import annotations

from collections.abc import Mapping

from decisionflow.conditions.arithmetic import equal
from decisionflow.conditions.values import Value
from decisionflow.errors import DataError
from decisionflow.evaluate.draws import uniform_draw
from decisionflow.evaluate.settings import Settings
from decisionflow.program.declarations import CompanionList, Decision, Rule
from decisionflow.program.program import Program


def depth(decision: Decision, body: CompanionList, transparency: float) -> int:
    """m^t: the largest number of first rules whose coverages, added up, do not exceed `transparency`.

    1 means the whole list and 0 the fall-back alone. Raises DataError where a rule lacks its coverage.
    """
    if not 0 <= transparency <= 1:
        raise DataError(f"transparency of `{decision.name}` is {transparency}; it is a share from 0 to 1")
    if transparency in (0, 1):
        return len(body.rules) if transparency else 0
    total, used = 0.0, 0
    for rule in body.rules:
        total += coverage(decision, rule)
        if total > transparency and not equal(total, transparency, tolerant=True):
            break
        used += 1
    return used


def coverage(decision: Decision, rule: Rule) -> float:
    """The share of rows that a rule takes; raises DataError where learning left no such figure."""
    if rule.coverage is None:
        raise DataError(
            f"rule `{rule.name}` of `{decision.name}` has no `coverage`, which a transparency between 0 and 1 needs; "
            "write `stats (coverage …%)` after its outcome"
        )
    return rule.coverage


def last_share(decision: Decision, body: CompanionList, transparency: float) -> float:
    """(T - T_m) / (T_{m+1} - T_m): the share of rows of the first unused rule that it decides when `stochastic`."""
    used = depth(decision, body, transparency)
    if transparency in (0, 1) or used == len(body.rules):
        return 0.0
    before = sum(coverage(decision, rule) for rule in body.rules[:used])
    return max(0.0, (transparency - before) / coverage(decision, body.rules[used]))


def active_rules(
    program: Program, decision: Decision, body: CompanionList, settings: Settings, features: Mapping[str, Value]
) -> tuple[Rule, ...]:
    """The rules that may decide a row with these feature values."""
    transparency = settings.transparency.get(decision.name, 1.0)
    used = depth(decision, body, transparency)
    if not settings.stochastic:
        return body.rules[:used]
    share = last_share(decision, body, transparency)
    drawn = share > 0 and uniform_draw(program, decision.name, features, settings.seed) < share
    return body.rules[: used + 1 if drawn else used]
