"""Names that are computed from each other."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from decisionflow.frozen import frozen


class Reading(Protocol):
    """One name reads another."""

    @property
    def reader(self) -> str: ...

    @property
    def name(self) -> str: ...


@frozen
class Edge:
    """One name reads another, wherever that is written."""

    reader: str
    name: str


AnyReading = TypeVar("AnyReading", bound=Reading)


def cycles(readings: Iterable[AnyReading], order: Sequence[str] = ()) -> list[tuple[AnyReading, ...]]:
    """Cycles that have no name in common, each the shortest through its first name, as closed paths of readings.

    Names are tried in `order`, then as they appear. No recursion, however long a chain is.
    """
    graph: dict[str, dict[str, AnyReading]] = {name: {} for name in order}
    for reading in readings:
        graph.setdefault(reading.reader, {}).setdefault(reading.name, reading)
        graph.setdefault(reading.name, {})
    found = []
    for start in list(_knotted(graph)):
        path = _shortest(graph, start)
        if path:
            found.append(path)
            for reading in path:
                graph.pop(reading.reader, None)
    return found


def _knotted(graph: Mapping[str, Mapping[str, AnyReading]]) -> Iterable[str]:
    """The names that are left when those that read nothing are taken away again and again."""
    readers: dict[str, list[str]] = {name: [] for name in graph}
    waits = {name: len(read) for name, read in graph.items()}
    for reader, read in graph.items():
        for name in read:
            readers[name].append(reader)
    free = [name for name, count in waits.items() if not count]
    while free:
        for reader in readers[free.pop()]:
            waits[reader] -= 1
            if not waits[reader]:
                free.append(reader)
    return [name for name in graph if waits[name]]


def _shortest(graph: Mapping[str, Mapping[str, AnyReading]], start: str) -> tuple[AnyReading, ...]:
    reached: dict[str, AnyReading] = {}
    waiting = deque([start])
    while waiting and start not in reached:
        current = waiting.popleft()
        for name, reading in graph.get(current, {}).items():
            if name not in reached and (name in graph):
                reached[name] = reading
                waiting.append(name)
    return tuple(_back(reached, start)) if start in reached else ()


def _back(reached: Mapping[str, AnyReading], start: str) -> list[AnyReading]:
    path = [reached[start]]
    while path[0].reader != start:
        path.insert(0, reached[path[0].reader])
    return path
