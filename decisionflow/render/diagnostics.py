"""Diagnostics for editors: JSON, and SARIF 2.1.0 for code-scanning tools."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from decisionflow.diagnostics import Diagnostic
from decisionflow.source import Span
from decisionflow.tables.grids import SheetCell
from decisionflow.version import __version__

SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def diagnostics_json(found: Sequence[Diagnostic]) -> str:
    """A list of diagnostics; lines and columns count from one, `end` is the first character after."""
    return json.dumps([_plain(one) for one in found], ensure_ascii=False, indent=2) + "\n"


def diagnostics_sarif(found: Sequence[Diagnostic]) -> str:
    """A SARIF log of one run."""
    rules = [{"id": code} for code in dict.fromkeys(one.code for one in found)]
    driver = {"name": "decisionflow", "version": __version__, "rules": rules}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": [_result(one) for one in found]}
    return json.dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2) + "\n"


def _plain(one: Diagnostic) -> dict[str, Any]:
    return {
        "code": one.code,
        "severity": one.severity,
        "message": one.message,
        "help": one.help,
        "place": None if one.span is None else _place(one.span),
        "notes": [{"message": note.text, "place": _place(note.span)} for note in one.notes],
        "text": str(one),
    }


def _place(span: Span) -> dict[str, Any]:
    """The place for an editor; in a workbook `cell`, and lines and columns inside the cell's text."""
    line, column = span.source.position(span.start)
    end_line, end_column = span.source.position(span.end)
    cell = {"cell": span.source.cell} if isinstance(span.source, SheetCell) else {}
    return {
        "file": span.source.file,
        **cell,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
    }


def _result(one: Diagnostic) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": one.code,
        "level": one.severity,
        "message": {"text": f"{one.message}. {one.help}" if one.help else one.message},
    }
    if one.span is not None:
        result["locations"] = [_location(one.span)]
    if one.notes:
        result["relatedLocations"] = [{**_location(note.span), "message": {"text": note.text}} for note in one.notes]
    return result


def _location(span: Span) -> dict[str, Any]:
    """A region of a text file, or a cell of a workbook, which has no lines."""
    place = _place(span)
    artifact = {"artifactLocation": {"uri": quote(PurePath(place["file"]).as_posix())}}
    if "cell" in place:
        return {"physicalLocation": artifact, "logicalLocations": [{"fullyQualifiedName": place["cell"]}]}
    region = {
        "startLine": place["line"],
        "startColumn": place["column"],
        "endLine": place["end_line"],
        "endColumn": place["end_column"],
    }
    return {"physicalLocation": {**artifact, "region": region}}
