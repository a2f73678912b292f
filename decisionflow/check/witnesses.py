"""Rows that show what a lint says: looked for in a box, and evaluated before they are shown."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from random import Random

from decisionflow.check.boxes import Box, Key, Slice
from decisionflow.check.ranges import as_interval
from decisionflow.check.spaces import Conditions, Difference, Holds, is_settable
from decisionflow.conditions.expression import Compare, Variable
from decisionflow.conditions.intervals import Interval
from decisionflow.conditions.operators import EQUAL, GREATER, LESS
from decisionflow.conditions.values import MISSING, Value, is_known
from decisionflow.evaluate.interpreter import Row
from decisionflow.evaluate.settings import Settings
from decisionflow.frozen import frozen
from decisionflow.program.declarations import Decision, Domain, Feature, ModelDeclaration
from decisionflow.program.program import Program
from decisionflow.types import BOOLEAN, DATE, INTEGER, NUMBER, TIMESTAMP, Type, Vocabulary

MOST_SHOWN = 12
"""Values that a message shows of a row."""

FEW_TRIES, TRIES = 10, 80
"""Random rows that are tried where a box leaves values open, and where one is computed and cannot be given."""

A_DAY = date(2026, 1, 1)
_USUAL_MOMENTS: dict[Type, tuple[date, ...]] = {DATE: (A_DAY,), TIMESTAMP: (datetime(2026, 1, 1, tzinfo=UTC),)}
Claim = Callable[[Row], bool]


@frozen
class Witness:
    """A row that has been evaluated: what was given, and the row itself for its outcomes."""

    given: Mapping[str, Value]
    row: Row

    def __str__(self) -> str:
        return ", ".join(f"{name} {_shown(value)}" for name, value in self.given.items())


def _shown(value: Value) -> str:
    return "missing" if value is MISSING else f"= {written(value)}"


def written(value: Value) -> str:
    """A value as a policy writes it, near enough for a reader."""
    if value is MISSING:
        return "missing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, dict):
        return "( " + ", ".join(f"{name} = {written(part)}" for name, part in value.items()) + " )"
    return str(value)


def find_witness(conditions: Conditions, decision: Decision, box: Box, claim: Claim) -> Witness | None:
    """A row in the box of which a claim is true, None where none was found."""
    program = conditions.program
    behind = program.ancestors(decision.name)
    for given in _rows(conditions, [name for name in program.order if name in behind], box):
        if not conditions.take_a_try():
            return None
        row = _evaluated(program, given)
        if all(_lies_in(conditions, row, key, part) for key, part in box.items()) and claim(row):
            return Witness(_asked(conditions, given, box), row)
    return None


def _asked(conditions: Conditions, given: Mapping[str, Value], box: Box) -> Mapping[str, Value]:
    """What the decision's conditions speak of, or only those of the box where that is much."""
    for keys in (conditions.kinds, box):
        names = {name for key in keys for name in conditions.names_behind(key)}
        shown = {name: value for name, value in given.items() if name in names}
        if len(shown) <= MOST_SHOWN:
            return shown
    return shown


def _lies_in(conditions: Conditions, row: Row, key: Key, part: Slice) -> bool:
    """Whether a row's value of a dimension, given or computed, lies in a slice."""
    if is_settable(key, conditions.program):
        return True
    if isinstance(key, Difference):
        return all(
            part.region.contains(sign) is True
            for sign, comparison in ((-1.0, LESS), (0.0, EQUAL), (1.0, GREATER))
            if row.evaluate(Compare(comparison, key.left, key.right)) is True
        )
    value = row.evaluate(key.condition if isinstance(key, Holds) else key)
    if not is_known(value):
        return value is MISSING and part.missing
    return part.region.contains(conditions.codes.code(key, conditions.kinds[key], value))


def _evaluated(program: Program, given: Mapping[str, Value]) -> Row:
    features = {name: given.get(name, MISSING) for name in program.features}
    fixed = {name: given[name] for name in program.models if name in given}
    return Row(program, features, {}, Settings(today=given.get("today", A_DAY)), fixed)


def _rows(conditions: Conditions, order: list[str], box: Box) -> Iterator[dict[str, Value]]:
    """Rows of the box: the plainest first, then random ones where something in it is left open or computed."""
    program = conditions.program
    choices = {name: free_values(conditions, name) for name in order if is_given(name, program)}
    settable = [key for key in box if is_settable(key, program)]
    choices |= {key.name: values_in(conditions, key, box[key]) for key in settable}
    random = Random(0)
    yield {name: values[0] for name, values in choices.items()}
    all_settable = all(is_settable(key, program) for key in conditions.kinds)
    for _ in range(0 if len(settable) == len(choices) else FEW_TRIES if all_settable else TRIES):
        yield {name: random.choice(values) for name, values in choices.items()}


