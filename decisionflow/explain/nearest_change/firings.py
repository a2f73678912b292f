"""Which outcome a decision comes to where, under each hit policy, as formulas over the features."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import combinations
from typing import Protocol

from decisionflow.conditions.arithmetic import add
from decisionflow.conditions.expression import TRUE as ALWAYS
from decisionflow.conditions.expression import And, Apply, Compare, Constant, Expression, IsMissing, MakeRecord, Within
from decisionflow.conditions.expression import Bound as IntervalEnd
from decisionflow.conditions.operators import ADD, EQUAL, MAXIMUM, MINIMUM, Function
from decisionflow.conditions.values import Failure, Value
from decisionflow.evaluate.combining import outside
from decisionflow.evaluate.interpreter import Row
from decisionflow.explain.nearest_change.formula import (
    FALSE,
    TRUE,
    Formula,
    all_of,
    any_of,
    at_least,
    is_false,
    negation,
)
from decisionflow.explain.nearest_change.truths import Truths, all_true
from decisionflow.program.declarations import CompanionList, Decision, Domain, Rule, RuleList
from decisionflow.program.declarations import Formula as FormulaBody
from decisionflow.types import INTEGER, Vocabulary

MOST_VALUES, MOST_COMPUTED = 256, 6
JOINED: Mapping[str, Function] = {"sum": ADD, "min": MINIMUM, "max": MAXIMUM}


class Opener(Protocol):
    """What opens the conditions of a policy at a row."""

    row: Row

    def truths(self, condition: Expression) -> Truths:
        """Where a condition is true, false and an error."""


@dataclass(frozen=True, slots=True)
class Firing:
    """Where a decision comes to an outcome: to none where it is None, to an error or a conflict where `broken`."""

    outcome: Expression | None
    where: Formula
    broken: bool = False


def firings(opening: Opener, decision: Decision) -> list[Firing] | None:
    """Every outcome of a decision; None where the outcomes cannot be told apart rule by rule."""
    found = _firings(opening, decision)
    if found is None:
        return None
    return [part for firing in found if not is_false(firing.where) for part in _in_domain(opening, decision, firing)]


def rules_in_order(opening: Opener, decision: Decision) -> tuple[Rule, ...]:
    """The rules that may decide the row, `otherwise` or the fall-back last."""
    rules = opening.row.rules_of(decision)
    if isinstance(decision.body, CompanionList):
        return (*rules, Rule(decision.body.fallback_name, ALWAYS, decision.body.fallback))
    return rules


def is_first(opening: Opener, decision: Decision) -> bool:
    """Whether the first rule that is true decides, and which rules there are does not hang on the row's values."""
    body = decision.body
    if isinstance(body, CompanionList):
        return not opening.row.settings.stochastic
    return isinstance(body, RuleList) and body.hit_policy == "first"


def within_domain(opening: Opener, decision: Decision, outcome: Expression) -> Truths:
    """Where an outcome lies in the decision's domain, each part of a record in its own."""
    domains = dict(decision.part_domains)
    if isinstance(outcome, Constant):
        return Truths(FALSE, TRUE) if outside(decision, outcome.value) else Truths(TRUE, FALSE)
    parts: list[tuple[Expression, Domain]]
    if decision.domain is not None:
        parts = [(outcome, decision.domain)]
    elif isinstance(outcome, MakeRecord):
        parts = [(part, domains[name]) for name, part in outcome.parts if name in domains]
    else:
        parts = []
    return all_true([opening.truths(_within(part, domain)) for part, domain in parts])


def _in_domain(opening: Opener, decision: Decision, firing: Firing) -> list[Firing]:
    """An outcome outside of the decision's domain is an error; a missing one is in none, and no error."""
    if firing.outcome is None:
        return [firing]
    within = within_domain(opening, decision, firing.outcome)
    if is_false(within.false):
        return [firing]
    inside = replace(firing, where=all_of((firing.where, negation(within.false))))
    return [inside, Firing(None, all_of((firing.where, within.false)), broken=True)]


