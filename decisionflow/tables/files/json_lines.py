"""JSON lines: one object on each line, integers exact, `NaN` accepted as missing."""

from __future__ import annotations

import json
import math
from collections.abc import Container, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import IO, Any

import pyarrow as pa

from decisionflow.errors import DataError
from decisionflow.tables.files.byte_source import ByteSource
from decisionflow.tables.files.chunk import Chunk, Reject
from decisionflow.tables.files.column_kinds import KindsSeen
from decisionflow.tables.files.formats import Format

RECORDS_OF_CHUNK = 16_384
"""Fewer than of other files: records take ten times the memory of columns."""
_INFINITY = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


@dataclass(frozen=True)
class JSONLinesFile:
    """A file with a JSON object on each line, in UTF-8.

    Blank lines are left out. A line that is no object, or that gives a key twice, is a reject. Raises DataError for an
    empty file, an array of objects, or something that is no text.
    """

    source: ByteSource
    format: Format = "jsonl"

    def __post_init__(self) -> None:
        beginning = self.source.beginning
        if not beginning.strip():
            raise DataError(f"{self.name} is empty: it needs one JSON object on each line")
        if b"\0" in beginning:
            raise DataError(f"{self.name} is no JSON lines file: it holds NUL bytes; it must be text in UTF-8")
        if beginning.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"["):
            raise DataError(f"{self.name} holds a JSON array: write each of its objects on a line of its own")

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def rows(self) -> int | None:
        """How many rows there are, unknown before they are read."""
        return None

    @property
    def share(self) -> float | None:
        """How much of the file has been read."""
        return self.source.share

    def own_schema(self) -> pa.Schema:
        """Every key in order of appearance, with a type that holds all of its values; reads the whole file."""
        self.source.keep()
        seen = KindsSeen()
        for chunk in self.chunks():
            for record in chunk.data:
                seen.add_record(record)
        return seen.schema()

    def chunks(self, rows: int = RECORDS_OF_CHUNK, only: Container[str] | None = None) -> Iterator[Chunk]:  # noqa: ARG002
        """The rows in order, at most so many at a time; one empty chunk where there are none."""
        first_row = 0
        lines = _numbered(self.source.stream())
        while part := list(islice(lines, rows)):
            yield _chunk(part, first_row)
            first_row += len(part)
        if first_row == 0:
            yield Chunk(0, 0, [], ())


def _numbered(stream: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, with their numbers from 1."""
    for number, line in enumerate(stream, start=1):
        text = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
        if text.strip():
            yield number, text


def _chunk(part: list[tuple[int, bytes]], first_row: int) -> Chunk:
    records: list[dict[str, Any]] = []
    rejects: list[Reject] = []
    for place, (line, text) in enumerate(part):
        found = _parse(text)
        if isinstance(found, str):
            raw = text.decode(errors="replace").rstrip("\r\n")
            rejects.append(Reject(first_row + place, line, found, raw))
        records.append({} if isinstance(found, str) else found)
    return Chunk(first_row, len(part), records, [line for line, _ in part], tuple(rejects))


def _parse(text: bytes) -> dict[str, Any] | str:
    """The object on a line, or why there is none."""
    try:
        found = _DECODER.decode(text.decode())
    except UnicodeDecodeError:
        return "the line is not UTF-8"
    except json.JSONDecodeError as error:
        return f"the line is no JSON: {error.msg} at column {error.colno}"
    except RecursionError:
        return "the line is nested too deeply"
    except ValueError as error:
        return f"the line is no JSON: {error}"
    return found if isinstance(found, dict) else f"the line is no JSON object but {_name_of(found)}"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twin = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f'the key "{twin}" is given twice')
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_INFINITY.__getitem__)


def _name_of(value: object) -> str:
    names = {list: "an array", str: "a text", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")
