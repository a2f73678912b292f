"""The nearest change of a row that gives another outcome, and what forbids it where there is none."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from decisionflow.conditions.linear import as_number
from decisionflow.conditions.values import MISSING, Value
from decisionflow.explain.completion import Background
from decisionflow.explain.nearest_change.answer import Answer, Status
from decisionflow.explain.nearest_change.curves import scalar
from decisionflow.explain.nearest_change.deciding import Deciding
from decisionflow.explain.nearest_change.movable import Movable, freed, movable
from decisionflow.explain.nearest_change.options import ChangeOptions
from decisionflow.explain.nearest_change.solving import EQUALLY_CHEAP, Task, searched
from decisionflow.explain.nearest_change.trying import Trying
from decisionflow.program.declarations import Domain, Feature
from decisionflow.types import Boolean, Text, Vocabulary


def nearest_change(
    deciding: Deciding, items: Sequence[Movable], options: ChangeOptions, background: Background | None = None
) -> Answer:
    """The cheapest change of permitted features that gives what is wanted.

    Branch and bound over the places of the features: exact where every condition can be opened to conditions on
    features (`optimal`, or `impossible` with the features that forbid it). Where some can only be tried out, changes
    are tried, of one feature, of two, and to rows of the background, and brought as near as they go: the best that was
    `found`, with a bound that no change stays below. The answer for a row that is invalid is `not found`.
    """
    if deciding.row.invalid_features(deciding.decision.name):
        return Answer("not found")
    task = Task(deciding, tuple(items), options, time.monotonic() + options.time_limit)
    progress = searched(task)
    if progress.unsure is not None or not progress.finished:
        trying = Trying(deciding, task.items, task.problem.places, background, options.max_features)
        progress.add(trying.best())
    if progress.proposals:
        best = progress.proposals[0].cost
        bound = best if progress.unsure is None else min(best, progress.unsure)
        status: Status = "optimal" if bound >= best - EQUALLY_CHEAP else "found"
        return Answer(status, tuple(progress.proposals), bound)
    if progress.unsure is not None or not progress.finished:
        return Answer("not found", bound=progress.unsure)
    return forbidden(task)


def forbidden(task: Task) -> Answer:
    """Why no change helps: the features that forbid it, or that the limit on their number does.

    A feature forbids by being immutable or by its direction, not by its domain; one that is missing by staying so. One
    feature alone where freeing it is enough, else a smallest set; none where no values would do.
    """
    because = _forbidding(task)
    unlimited = replace(task, options=replace(task.options, max_features=None))
    if because or task.options.max_features is None:
        return Answer("impossible", because=because)
    if searched(unlimited).proposals:
        return Answer("impossible", at_most=task.options.max_features)
    because = _forbidding(unlimited)
    return Answer("impossible", because=because, at_most=task.options.max_features if because else None)


def _forbidding(task: Task) -> tuple[str, ...]:
    features = task.deciding.row.program.features
    held = [item.name for item in task.items if freed(features[item.name], item).permitted != item.permitted]
    behind = task.deciding.row.program.features_of([task.deciding.decision.name])
    missing = [name for name in behind if task.deciding.row.values[name] is MISSING]
    for name in (*held, *missing):
        if _is_possible(task, {name}):
            return (name,)
    needed = {*held, *missing}
    if len(needed) < 2 or not _is_possible(task, needed):
        return ()
    for name in (*missing, *held):
        if _is_possible(task, needed - {name}):
            needed.discard(name)
    return tuple(name for name in features if name in needed)


def _is_possible(task: Task, chosen: set[str]) -> bool:
    """Whether some change helps once these features may change, and have a value."""
    row = task.deciding.row
    features = row.program.features
    given = {name: _some_value(features[name]) for name in chosen if row.values[name] is MISSING}
    items = [freed(features[item.name], item) if item.name in chosen else item for item in task.items]
    items += [freed(features[name], movable(features[name], value, 1.0, 1.0)) for name, value in given.items()]
    deciding = replace(task.deciding, row=task.deciding.changed(given))
    options = replace(task.options, answers=1)
    return bool(searched(replace(task, deciding=deciding, items=tuple(items), options=options)).proposals)


def _some_value(feature: Feature) -> Value:
    """A value that a feature may have."""
    kind, domain = feature.type, feature.domain or Domain()
    if isinstance(kind, Vocabulary):
        return kind.labels[0]
    if isinstance(kind, Boolean | Text):
        return False if isinstance(kind, Boolean) else "other"
    low, high = (None if end is None else as_number(end) for end in (domain.low, domain.high))
    if low is not None and high is not None:
        inside = low if domain.low_closed else high if domain.high_closed else (low + high) / 2
    else:
        inside = low + 1 if low is not None else high - 1 if high is not None else 0.0
    return scalar(inside, kind)
