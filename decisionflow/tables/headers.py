"""Finding the columns that features need among the headers that there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from decisionflow.diagnostics import nearest
from decisionflow.errors import DataError
from decisionflow.program.declarations import Feature
from decisionflow.tables.cell_reader import normal_form

MOST_HEADERS = 12


def column_positions(headers: Sequence[object], features: Mapping[str, Feature]) -> dict[str, int]:
    """The position of each feature's column; headers are compared exactly, in NFC.

    Raises DataError where two columns have one header, or a feature, optional or not, has no column.
    """
    names = [normal_form(str(header)) for header in headers]
    refuse_twins(names)
    places = {name: position for position, name in enumerate(names)}
    wanted = {name: normal_form(feature.reading.column) for name, feature in features.items()}
    absent = [feature for name, feature in features.items() if wanted[name] not in places]
    if absent:
        raise DataError("\n".join(_no_column(feature, names) for feature in absent))
    return {name: places[column] for name, column in wanted.items()}


def refuse_twins(names: Sequence[str]) -> None:
    """Raise DataError where two columns have one header; blank headers do not count."""
    twins = [name for name, count in Counter(names).items() if count > 1 and name.strip()]
    if twins:
        listed = ", ".join(f'"{name}"' for name in twins[:MOST_HEADERS])
        raise DataError(f"the data has more than one column with the header {listed}: rename or remove one of them")


def _no_column(feature: Feature, names: Sequence[str]) -> str:
    column = feature.reading.column
    needed = f'the data has no column "{column}"'
    if column != feature.name:
        needed += f", which feature `{feature.name}` is read from"
    near = nearest(column, names)
    if near is not None:
        return f'{needed}; did you mean "{near}"?'
    listed = ", ".join(f'"{name}"' for name in names[:MOST_HEADERS]) + (", …" if len(names) > MOST_HEADERS else "")
    return f"{needed}; its columns are {listed}" if names else f"{needed}; it has no columns"
