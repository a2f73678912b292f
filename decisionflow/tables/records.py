"""Records, where an absent key is a missing value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from decisionflow.conditions.values import MISSING
from decisionflow.errors import DataError
from decisionflow.program.declarations import Feature
from decisionflow.tables.cell_reader import normal_form
from decisionflow.tables.cells import Cells
from decisionflow.tables.object_cells import object_cells


def record_cells(records: Sequence[Any], features: Mapping[str, Feature]) -> tuple[int, dict[str, Cells]]:
    """The number of records and the cells of each feature; DataError where something else is among them."""
    for row, record in enumerate(records):
        if not isinstance(record, Mapping):
            raise DataError(f"row {row} is a {type(record).__name__}, not a dict from column to value")
    return len(records), {name: object_cells(_values(records, feature)) for name, feature in features.items()}


def _values(records: Sequence[Mapping[str, Any]], feature: Feature) -> list[Any]:
    column = feature.reading.column
    if column.isascii():
        return [record.get(column, MISSING) for record in records]
    return [value_of(record, column) for record in records]


def value_of(record: Mapping[str, Any], column: str) -> Any:
    """The value under a key, keys being compared in NFC; MISSING where there is none."""
    if column in record:
        return record[column]
    wanted = normal_form(column)
    return next((value for key, value in record.items() if normal_form(str(key)) == wanted), MISSING)
