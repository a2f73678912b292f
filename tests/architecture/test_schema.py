"""The published schema is that of the contract; `python tests/architecture/test_schema.py` writes it anew."""

from __future__ import annotations

import json
from pathlib import Path

from decisionflow.explain.published import explanation_schema

PUBLISHED = Path(__file__).parents[2] / "docs" / "explanation.schema.json"


def schema() -> str:
    return json.dumps(explanation_schema(), indent=2) + "\n"


def test_the_published_schema_is_current() -> None:
    assert PUBLISHED.read_text(encoding="utf-8") == schema()


if __name__ == "__main__":
    PUBLISHED.write_text(schema(), encoding="utf-8")
