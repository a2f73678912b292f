"""Every case of the corpus: a policy and its data give the decisions written beside them, in columns and row by row.

A case is a folder with `policy.dflow`, `data.csv` or `data.jsonl`, and `expected.csv`, whose columns are those of
`decisionflow evaluate`; `settings.json` may give what `Policy.evaluate` takes.
"""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import Any

import pytest

import decisionflow
from decisionflow.evaluate.rows import row_of
from decisionflow.render.wording import value_text
from decisionflow.tables.files.open_data import open_data

HERE = Path(__file__).parent
CASES = sorted(path.parent for path in (HERE / "accepted").glob("*/*/policy.dflow"))


def expected_rows(folder: Path) -> list[dict[str, str]]:
    with (folder / "expected.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def shown(value: Any) -> str:
    return "" if value is None else value_text(value, 15)


@pytest.mark.parametrize("folder", CASES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_case(folder: Path) -> None:
    settings = json.loads((folder / "settings.json").read_text()) if (folder / "settings.json").exists() else {}
    policy = decisionflow.load_policy(folder / "policy.dflow")
    data = next(path for path in folder.iterdir() if path.stem == "data")
    chunk = next(open_data(str(data)).chunks(sys.maxsize))
    result = policy.evaluate(chunk, **settings)
    expected = expected_rows(folder)
    assert len(result) == len(expected)
    table = policy.read(chunk)
    models = policy.models_for(policy.decisions)
    for place, wanted in enumerate(expected):
        row = row_of(policy.program, models, table, place, result.settings)
        for column, text in wanted.items():
            name, _, part = column.partition(".")
            if name == "problem":
                problem = result.problems.get(place, "")
                assert (f"line {chunk.line_of(place)}: {problem}" if problem else "") == text
                continue
            for outcome in (result.outcome(name, place), row.decide(name)):
                found = {
                    "": shown(outcome.value),
                    "rule": outcome.rule,
                    "status": outcome.status,
                    "reasons": ";".join(reason.code for reason in outcome.reasons),
                }[part]
                assert found == text, (place, column)