def _firings(opening: Opener, decision: Decision) -> list[Firing] | None:
    body = decision.body
    if isinstance(body, FormulaBody):
        return [Firing(body.expression, TRUE)]
    if is_first(opening, decision):
        return _first(opening, decision)
    if not isinstance(body, RuleList) or _lists_what_is_computed(body):
        return None
    truths = [opening.truths(rule.condition) for rule in body.rules]
    sound = all_of(negation(truth.error) for truth in truths)
    fired = _fired(opening, decision, body, [truth.true for truth in truths])
    if fired is None:
        return None
    none = all_of(negation(truth.true) for truth in truths)
    found = [*fired, Firing(_of_none(decision, body), none)]
    return [*(replace(each, where=all_of((sound, each.where))) for each in found), Firing(None, negation(sound), True)]


def _first(opening: Opener, decision: Decision) -> list[Firing]:
    found: list[Firing] = []
    before: Formula = TRUE
    for rule in rules_in_order(opening, decision):
        truth = opening.truths(rule.condition)
        found.append(Firing(rule.outcome, all_of((truth.true, before))))
        found.append(Firing(None, all_of((truth.error, before)), broken=True))
        before = all_of((before, negation(truth.true), negation(truth.error)))
    return [*found, Firing(None, before)]


def _lists_what_is_computed(body: RuleList) -> bool:
    outcome = None if body.otherwise is None else body.otherwise.outcome
    return body.aggregation == "list" and not isinstance(outcome, Constant | None)


def _of_none(decision: Decision, body: RuleList) -> Expression | None:
    """The outcome where no rule is true."""
    empty: dict[str, Value] = {"list": (), "count": 0, "sum": 0}
    if body.otherwise is None:
        return Constant(empty[body.aggregation], decision.held) if body.aggregation in empty else None
    outcome = body.otherwise.outcome
    if body.aggregation != "list":
        return outcome
    return Constant((outcome.value,), decision.held) if isinstance(outcome, Constant) else None


def _fired(opening: Opener, decision: Decision, body: RuleList, true: Sequence[Formula]) -> list[Firing] | None:
    """The outcomes where some rule is true and none is an error; `true` says where each is."""
    outcomes = [rule.outcome for rule in body.rules]
    if body.hit_policy == "unique":
        alone = [
            Firing(outcome, all_of((true[at], *(negation(other) for place, other in enumerate(true) if place != at))))
            for at, outcome in enumerate(outcomes)
        ]
        return [*alone, Firing(None, at_least(2, true), broken=True)]
    constants = [outcome for outcome in outcomes if isinstance(outcome, Constant)]
    if len(constants) < len(outcomes):
        return _computed(opening, decision, body, true) if len(outcomes) <= MOST_COMPUTED else None
    values = [constant.value for constant in constants]
    if body.hit_policy == "collect":
        return _collected(decision, body.aggregation, values, true)
    groups = {at: [true[place] for place, other in enumerate(values) if other == values[at]] for at in _firsts(values)}
    if body.hit_policy == "priority" and isinstance(decision.type, Vocabulary):
        return _best(decision.type, constants, groups)
    together = {at: any_of(group) for at, group in groups.items()}
    found = [
        Firing(constants[at], all_of((own, *(negation(other) for each, other in together.items() if each != at))))
        for at, own in together.items()
    ]
    return [*found, Firing(None, at_least(2, together.values()), broken=True)]


def _firsts(values: Sequence[Value]) -> list[int]:
    """The places at which a value stands for the first time."""
    return [at for at, value in enumerate(values) if values.index(value) == at]


def _best(kind: Vocabulary, constants: Sequence[Constant], groups: Mapping[int, Sequence[Formula]]) -> list[Firing]:
    """Of the labels whose rules are true, the one that the vocabulary names first."""
    found: list[Firing] = []
    better: list[Formula] = []
    for at in sorted(groups, key=lambda place: kind.labels.index(constants[place].value)):
        some = any_of(groups[at])
        found.append(Firing(constants[at], all_of((some, *better))))
        better.append(negation(some))
    return found


