"""Libraries that a plain install leaves out."""

from __future__ import annotations

import importlib
from typing import Any

from decisionflow.errors import ModelError
from decisionflow.models import messages


def extra(name: str, module: str, install: str) -> Any:
    """The module, or a ModelError for the model `name` that says which extra installs it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ModelError(messages.no_extra(name, module, install)) from error