def is_given(name: str, program: Program) -> bool:
    """Whether a row is given a value of a name, rather than computing it."""
    return name in program.features or name in program.models


def values_in(conditions: Conditions, key: Key, slice_: Slice) -> list[Value]:
    """Some values of a slice, the plainest first; MISSING only where nothing else is left."""
    kind = conditions.kinds[key]
    numbers = [number for interval in slice_.region.intervals for number in _numbers(interval, kind != NUMBER)]
    cuts = [number for number in _cuts(conditions, key, kind) if slice_.region.contains(number)]
    usual = [conditions.codes.code(key, kind, moment) for moment in _USUAL_MOMENTS.get(kind, ())]
    first = [number for number in usual if slice_.region.contains(number)]
    found = [conditions.codes.value(key, kind, number) for number in dict.fromkeys([*first, *numbers, *cuts])]
    return found or [MISSING]


def free_values(conditions: Conditions, name: str) -> list[Value]:
    """Some values of a feature or model that a box leaves open, the plainest first; found once."""
    if name not in conditions.plain:
        conditions.plain[name] = _free_values(conditions, name)
    return conditions.plain[name]


def _free_values(conditions: Conditions, name: str) -> list[Value]:
    declared = conditions.program.node(name)
    key = Variable(name, declared.type, name in conditions.program.features)
    if key in conditions.kinds:
        return values_in(conditions, key, conditions.space.slices[key])
    if isinstance(declared, Feature | ModelDeclaration):
        return _plain_values(declared, conditions.facts.thresholds)
    raise TypeError("only features and models are given to a row")


def _plain_values(declared: Feature | ModelDeclaration, thresholds: Mapping[str, tuple[float, ...]]) -> list[Value]:
    kind = declared.type
    if isinstance(kind, Vocabulary):
        return list(kind.labels)
    if kind in (NUMBER, INTEGER):
        inside = as_interval(declared.domain)
        cuts = [number for number in thresholds.get(declared.name, ()) if inside.contains(number)]
        numbers = [*_numbers(inside, kind == INTEGER), *(n for n in _USUAL if inside.contains(n)), *cuts]
        return [int(number) if kind == INTEGER else float(number) for number in dict.fromkeys(numbers)]
    if kind in _USUAL_MOMENTS:
        domain = declared.domain or Domain()
        ends = [end for end in (domain.low, domain.high) if end is not None]
        days = [moment + timedelta(days=number) for moment in _USUAL_MOMENTS[kind] for number in (0, 1, -1)]
        return [moment for moment in [*days, *ends] if domain.contains(moment)] or [MISSING]
    return [True, False] if kind == BOOLEAN else ["text"]


_USUAL = (1.0, 0.0, 10.0, 100.0, 1000.0, 10_000.0)


def _cuts(conditions: Conditions, key: Key, kind: Type) -> list[float]:
    """The ends of the whole dimension, and the numbers that it is compared with anywhere in the program."""
    intervals = conditions.space.slices[key].region.intervals
    ends = [end for interval in intervals for end in (interval.low, interval.high) if math.isfinite(end)]
    if not (isinstance(key, Variable) and kind in (NUMBER, INTEGER)):
        return ends
    return [*ends, *conditions.facts.thresholds.get(key.name, ())]


def _numbers(interval: Interval, whole: bool) -> list[float]:
    """Plain numbers of an interval: inside it, then its closed ends."""
    low, high = interval.low, interval.high
    ends = [end for end, closed in ((low, interval.low_closed), (high, interval.high_closed)) if closed]
    if math.isfinite(low) and math.isfinite(high):
        inside = [_between(low, high)] if high > low else []
        numbers = [math.floor(number) for number in inside] if whole else inside
        return [number for number in [*numbers, *ends] if interval.contains(number)]
    start = low if math.isfinite(low) else high
    if not math.isfinite(start):
        return [1, 0, -1, 100] if whole else [1.0, 0.0, -1.0, 100.0]
    away = 1 if math.isfinite(low) else -1
    return [number for number in (*ends, start + away, start + 10 * away, 2 * start) if interval.contains(number)]


def _between(low: float, high: float) -> float:
    """A number of few digits strictly between two."""
    middle = (low + high) / 2
    for digits in range(0, 17):
        rounded = round(middle, digits)
        if low < rounded < high:
            return rounded
    return middle
