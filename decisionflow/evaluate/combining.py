"""What the rules that fired for a row make together: the outcome of a decision by its hit policy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from decisionflow.conditions.arithmetic import add, equal
from decisionflow.conditions.expression import is_written
from decisionflow.conditions.values import MISSING, Failure, Value, is_known
from decisionflow.evaluate.outcome import Outcome
from decisionflow.program.declarations import Decision, Rule, RuleList
from decisionflow.tables.masking import plain_text
from decisionflow.types import Number, Type


def combine(decision: Decision, body: RuleList, fired: tuple[Rule, ...], values: Sequence[Value]) -> Outcome:
    """The outcome where these rules fired, at least one, with these values."""
    for rule, value in zip(fired, values, strict=True):
        if isinstance(value, Failure):
            return Outcome("invalid", problem=f"rule `{rule.name}`: {value.reason}")
    if body.hit_policy == "unique" and len(fired) > 1:
        return _conflict(fired)
    unsettled = tuple(rule for rule, value in zip(fired, values, strict=True) if value is MISSING)
    if unsettled:
        return Outcome("undecided", rules=tuple(rule.name for rule in unsettled))
    if body.hit_policy == "collect":
        return settle(decision, _collected(body.aggregation, values), fired)
    if body.hit_policy == "priority":
        best = min(values, key=decision.type.labels.index)  # type: ignore[union-attr]
        return settle(decision, best, (fired[values.index(best)],), fired, values)
    if not all(_agree(decision, fired[0], rule, values[0], value) for rule, value in zip(fired, values, strict=True)):
        return _conflict(fired)
    return settle(decision, values[0], fired)


def nothing_fired(decision: Decision, body: RuleList, value: Value) -> Outcome:
    """The outcome where no rule fired; `value` is that of the `otherwise` where there is one."""
    if body.otherwise is not None:
        listed = body.aggregation == "list" and is_known(value)
        return settle(decision, (value,) if listed else value, (body.otherwise,))
    empty: dict[str, Value] = {"list": (), "count": 0, "sum": 0}
    return settle(decision, empty.get(body.aggregation, MISSING), ())


def settle(
    decision: Decision,
    value: Value,
    rules: tuple[Rule, ...],
    fired: tuple[Rule, ...] = (),
    values: Iterable[Value] = (),
) -> Outcome:
    """The outcome for a value that rules gave; `fired` and `values` where other rules may have given it too."""
    names = tuple(rule.name for rule in rules)
    if isinstance(value, Failure):
        where = f"rule `{names[0]}`: " if names else ""
        return Outcome("invalid", problem=where + value.reason)
    if value is MISSING:
        return Outcome("undecided", rules=names)
    agreeing = [rule for rule, other in zip(fired, values, strict=True) if other == value] or rules
    found = outside(decision, value)
    if found:
        return Outcome("invalid", problem=found)
    reasons = tuple(rule.reason for rule in agreeing if rule.reason is not None)
    return Outcome("decided", as_type(value, decision.held), names, reasons)


def as_read(name: str, outcome: Outcome) -> Value:
    """What others read of a decision (law 8): an undecided one is missing, an invalid or conflicting one an error."""
    if outcome.status == "decided":
        return outcome.value
    return MISSING if outcome.status == "undecided" else Failure(f"decision `{name}` is {outcome.status}")


def same(left: Value, right: Value, kind: Type, tolerant: bool) -> bool:
    """Whether two known outcomes of one type are the same value."""
    if isinstance(left, dict):
        parts = dict(kind.parts)  # type: ignore[union-attr]
        return all(same(left[name], right[name], part, tolerant) for name, part in parts.items())
    return equal(left, right, tolerant) if isinstance(kind, Number) else bool(left == right)


def as_type(value: Value, kind: Type) -> Value:
    """A value as its type writes it: an integer that stands for a number becomes one."""
    if not is_known(value):
        return value
    if isinstance(value, dict):
        return {name: as_type(value[name], part) for name, part in kind.parts}  # type: ignore[union-attr]
    if isinstance(value, tuple):
        return tuple(as_type(item, kind.item) for item in value)  # type: ignore[union-attr]
    return float(value) if isinstance(kind, Number) else value


def outside(decision: Decision, value: Value) -> str:
    """Why a value lies outside the decision's domain; empty where it does not."""
    if isinstance(value, dict):
        found = [
            f"{decision.name}.{part} is {plain_text(value[part])}, outside {domain}"
            for part, domain in decision.part_domains
            if not domain.contains(value[part], computed=True)
        ]
        return "; ".join(found)
    items = value if isinstance(value, tuple) else (value,)
    domain = decision.domain
    wrong = [item for item in items if domain is not None and not domain.contains(item, computed=True)]
    return f"{decision.name} is {plain_text(wrong[0])}, outside {domain}" if wrong else ""


def _collected(aggregation: str, values: Sequence[Value]) -> Value:
    """What `collect` holds of the outcomes of the rules that fired, in their order; all but a list are of numbers."""
    if aggregation == "sum":
        total = values[0]
        for value in values[1:]:
            total = add(total, value) if is_known(total) else total
        return total
    if aggregation == "count":
        return len(values)
    if aggregation == "list":
        return tuple(values)
    return min(values) if aggregation == "min" else max(values)


def _agree(decision: Decision, first: Rule, second: Rule, left: Value, right: Value) -> bool:
    tolerant = not (is_written(first.outcome) and is_written(second.outcome))
    return same(left, right, decision.type, tolerant)


def _conflict(fired: tuple[Rule, ...]) -> Outcome:
    names = tuple(rule.name for rule in fired)
    problem = "rules " + " and ".join(f"`{name}`" for name in names) + " disagree"
    return Outcome("conflict", rules=names, problem=problem)
