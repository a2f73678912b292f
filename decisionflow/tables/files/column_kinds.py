"""Arrow types for columns of Python values, as JSON and spreadsheets bring them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time
from typing import Any

import pyarrow as pa

from decisionflow.conditions.values import INTEGER_HIGH, INTEGER_LOW
from decisionflow.tables.masking import plain_text

_ARROW = {
    "boolean": pa.bool_(),
    "integer": pa.int64(),
    "number": pa.float64(),
    "date": pa.date32(),
    "moment": pa.timestamp("us"),
    "text": pa.string(),
}


class KindsSeen:
    """The kinds of values that each column has shown, columns in order of appearance."""

    def __init__(self, headers: Iterable[str] = ()) -> None:
        self._seen: dict[str, set[str]] = {header: set() for header in headers}

    def add_record(self, record: Mapping[str, Any]) -> None:
        """Take note of a record's values."""
        for key, value in record.items():
            self._seen.setdefault(key, set()).add(_kind(value))

    def add_column(self, header: str, values: Iterable[Any]) -> None:
        """Take note of a column's values."""
        self._seen.setdefault(header, set()).update(map(_kind, values))

    def schema(self) -> pa.Schema:
        """The narrowest type of each column that holds all of its values as they are."""
        return pa.schema([pa.field(name, _ARROW[_common(kinds)]) for name, kinds in self._seen.items()])


def arrow_column(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """Python values as a column of a type that holds them; in a text column what is no text is written as JSON does."""
    if pa.types.is_string(kind):
        return pa.array([None if _kind(value) == "" else as_text(value) for value in values], kind)
    if pa.types.is_floating(kind):
        return pa.array([None if value is None else float(value) for value in values], kind, from_pandas=True)
    return pa.array(values, kind, from_pandas=True)


def as_text(value: Any) -> str:
    """A value as a cell of text."""
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False)
    return value if isinstance(value, str) else plain_text(value)


def _kind(value: Any) -> str:
    """The kind of one value; empty where it is missing."""
    match value:
        case None:
            return ""
        case bool():
            return "boolean"
        case int():
            exact = "integer" if abs(value) <= 2**53 else "long integer"
            return exact if INTEGER_LOW <= value <= INTEGER_HIGH else "text"
        case float():
            return "" if math.isnan(value) else "number"
        case datetime():
            return "date" if value.time() == time() else "moment"
        case date():
            return "date"
    return "text"


def _common(kinds: set[str]) -> str:
    """The kind that holds them all without loss."""
    found = kinds - {""}
    if found <= {"integer", "long integer"} and found:
        return "integer"
    if found <= {"integer", "number"} and found:
        return "number"
    if found == {"date", "moment"}:
        return "moment"
    return found.pop() if len(found) == 1 else "text"