def _collected(
    decision: Decision, aggregation: str, values: Sequence[Value], true: Sequence[Formula]
) -> list[Firing] | None:
    """Every value that collecting can come to: rule after rule, each true or not."""
    step = _STEPS[aggregation]
    reached: dict[Value, Formula] = {None: TRUE}
    for value, fires in zip(values, true, strict=True):
        following: dict[Value, list[Formula]] = {}
        for held, where in reached.items():
            following.setdefault(held, []).append(all_of((where, negation(fires))))
            after = held if isinstance(held, Failure) else step(held, value)
            following.setdefault(after, []).append(all_of((where, fires)))
        reached = {held: any_of(parts) for held, parts in following.items()}
        reached = {held: where for held, where in reached.items() if not is_false(where)}
        if len(reached) > MOST_VALUES:
            return None
    return [
        Firing(None, where, broken=True) if isinstance(held, Failure) else Firing(Constant(held, decision.held), where)
        for held, where in reached.items()
        if held is not None
    ]


_STEPS: Mapping[str, Callable[[Value, Value], Value]] = {
    "sum": lambda held, value: value if held is None else add(held, value),
    "min": lambda held, value: value if held is None else min(held, value),
    "max": lambda held, value: value if held is None else max(held, value),
    "count": lambda held, _: 1 if held is None else held + 1,
    "list": lambda held, value: (value,) if held is None else (*held, value),
}


def _computed(opening: Opener, decision: Decision, body: RuleList, true: Sequence[Formula]) -> list[Firing] | None:
    """The outcome of each set of rules that can be true together, where some of their outcomes are computed."""
    if body.hit_policy == "priority" or body.aggregation == "list":
        return None
    found: list[Firing] = []
    for size in range(1, len(body.rules) + 1):
        for chosen in combinations(range(len(body.rules)), size):
            where = all_of(each if at in chosen else negation(each) for at, each in enumerate(true))
            if not is_false(where):
                found += _together(opening, decision, body, [body.rules[at].outcome for at in chosen], where)
    return found


def _together(
    opening: Opener, decision: Decision, body: RuleList, outcomes: Sequence[Expression], where: Formula
) -> list[Firing]:
    """What rules that are true together come to: nothing where one outcome is missing, an error where one is."""
    absent = [opening.truths(IsMissing(outcome)) for outcome in outcomes]
    error = any_of(each.error for each in absent)
    missing = all_of((negation(error), any_of(each.true for each in absent)))
    known = all_of((where, *(each.false for each in absent)))
    found = [Firing(None, all_of((where, error)), broken=True), Firing(None, all_of((where, missing)))]
    if body.aggregation == "count":
        return [*found, Firing(Constant(len(outcomes), INTEGER), known)]
    if body.hit_policy == "any":
        agree = all_true([opening.truths(equal_outcomes(outcomes[0], other)) for other in outcomes[1:]])
        differ = Firing(None, all_of((known, negation(agree.true))), broken=True)
        return [*found, Firing(outcomes[0], all_of((known, agree.true))), differ]
    function = JOINED[body.aggregation]
    joined = reduce(lambda left, right: Apply(function, (left, right), decision.type), outcomes)
    return [*found, Firing(joined, known)]


def equal_outcomes(left: Expression, right: Expression) -> Expression:
    """That two outcomes are the same; of records that are written out, that their parts are."""
    if isinstance(left, MakeRecord) and isinstance(right, MakeRecord):
        own = dict(right.parts)
        return And(tuple(equal_outcomes(part, own[name]) for name, part in left.parts))
    return Compare(EQUAL, left, right)


def _within(part: Expression, domain: Domain) -> Expression:
    ends = [
        None if end is None else IntervalEnd(Constant(end, part.type), closed)
        for end, closed in ((domain.low, domain.low_closed), (domain.high, domain.high_closed))
    ]
    return Within(part, ends[0], ends[1])
