"""Where the grammar and its tables are: in a wheel inside the package, in a checkout beside it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from decisionflow.syntax.tables import Tables, build_tables, fingerprint, read_tables, write_tables

PACKAGE = Path(__file__).parent.parent
GRAMMAR, TABLES = "policy.lark", "policy.tables.json"


def grammar_folder() -> Path:
    """The folder of the grammar; raises FileNotFoundError where neither a wheel's nor a checkout's is there."""
    for folder in (PACKAGE / "grammars", PACKAGE.parent / "grammars"):
        if (folder / GRAMMAR).is_file():
            return folder
    raise FileNotFoundError(f"{GRAMMAR} is neither in the package nor beside it; install decisionflow again")


@cache
def tables() -> Tables:
    """The kept tables; built anew, in memory, where the grammar has been changed since."""
    folder = grammar_folder()
    grammar = (folder / GRAMMAR).read_text(encoding="utf-8")
    kept = folder / TABLES
    if kept.is_file():
        found = read_tables(kept.read_text(encoding="utf-8"))
        if found.grammar == fingerprint(grammar):
            return found
    return build_tables(grammar)


def keep_tables() -> Path:
    """Build the tables of the checkout's grammar and write them beside it."""
    folder = grammar_folder()
    grammar = (folder / GRAMMAR).read_text(encoding="utf-8")
    (folder / TABLES).write_text(write_tables(build_tables(grammar)), encoding="utf-8")
    return folder / TABLES


if __name__ == "__main__":
    keep_tables()
