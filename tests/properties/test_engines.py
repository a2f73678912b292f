"""Every way of deciding gives the interpreter's answers, whatever kind of data brings the rows.

Programs are made at random; their features have domains and defaults, the data missing cells and invalid ones.
"""

from __future__ import annotations

import importlib
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from importlib.util import find_spec
from random import Random
from typing import Any

import pandas as pd
import pyarrow as pa

from decisionflow.evaluate.evaluator import Evaluator
from decisionflow.evaluate.kernel import kernel_of
from decisionflow.evaluate.outcome import Outcome
from decisionflow.evaluate.row_answer import row_answer
from decisionflow.evaluate.row_function import RowFunctions
from decisionflow.evaluate.rows import row_of
from decisionflow.program.declarations import Domain, Feature, Reading
from decisionflow.tables.read_table import read_table
from decisionflow.types import BOOLEAN, DATE, INTEGER, NUMBER, TEXT, TIMESTAMP, Type, Vocabulary
from tests.properties.programs import COLOUR, FEATURES, GRADE, LITERALS, made_case
from tests.properties.test_evaluator import alike

WRONG: dict[Type, tuple[Any, ...]] = {
    NUMBER: (math.inf, "x", True),
    INTEGER: (1.5, 2**70, "q"),
    BOOLEAN: ("maybe", 2),
    TEXT: (5,),
    COLOUR: ("mauve", "Red"),
    GRADE: ("LOW",),
    DATE: ("2024-13-01", 5),
    TIMESTAMP: ("2024-05-01T10:00:00",),
}
ARROW = {
    NUMBER: pa.float64(),
    INTEGER: pa.int64(),
    BOOLEAN: pa.bool_(),
    DATE: pa.date32(),
    TIMESTAMP: pa.timestamp("us", tz="UTC"),
}
DOMAINS: dict[Type, tuple[tuple[Any, Any], ...]] = {
    NUMBER: ((0.0, None), (None, 1000.0), (-5.0, 10.0)),
    INTEGER: ((0, None), (None, 1000), (-5, 10), (0, 10**17)),
    DATE: ((date(1970, 1, 1), date(2024, 3, 1)),),
}
Rows = list[dict[str, Any]]
POLARS = find_spec("polars") is not None
"""An extra: its frames are tried where it is installed."""


def made_features(random: Random) -> dict[str, Feature]:
    """The features of `made_case`, some with a domain, some optional, some with a default."""
    found = {}
    for name, kind in FEATURES.items():
        ends = random.choice(DOMAINS[kind]) if kind in DOMAINS and random.random() < 0.35 else None
        domain = None if ends is None else Domain(*ends, random.random() < 0.5, random.random() < 0.5)
        optional = random.random() < 0.6
        usable = [value for value in LITERALS[kind] if value != "" and (domain is None or domain.contains(value))]
        default = random.choice(usable) if usable and not optional and random.random() < 0.5 else None
        found[name] = Feature(name, kind, Reading(name), domain, optional, default)
    return found


def made_rows(random: Random, features: dict[str, Feature], rows: int, wrong: float) -> Rows:
    found = []
    for _ in range(rows):
        record: dict[str, Any] = {}
        for name, feature in features.items():
            gap = 0.01 if not feature.optional and feature.default is None else 0.12
            if random.random() < gap:
                if random.random() < 0.5:
                    record[name] = None
                continue
            source = WRONG if random.random() < wrong else LITERALS
            record[name] = random.choice(source[feature.type])
        found.append(record)
    return found


def data_of(random: Random, records: Rows, features: dict[str, Feature]) -> Iterator[tuple[str, Any]]:
    """The rows as other kinds of data; kinds with types only where every cell is of its type."""
    yield "records", records
    cells = {name: [record.get(name) for record in records] for name in features}
    yield "objects", pd.DataFrame({name: pd.Series(column, dtype=object) for name, column in cells.items()})
    try:
        table = pa.table({name: _arrow(random, cells[name], feature.type) for name, feature in features.items()})
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
        return
    yield "typed", pd.DataFrame({name: _series(random, cells[name], item.type) for name, item in features.items()})
    yield "table", pa.concat_tables([table.slice(0, 1), table]).combine_chunks().slice(1)
    yield "batch", table.to_batches()[0]
    yield "chunks", pa.concat_tables([table.slice(0, 3), table.slice(3)])
    if POLARS:
        yield "polars", importlib.import_module("polars").from_arrow(table)


