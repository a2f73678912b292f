"""The formats of data files."""

from __future__ import annotations

from typing import Literal, get_args

Format = Literal["csv", "jsonl", "parquet", "feather", "xlsx"]
FORMATS: tuple[Format, ...] = get_args(Format)
FORMAT_OF_ENDING: dict[str, Format] = {
    ".csv": "csv",
    ".tsv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".feather": "feather",
    ".arrow": "feather",
    ".xlsx": "xlsx",
    ".xlsm": "xlsx",
}
