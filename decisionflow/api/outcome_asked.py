"""The outcome that a user asks for, as a value of the decision."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from decisionflow.conditions.values import Value, is_known
from decisionflow.diagnostics import did_you_mean
from decisionflow.errors import DataError, UnknownNameError
from decisionflow.program.declarations import Decision, Feature, Reading
from decisionflow.tables.cell_reader import cell_reader
from decisionflow.types import ListOf, Record, Type, Vocabulary


def outcome_asked(decision: Decision, given: Any) -> Value:
    """An outcome as it was typed or passed, read as a cell of the decision's type would be.

    A list may be text with its items separated by `;`, a record text in JSON. Raises DataError for what is no such
    value, and UnknownNameError for a label that there is not.
    """
    return _read(decision.name, decision.held, given)


def _read(name: str, kind: Type, given: Any) -> Value:
    match kind:
        case Vocabulary(labels=labels):
            return _label(name, labels, given)
        case ListOf(item=item):
            return tuple(_read(name, item, each) for each in _items(name, given))
        case Record(parts=parts):
            record = _record(name, [part for part, _ in parts], given)
            return {part: _read(f"{name}.{part}", held, record[part]) for part, held in parts}
    found = cell_reader(Feature(name, kind, Reading(name)))(given)
    if not is_known(found):
        raise DataError(f"`{name}` is of type {kind}, and `{given}` is none")
    return found


def _label(name: str, labels: tuple[str, ...], given: Any) -> str:
    if isinstance(given, str) and given in labels:
        return str(given)
    hint = did_you_mean(str(given), labels)
    raise UnknownNameError(f"`{name}` has no outcome `{given}`: {', '.join(labels)}" + (f"; {hint}" if hint else ""))


def _items(name: str, given: Any) -> Iterable[Any]:
    if isinstance(given, str):
        return given.split(";") if given else ()
    if isinstance(given, Iterable) and not isinstance(given, Mapping):
        return given
    raise DataError(f"`{name}` is a list, not `{given}`")


def _record(name: str, parts: list[str], given: Any) -> Mapping[str, Any]:
    found = given
    if isinstance(given, str):
        try:
            found = json.loads(given)
        except ValueError:
            found = None
    if not isinstance(found, Mapping) or set(found) != set(parts):
        raise DataError(f"`{name}` is a record of {', '.join(parts)}, each with a value, not `{given}`")
    return found
