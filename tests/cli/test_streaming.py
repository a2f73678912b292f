"""Rows of a long file are counted from its beginning, whatever the chunk they come in."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

import decisionflow
from decisionflow.api.streaming import Output, evaluate_file
from decisionflow.tables.files.open_data import open_data

POLICY = (
    "policy p feature x : number model m : number using x decision d : { a, b } rule r: if m > 1 then a otherwise b"
)


def model(frame: pd.DataFrame) -> pd.Series:
    if (frame["x"] == 7).any():
        raise ValueError("seven")
    return frame["x"]


class SmallChunks:
    """A data file that comes two rows at a time."""

    def __init__(self, path: Path) -> None:
        self.file = open_data(str(path))

    def own_schema(self):  # type: ignore[no-untyped-def]
        return self.file.own_schema()

    def chunks(self):  # type: ignore[no-untyped-def]
        return self.file.chunks(2)


def test_a_failing_model_names_the_row_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("x\n0\n1\n2\n7\n3\n")
    policy = decisionflow.parse_policy(POLICY, models={"m": model})
    output = Output(str(tmp_path / "out.csv"), "csv", own_columns=False)
    summary = evaluate_file(policy, SmallChunks(tmp_path / "x.csv"), policy.settings(), output)  # type: ignore[arg-type]
    assert (summary.rows, summary.model_failures, summary.invalid) == (5, 1, 1)
    lines = (tmp_path / "out.csv").read_text().splitlines()
    assert [line.split(",")[0] for line in lines] == ["d", "b", "b", "a", "", "a"]
    assert "row 3" in lines[4]
    assert "line 5" in lines[4]
