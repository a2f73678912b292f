"""The versions of what an explanation is computed with: another one may give other digits."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from types import MappingProxyType

from decisionflow.version import __version__

LIBRARIES = ("numpy", "pandas", "scipy", "scikit-learn", "shap", "lime", "numba", "xgboost", "lightgbm", "catboost")


@cache
def versions() -> Mapping[str, str]:
    """decisionflow's, Python's, and those of the libraries that are installed."""
    found = {"decisionflow": __version__, "python": platform.python_version()}
    for library in LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            continue
    return MappingProxyType(found)
