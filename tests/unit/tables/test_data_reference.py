"""`docs/data.md` says what reading does."""

import json
import re
from pathlib import Path

import pytest
from declared import feature

from decisionflow.conditions.values import MISSING, Failure
from decisionflow.tables.cell_reader import cell_reader
from decisionflow.tables.masking import plain_text
from decisionflow.types import BOOLEAN, DATE, INTEGER, NUMBER, TEXT, TIMESTAMP, Vocabulary

PAGE = (Path(__file__).parents[3] / "docs" / "data.md").read_text(encoding="utf-8")
TYPES = {str(kind): kind for kind in (NUMBER, INTEGER, BOOLEAN, TEXT, DATE, TIMESTAMP)}


def lines(heading):
    section = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    return re.findall(r"^\| ([^`|]+) \| `([^`]+)` \| ([^|]+) \|$", section, re.MULTILINE)


def declared(written):
    labels, kind, options = re.fullmatch(r"(?:\{ (.+) \}|(\w+)) ?(.*)", written).groups()
    zone, others = re.search("zone (.+)", options), re.search("others as (.+)", options)
    return feature(
        "x",
        Vocabulary(tuple(labels.split(", "))) if labels else TYPES[kind],
        trim="trim" in options,
        any_case="any case" in options,
        zone=zone and zone[1],
        others=others and others[1],
    )


def outcome(written, cell):
    value = cell_reader(declared(written))(cell)
    return "missing" if value is MISSING else "invalid" if isinstance(value, Failure) else plain_text(value)


@pytest.mark.parametrize(("kind", "text", "value"), lines("Text"))
def test_text_reads_as_the_page_says(kind, text, value):
    assert outcome(kind, text) == value


@pytest.mark.parametrize(("kind", "value", "read"), lines("Values that are no text"))
def test_other_values_read_as_the_page_says(kind, value, read):
    assert outcome(kind, json.loads(value)) == read


def test_every_line_of_the_tables_is_read():
    rows = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith("| type")]
    assert len(rows) == len(lines("Text")) + len(lines("Values that are no text")) > 50
