"""The arrows between packages: each imports only from packages to its left, and never from its own group."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "decisionflow"
GROUPS = (
    {"version", "frozen"},
    {"source", "types"},
    {"diagnostics"},
    {"errors"},
    {"conditions"},
    {"syntax", "program"},
    {"models", "tables"},
    {"evaluate"},
    {"check", "verify"},
    {"explain", "learn", "review"},
    {"render"},
    {"distribute"},
    {"api"},
    {"cli"},
    {"__main__"},
)
RANK = {package: rank for rank, group in enumerate(GROUPS) for package in group}
ONLY_IN = {"lark": {"syntax"}, "networkx": {"program"}, "z3": {"verify"}, "shap": {"explain"}, "lime": {"explain"}}
STANDARD_ONLY = {"source", "types", "diagnostics", "errors", "conditions"}


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Line and dotted name of every import, those inside functions too; `if TYPE_CHECKING` is left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def package_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


FILES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_left(path: Path) -> None:
    package = package_of(path)
    assert package in RANK, f"{path}: `{package}` has no place in the layout"
    wrong = []
    for line, name in imports(path):
        parts = name.split(".")
        if parts[0] == "decisionflow" and len(parts) > 1 and parts[1] != package and parts[1] in RANK:
            if RANK[parts[1]] >= RANK[package]:
                wrong.append(f"{path}:{line}: `{package}` imports from `{parts[1]}`, which is not to its left")
        elif parts[0] in ONLY_IN and package not in ONLY_IN[parts[0]]:
            wrong.append(f"{path}:{line}: `{package}` imports {parts[0]}, which only {ONLY_IN[parts[0]]} may")
    assert not wrong, "\n".join(wrong)


def test_evaluate_and_what_is_left_of_it_know_no_text() -> None:
    users = [
        str(path)
        for path in FILES
        if package_of(path) in {"evaluate", "program", "tables", "models"}
        for _, name in imports(path)
        if name.startswith("decisionflow.syntax")
    ]
    assert users == []