def _arrow(random: Random, cells: list[Any], kind: Type) -> pa.Array:
    array = pa.array(cells, ARROW.get(kind, pa.string()), from_pandas=False)
    return array.dictionary_encode() if isinstance(kind, Vocabulary) and random.random() < 0.6 else array


def _series(random: Random, cells: list[Any], kind: Type) -> Any:
    if kind == NUMBER:
        found = [math.nan if cell is None else cell for cell in cells]
        return pd.Series(found, dtype=random.choice(["float64", "Float64"]))
    if kind in (INTEGER, BOOLEAN):
        plain = None not in cells and random.random() < 0.5
        names = ("int64", "Int64") if kind == INTEGER else ("bool", "boolean")
        return pd.Series(pd.array(cells, dtype=names[0 if plain else 1]))  # type: ignore[call-overload]
    if isinstance(kind, Vocabulary):
        labels = random.sample(kind.labels, len(kind.labels))
        return pd.Series(pd.Categorical(cells, categories=[*labels, *(set(cells) - {*labels, None})]))
    return pd.Series(cells, dtype=object)


def test_every_way_gives_the_answers_of_the_interpreter() -> None:
    seen: Counter[str] = Counter()
    for seed in range(30):
        _check(seed, seen)
    assert all(seen[kind] for kind in ("objects", "typed", "table", "batch", "chunks", "whole", "row"))
    assert bool(seen["polars"]) == POLARS
    assert all(seen[status] > 20 for status in ("decided", "undecided", "invalid"))


def _check(seed: int, seen: Counter[str]) -> None:
    random = Random(seed)
    case, features = made_case(1 + seed % 6, seed, rows=1), made_features(random)
    program = replace(case.program, features=features)
    settings = replace(case.settings, transparency={}, stochastic=False)
    records = made_rows(random, features, random.choice((6, 20)), random.choice((0.0, 0.02)))
    plain = read_table(records, features)
    rows = [row_of(program, case.models, plain, place, settings) for place in range(len(records))]
    expected = [{name: row.decide(name) for name in program.decisions} for row in rows]
    evaluator = Evaluator(program, case.models)
    alone = {name: Evaluator(program, case.models, [name]) for name in program.decisions}
    forms = [
        (name, kernel)
        for name, each in alone.items()
        for gaps in (False, True)
        if (kernel := kernel_of(program, each.ready.decisions, "whole", gaps)) is not None
    ]
    for kind, data in data_of(random, records, features):
        seen[kind] += 1
        _compare(evaluator.by_blocks(read_table(data, features), settings), expected, seen, (seed, kind))
        for name, kernel in forms:
            seen["whole"] += 1
            found = alone[name].by_kernel(kernel, read_table(data, features), settings)
            _compare(found, expected, seen, (seed, kind, name))
    functions = RowFunctions(program)
    functions.prepare()
    for place, record in enumerate(records):
        answers = functions.answers(record, settings.today, True)
        seen["row"] += answers is not None
        for name, answer in (answers or {}).items():
            wanted = row_answer(expected[place][name])
            assert answer[1:] == wanted[1:], (seed, place, name)
            assert alike(answer.value, wanted.value), (seed, place, name)


def _compare(result: Any, expected: list[dict[str, Outcome]], seen: Counter[str], where: Any) -> None:
    for place, outcomes in enumerate(expected):
        for name in result.answers:
            found, wanted = result.outcome(name, place), outcomes[name]
            seen[wanted.status] += 1
            assert (found.status, found.rules, found.reasons) == (wanted.status, wanted.rules, wanted.reasons), (
                *where,
                place,
                found,
                wanted,
            )
            assert alike(found.value, wanted.value), (*where, place, found, wanted)
